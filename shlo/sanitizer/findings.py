"""What a sanitized run found, one finding for each operation and place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct, field

from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.kernel_steps import origin_at, path_of
from shlo.ir.operations import Operation
from shlo.places.origins import Origin
from shlo.sanitizer.objections import WORST, Element, Objection
from shlo.sanitizer.table import Check

MOST_FINDINGS: Final = 1000
"""How many findings are kept; further ones are counted."""


class Finding(Struct):
    """What a check objects to at one operation.

    Args:
        check: the row of the table.
        operation: the operation.
        place: `file:line:column`, None where nothing tells.
        path: the calls and iterations of the first time, outermost first.
        process: the number of the process of the first time.
        origin: where the operation, or else the innermost call that led to it then, came from in the program
            that this was made from.
        times: how often the operation was carried out so.
        count: how many elements are concerned, of all times.
        worst: the worst of them.
    """

    check: Check
    operation: Operation
    place: str | None
    path: tuple[str, ...]
    process: int
    origin: Origin
    times: int = 0
    count: int = 0
    worst: tuple[Element, ...] = ()

    def add(self, objection: Objection) -> None:
        """Counts another time."""
        self.times += 1
        self.count += objection.count
        ranked = sorted((*self.worst, *objection.worst), key=lambda element: -element.weight)
        self.worst = tuple(ranked[:WORST])


class Findings(Struct):
    """The findings of a run, in the order in which they were first made; false where there are none.

    Args:
        processes: how many processes there are.
        steps: how many times an operation was carried out.
        looked_at: how many times one of the table was.
        is_cut: whether only so many were looked at.
        known: those that are kept, by the name of the check and the identity of the operation.
        beyond: the names and identities of those that are not kept.
    """

    processes: int = 1
    steps: int = 0
    looked_at: int = 0
    is_cut: bool = False
    known: dict[tuple[str, int], Finding] = field(default_factory=dict[tuple[str, int], Finding])
    beyond: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])

    @property
    def left_out(self) -> int:
        """How many findings are not kept."""
        return len(self.beyond)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.known.values())

    def __len__(self) -> int:
        return len(self.known) + self.left_out

    def __bool__(self) -> bool:
        return bool(self.known)

    def add(
        self,
        check: Check,
        operation: Operation,
        location: str | None,
        frames: Sequence[Frame],
        process: int,
        objection: Objection,
    ) -> None:
        """Adds what a check objects to, in a process whose frames these are."""
        key = check.name, id(operation)
        finding = self.known.get(key)
        if finding is None:
            if len(self.known) >= MOST_FINDINGS:
                self.beyond.add(key)
                return
            origin = origin_at(operation, frames)
            finding = self.known[key] = Finding(check, operation, location, path_of(frames), process, origin)
        finding.add(objection)
