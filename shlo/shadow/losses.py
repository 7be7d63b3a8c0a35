"""What digits a run loses: by operation, in loops, and in its results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct, field

from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.kernel_steps import origin_at, path_of
from shlo.interpreter.program.code import CodeBlock
from shlo.ir.operations import Operation
from shlo.places.origins import Origin
from shlo.shadow.measures import FEWEST
from shlo.shadow.tracker import Loss, Pair

MOST_OPERATIONS: Final = 1000
"""How many operations that lose digits are kept; further ones are counted."""


class OperationLoss(Struct):
    """What digits an operation loses.

    Args:
        operation: the operation.
        place: `file:line:column`, None where nothing tells.
        origin: where it, or else the innermost call that led to it, came from in the program that this was
            made from.
        worst: the execution that loses most.
        path: the calls and iterations that led to that, outermost first.
        executions: how often it loses digits.
        elements: how many elements lose digits, of all executions.
    """

    operation: Operation
    place: str | None
    origin: Origin
    worst: Loss
    path: tuple[str, ...]
    executions: int = 0
    elements: int = 0


class CarriedLoss(Struct):
    """How the error of a value grows that a loop carries.

    Args:
        name: its name in the source, without `%`.
        digits: how many its type has.
        first: how many it lacked when the loop began, in the execution of the loop in which that grew most.
        worst: the most that it lacked in that.
        iteration: before which iteration, from 0, that was.
        passed: before which iteration it first lacked `FEWEST` more than when the loop began, None for none.
        element: the worst element then.
        index: where that is.
        began: how many it lacked when the loop began in the execution that is under way.
        passed_now: `passed` of that.
    """

    name: str
    digits: float
    first: float
    worst: float
    iteration: int = 0
    passed: int | None = None
    element: Pair | None = None
    index: tuple[int, ...] = ()
    began: float = 0.0
    passed_now: int | None = None

    def note(self, iteration: int, lost: float) -> bool:
        """Notes how many digits it lacks before an iteration; returns whether it has grown more than ever."""
        if iteration == 0:
            self.began, self.passed_now = lost, None
        if self.passed_now is None and lost - self.began >= FEWEST:
            self.passed_now = iteration
        if lost - self.began <= self.worst - self.first:
            return False
        self.first, self.worst, self.iteration, self.passed = self.began, lost, iteration, self.passed_now
        return True

    @property
    def grows(self) -> bool:
        """Whether the loop makes the error larger."""
        return self.worst - self.first >= FEWEST


class LoopLoss(Struct):
    """How errors grow in a loop: its operation, place and origin as of an OperationLoss, the path to the
    first execution, the values that it carries by number, and the iteration that was looked at last, with
    the part of it: 0 for the condition, 1 for the body.
    """

    operation: Operation
    place: str | None
    origin: Origin
    path: tuple[str, ...]
    carried: dict[int, CarriedLoss] = field(default_factory=dict[int, CarriedLoss])
    looked_at: tuple[int, int] = (-1, 0)

    @property
    def growing(self) -> list[CarriedLoss]:
        """Values whose error grows, the worst first."""
        return sorted(
            (value for value in self.carried.values() if value.grows), key=lambda value: -value.worst
        )


class ResultLoss(Struct, frozen=True):
    """How many digits a result of the program lacks at its worst element, of those that its type has."""

    number: int
    total: float
    digits: float
    index: tuple[int, ...]
    element: Pair


class WidenedLoss(Struct, frozen=True):
    """An operation that makes numbers of a wider type of those of a narrow one, which are not exact: they
    lack digits of the wider type, though the operation loses none.

    Args:
        operation: the operation.
        place: `file:line:column`, None where nothing tells.
        origin: as that of an OperationLoss.
        narrow: the narrow type's name.
        narrow_digits: how many digits that has.
        total: how many digits the result lacks at its worst element.
        digits: how many its type has.
    """

    operation: Operation
    place: str | None
    origin: Origin
    narrow: str
    narrow_digits: float
    total: float
    digits: float


class Losses(Struct):
    """What digits a run loses.

    Args:
        looked_at: how many times an operation was carried out.
        operations: operations that lose digits, by identity.
        loops: loops by identity.
        results: what the results of the program lack; those that are no floating-point numbers are left out.
        widened: by narrow type, the operation that makes of its numbers those of a wider type that lack most.
        without_shadow: operations whose results were taken as exact, and how often, by place and name.
        beyond: identities of operations that lose digits and are not kept.
    """

    looked_at: int = 0
    operations: dict[int, OperationLoss] = field(default_factory=dict[int, OperationLoss])
    loops: dict[int, LoopLoss] = field(default_factory=dict[int, LoopLoss])
    results: list[ResultLoss] = field(default_factory=list[ResultLoss])
    widened: dict[str, WidenedLoss] = field(default_factory=dict[str, WidenedLoss])
    without_shadow: dict[str, int] = field(default_factory=dict[str, int])
    beyond: set[int] = field(default_factory=set[int])

    def __len__(self) -> int:
        return len(self.operations) + len(self.beyond)

    def __iter__(self) -> Iterator[OperationLoss]:
        """Yields the operations that lose digits, those that lose most of a tensor as a whole first, and
        conversions to types of fewer digits last.
        """
        return iter(sorted(self.operations.values(), key=lambda loss: loss.worst.rank))

    @property
    def growing_loops(self) -> list[LoopLoss]:
        """Loops that make errors larger, the worst first."""
        growing = [loop for loop in self.loops.values() if loop.growing]
        return sorted(growing, key=lambda loop: -loop.growing[0].worst)

    def add(self, loss: Loss, code: CodeBlock, index: int, frames: Sequence[Frame]) -> None:
        """Adds what an instruction loses in the innermost of these frames."""
        operation = code.instructions[index].operation
        earlier = self.operations.get(id(operation))
        if earlier is None:
            if len(self.operations) >= MOST_OPERATIONS:
                self.beyond.add(id(operation))
                return
            earlier = self.operations[id(operation)] = OperationLoss(
                operation, code.place(index), origin_at(operation, frames), loss, path_of(frames)
            )
        earlier.executions += 1
        earlier.elements += loss.count
        if loss.rank < earlier.worst.rank:
            earlier.worst, earlier.path = loss, path_of(frames)
            earlier.origin = origin_at(operation, frames)
