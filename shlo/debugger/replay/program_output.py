"""What a program printed, by position: going back and forth repeats nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from shlo.debugger.replay.program_points import ProgramPoint
from shlo.interpreter.custom_call_api import CustomCall, Handler
from shlo.interpreter.custom_calls.callbacks import HOST_CALLBACKS, is_print, output_text
from shlo.interpreter.custom_calls.registry import find_handler
from shlo.interpreter.engine.binding import bound_kernel
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.sync_points import call_target
from shlo.text.shortening import clipped

MOST_ENTRIES: Final = 10_000
"""How many entries are kept, the last ones."""

LONGEST: Final = 4_000
"""How many characters of an entry are kept."""


class OutputEntry(Struct, frozen=True):
    """What one step printed: the position behind it, the process, the operation, the text."""

    position: int
    process: int
    point: ProgramPoint
    text: str


class OutputLog:
    """What was printed on the way to the furthest position. `total` also counts what is not kept."""

    def __init__(self) -> None:
        self.total = 0
        self._entries: deque[OutputEntry] = deque(maxlen=MOST_ENTRIES)

    def __iter__(self) -> Iterator[OutputEntry]:
        return iter(self._entries)

    @property
    def last(self) -> int:
        """The last position behind a step that printed, 0 for none."""
        return self._entries[-1].position if self._entries else 0

    def since(self, total: int) -> list[OutputEntry]:
        """Returns what was added since there were `total` entries in all."""
        count = min(self.total - total, len(self._entries))
        return list(self._entries)[len(self._entries) - count :] if count > 0 else []

    def add(self, position: int, process: int, point: ProgramPoint, text: str) -> None:
        """Notes what the step to a position prints."""
        self._entries.append(OutputEntry(position, process, point, clipped(text, LONGEST)))
        self.total += 1

    def branch(self, position: int) -> OutputLog:
        """Returns a log of what was printed up to a position."""
        other = OutputLog()
        other.total, other._entries = self.total, self._entries.copy()
        other.cut(position)
        return other

    def cut(self, position: int) -> None:
        """Discards what came after a position."""
        while self.last > position:
            self._entries.pop()
            self.total -= 1


def printed_text(
    point: ProgramPoint, operands: tuple[Value, ...], handlers: Mapping[str, Handler]
) -> str | None:
    """Returns what an operation prints that is not carried out again, None where it prints nothing."""
    target = call_target(point.operation)
    if target not in HOST_CALLBACKS or find_handler(target, handlers) is not None:
        return None
    call = CustomCall(bound_kernel(point.code, point.index).op_view)
    return output_text(call, operands) if is_print(call) else None
