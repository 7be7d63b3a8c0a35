"""What the screen shows of a session, as immutable data made by the thread that owns it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from msgspec import Struct, field

from shlo.debugger import Breakpoint, FrameView, Session, Snapshot, ValueView
from shlo.debugger.inspect.snapshots import GridView
from shlo.debugger.inspect.value_list import found_values
from shlo.debugger.replay.nonfinite import Nonfinite
from shlo.debugger.tensors.summaries import summary_of
from shlo.debugger.text.format import watch_text
from shlo.debugger.text.format_output import output_lines
from shlo.ir.traced_names import result_labels

RESULT: Final = "result "
"""How the names of a finished program's results begin; no value's name has a space."""

MOST_VALUES: Final = 2000
"""How many of the values in scope are listed; the others are found by the filter."""


class ViewModel(Struct, frozen=True):
    """Where a session is, the frame that is looked at, the last values in scope there, and breakpoints; in a
    grid, all processes: the rest is about the selected one. `watches` are lines about what is displayed,
    `stops` the breakpoints by the lines of the source at which they are to be seen, `output` what was
    printed.
    """

    snapshot: Snapshot
    selected: int
    values: tuple[ValueView, ...]
    breakpoints: tuple[Breakpoint, ...]
    grid: GridView | None = None
    watches: tuple[str, ...] = ()
    stops: Mapping[int, Breakpoint] = field(default_factory=dict[int, Breakpoint])
    output: tuple[str, ...] = ()

    @property
    def frame(self) -> FrameView | None:
        """The frame that is looked at, None when the program is done."""
        frames = self.snapshot.frames
        return frames[self.selected] if frames else None

    def breakpoint_on(self, line: int) -> Breakpoint | None:
        """Returns the breakpoint on a line."""
        return next(
            (point for point in self.breakpoints if (point.kind, point.where) == ("line", line)), None
        )


def view_model_of(session: Session) -> ViewModel:
    """What there is to show now; a finished program's values are its results."""
    selected = session.selected_frame
    snapshot = session.snapshot
    values = _results(session) if snapshot.status == "done" else session.values(selected, MOST_VALUES)
    watches = tuple(watch_text(session, watch, selected) for watch in session.watches)
    points = session.breakpoints
    stops: dict[int, Breakpoint] = {}
    for point in sorted(points, key=lambda each: (each.kind == "line", each.enabled)):
        stops |= dict.fromkeys(session.lines_of(point), point)
    output = tuple(output_lines(session))
    return ViewModel(snapshot, selected, values, points, session.grid, watches, stops, output)


def _results(session: Session) -> tuple[ValueView, ...]:
    function = session.module.functions[session.entry]
    types = function.type.results
    labels = result_labels(function.operation, len(types))
    return tuple(
        ValueView(f"{RESULT}{number}", type_, 0, is_argument=False, is_held=True, label=label)
        for number, (type_, label) in enumerate(zip(types, labels))
    )[::-1]


def changed_names(before: ViewModel | None, now: ViewModel) -> frozenset[str]:
    """Returns the names of the values that were bound on the way from one scene to the next; backwards, of
    those that were bound last.
    """
    step = now.snapshot.last_step
    if before is None or now.snapshot.position < before.snapshot.position:
        return frozenset(step.bound) if step else frozenset()
    same = 0
    for old, new in zip(before.snapshot.frames, now.snapshot.frames):
        if (old.function, old.region, old.iteration) != (new.function, new.region, new.iteration):
            break
        same += 1
    known = {(view.depth, view.name) for view in before.values if view.depth <= same}
    return frozenset(view.name for view in now.values if (view.depth, view.name) not in known)


def find_values(session: Session, pattern: str) -> tuple[ValueView, ...]:
    """Returns the last values in scope, or results, that a text finds (see `found_values`)."""
    is_done = session.snapshot.status == "done"
    views = _results(session) if is_done else session.values(session.selected_frame)
    return found_values(views, pattern, partial(_summary, session))[-MOST_VALUES:]


class LineStates(Struct, frozen=True):
    """Lines of the source, from 1: on which an operation begins that was executed, and one that is unused."""

    executed: frozenset[int]
    unused: frozenset[int]


def line_states(session: Session, lines: range) -> LineStates:
    """Returns which of some lines were executed, and which hold dead code."""
    unused = (op.line for op in session.structure.unused())
    return LineStates(
        session.structure.executed_lines(lines), frozenset(line for line in unused if line in lines)
    )


class OutlineRow(Struct, frozen=True):
    """A function or scope of the outline: its depth, where it is, how much of it was executed."""

    depth: int
    name: str
    path: tuple[str, str]
    ops: int
    executed: int
    first_line: int
    last_line: int
    nonfinite: str
    is_parent: bool


def outline_rows(session: Session) -> tuple[OutlineRow, ...]:
    """Returns the functions of the program with the scopes in them; `path` is function and scope."""
    rows: list[OutlineRow] = []
    for root in session.structure.outline():
        for depth, node in root.walk():
            found = {"NaN": Nonfinite.NAN, "Inf": Nonfinite.INFINITY}
            found_text = " ".join(f"{word}!" for word, flag in found.items() if node.nonfinite & flag)
            path = (root.name, "" if node is root else node.path)
            counts = node.ops, node.executed, node.first_line, node.last_line
            rows.append(OutlineRow(depth, node.name, path, *counts, found_text, bool(node.children)))
    return tuple(rows)


def summaries_of(session: Session, names: tuple[str, ...]) -> dict[str, str]:
    """Returns a line about each value that is in memory, by name."""
    lines = ((name, _summary(session, name)) for name in names)
    return {name: line for name, line in lines if line is not None}


def _summary(session: Session, name: str) -> str | None:
    if name.startswith(RESULT):
        return summary_of(value_of(session, name))
    return session.summary(name, session.selected_frame)


def value_of(session: Session, name: str) -> Any:
    """Returns a value in scope, or a result of the finished program."""
    if name.startswith(RESULT):
        return session.results[int(name.removeprefix(RESULT))]
    return session.value(name, session.selected_frame)


def label_of(name: str) -> str:
    """Returns a value's name as it is written."""
    return name if name.startswith(RESULT) else f"%{name}"
