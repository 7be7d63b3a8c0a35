"""Immutable snapshots of a session; they stay valid after the session moves on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from shlo.debugger.replay.cursor import Status
from shlo.interpreter.spmd.wait_for_graph import WaitForGraph, Waiting
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.operations import Operation
from shlo.ir.source import Span
from shlo.ir.types import Type
from shlo.places.origins import Origin
from shlo.places.place import Place

Reason = Literal[
    "start",
    "step",
    "breakpoint",
    "line",
    "position",
    "beginning",
    "done",
    "failed",
    "stopped",
    "arguments",
    "missed",
]
"""Why a command ended: a step was taken; a breakpoint, a line or a position was reached; the program's
beginning or end was; it fails here; it was stopped on request; at the start, the arguments hold what is
looked for; what is looked for is nowhere on the way, and the session is where it was."""

NO_ORIGIN = Origin()


class FrameView(Struct, frozen=True):
    """A block in execution. `operation` is the next one in the innermost frame (behind a stop that is about
    the last one, that: see Snapshot), the open one in others. `origin` is that of the operation; where it
    names no line of Python outside of libraries, also that of the calls around it.

    `region` is the number of the region in the operation of the frame below, `region_name` its name on the
    operation's definition; None and empty for a function. `iteration` counts from 0 how often a loop went
    round. `span` is where the operation is in the source, `line` and `column` (code points) count from 1;
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


class StepView(Struct, frozen=True):
    """The step that led to a position: which operation, where it is and came from, the names of the
    values it bound.

    `finding` says what it made: "nan", "infinity", "overflow", "finding", several, or nothing; `details`
    what the sanitizer objects to, a line each, as far as the operands are in memory.
    """

    op: str
    line: int | None
    span: Span | None
    bound: tuple[str, ...]
    finding: tuple[str, ...]
    origin: Origin = NO_ORIGIN
    details: tuple[str, ...] = ()

    @property
    def place(self) -> Place:
        """Where the operation is."""
        return Place(self.op, self.line, self.origin)


class Snapshot(Struct, frozen=True):
    """Where a Session is. `position` counts the steps from the start, `last` is the furthest one that was
    reached. `frames` begins with the outermost; it is empty when the program is done. `breakpoints` are the
    numbers of those that are met here; `error` is what the next step fails with, in words.

    Where a session stops behind a step because of what that did (`is_behind`: it made a NaN, an infinity or
    a finding, or lost digits), the innermost frame is at the operation of that step. `upcoming` is the
    innermost frame at the next operation everywhere.
    """

    position: int
    last: int
    status: Status
    reason: Reason
    frames: tuple[FrameView, ...]
    last_step: StepView | None
    breakpoints: tuple[int, ...] = ()
    error: str | None = None
    is_behind: bool = False
    upcoming: FrameView | None = None

    @property
    def frame(self) -> FrameView | None:
        """The innermost frame, None when the program is done."""
        return self.frames[-1] if self.frames else None


class ValueView(Struct, frozen=True):
    """A value in scope: its name without `%` (`#` and its number where it has none), its type, and whether it
    is in memory; one that is not is computed again on first use. `depth` is that of its frame, `line`
    that of the operation which binds it (None for arguments, and where nothing tells). `label` is what the
    program that this was made from called it (`params['w0']`, `loss`), empty where nothing tells.
    """

    name: str
    type: Type
    depth: int
    is_argument: bool
    is_held: bool
    line: int | None = None
    label: str = ""


class ProcessView(Struct, frozen=True):
    """A process of the grid: its number, where it is in the grid, how messages call it, what it is doing, and
    before which operation (None when it is done); `line` and `column` (code points, from 1) are None where
    nothing tells.

    `steps` are those that this process took. `waiting` tells for whom and what it waits, None where it does
    not.
    """

    number: int
    replica: int
    partition: int
    label: str
    status: Status
    operation: str | None
    line: int | None
    column: int | None
    steps: int
    waiting: Waiting | None = None


class ChannelView(Struct, frozen=True):
    """Messages that were sent and not received yet, the oldest first, each in one line for every value in it.
    `receiver` is the process that they are for, None where anyone may take them. `kind` tells infeeds and
    outfeeds of a process (`receiver`, None where all share one; their `channel` is 0) from channels.
    """

    channel: int
    receiver: int | None
    messages: tuple[tuple[str, ...], ...]
    kind: Literal["channel", "infeed", "outfeed"] = "channel"


class GridView(Struct, frozen=True):
    """All processes at one position. Views of processes that took no step between two positions are the same
    objects in both.

    `selected` is the process that everything else of the session is about. `status` is that of the grid:
    `done` where all are, `failed` where it cannot go on; `error` says why, in the words of `run_grid`.
    `graph` tells who waits for whom, and what cycle that makes.
    """

    replicas: int
    partitions: int
    selected: int
    status: Status
    processes: tuple[ProcessView, ...]
    graph: WaitForGraph
    channels: tuple[ChannelView, ...]
    error: str | None = None

    @property
    def shape(self) -> GridShape:
        """Replicas and partitions, for numbers and labels of processes."""
        return self.graph.shape

    @property
    def process(self) -> ProcessView:
        """The selected process."""
        return self.processes[self.selected]

    def counts(self) -> dict[Status, int]:
        """Returns how many processes are of each status, of those that there are."""
        counts: dict[Status, int] = {}
        for process in self.processes:
            counts[process.status] = counts.get(process.status, 0) + 1
        return counts


class ProcessValue(Struct, frozen=True):
    """What a name refers to in one process: the value's type, the position at which it was bound there, and
    to which group of equal values it belongs; where the process has none, `absent` says why and the rest is
    None.
    """

    process: int
    type: Type | None = None
    bound_at: int | None = None
    group: int | None = None
    absent: str = ""


class ValueGroup(Struct, frozen=True):
    """Processes whose values are the same, bit by bit; `summary` is the value in one line.

    Compared with the largest group (the one that `Comparison.reference` names): how many elements differ,
    the index of the first ones that do, and the largest absolute difference. For that group itself, and
    where two values cannot be compared element by element, these are 0, empty and None.
    """

    processes: tuple[int, ...]
    summary: str
    differing: int = 0
    places: tuple[tuple[int, ...], ...] = ()
    largest: float | None = None
    is_comparable: bool = True


class Comparison(Struct, frozen=True):
    """A value of one name, side by side in all processes. Groups are in the order of their first processes;
    `reference` is the index of the largest, None where no process has such a value. `place` is where the
    operation is that binds it in the first process that has it.
    """

    name: str
    values: tuple[ProcessValue, ...]
    groups: tuple[ValueGroup, ...]
    reference: int | None
    place: Place = Place()

    @property
    def is_same(self) -> bool:
        """Whether all processes that have it agree."""
        return len(self.groups) <= 1

    @property
    def absent(self) -> Iterator[ProcessValue]:
        """The processes that have no such value."""
        return (value for value in self.values if value.group is None)
