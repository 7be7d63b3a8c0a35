"""What a Session tells: immutable data, good as long as anybody likes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from shlo.debugger.inspect.provenance import Origin
from shlo.ir.operations import Operation
from shlo.ir.source import Span
from shlo.ir.types import Type

Reason = Literal["start", "step", "breakpoint", "line", "position", "beginning", "done", "failed", "stopped"]
"""Why a command ended: a step was taken; a breakpoint, a line or a position was reached; the program's
beginning or end was; it fails here; somebody asked to stop."""

NO_ORIGIN = Origin()

Status = Literal["ready", "waiting", "done", "failed"]
"""What a process is doing; in a grid it may wait for others."""


@dataclass(frozen=True, slots=True)
class FrameView:
    """A block in execution. `operation` is the next one in the innermost frame, the open one in others.

    `region` is the number of the region in the operation of the frame below, `region_name` its name on the
    operation's definition; None and empty for a function. `iteration` counts from 0 how often a loop went
    round. `span` is where the operation stands in the source, `line` and `column` (code points) count from 1;
    None where nothing tells.
    """

    depth: int
    function: str
    region: int | None
    region_name: str
    iteration: int
    operation: Operation
    span: Span | None
    line: int | None
    column: int | None
    origin: Origin

    @property
    def op(self) -> str:
        """The operation's name."""
        return self.operation.name


@dataclass(frozen=True, slots=True)
class Taken:
    """The step that led to a position: which operation, where it stands and came from, the names of the
    values it bound.

    `finding` says what of it is the first of its kind: "nan", "infinity", both, or nothing.
    """

    op: str
    line: int | None
    span: Span | None
    bound: tuple[str, ...]
    finding: tuple[str, ...]
    origin: Origin = NO_ORIGIN


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Where a Session is. `position` counts the steps from the start, `last` is the furthest one that was
    reached. `frames` begins with the outermost; it is empty when the program is done. `breakpoints` are the
    numbers of those that are met here; `error` is what the next step fails with, in words.
    """

    position: int
    last: int
    status: Status
    reason: Reason
    frames: tuple[FrameView, ...]
    taken: Taken | None
    breakpoints: tuple[int, ...] = ()
    error: str | None = None

    @property
    def frame(self) -> FrameView | None:
        """The innermost frame, None when the program is done."""
        return self.frames[-1] if self.frames else None


@dataclass(frozen=True, slots=True)
class ValueView:
    """A value in scope: its name without `%` (`#` and its number where it has none), its type, and whether it
    is in memory; one that is not is computed again when somebody looks. `depth` is that of its frame, `line`
    that of the operation which binds it (None for arguments, and where nothing tells).
    """

    name: str
    type: Type
    depth: int
    is_argument: bool
    is_held: bool
    line: int | None = None
