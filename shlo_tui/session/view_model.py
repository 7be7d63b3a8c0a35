"""What the screen shows of a session, as immutable data made by the thread that owns it."""

from __future__ import annotations

from msgspec import Struct, field

from shlo.debugger import Breakpoint, FrameView, Session, Snapshot, ValueView
from shlo.debugger.inspect.snapshots import GridView
from shlo.debugger.replay.nonfinite import Nonfinite
from shlo.debugger.text.card import nonfinite_card
from shlo.debugger.text.format import watch_text
from shlo.debugger.text.format_output import output_lines
from shlo.debugger.views.source import SourceView, source_view
from shlo.debugger.views.values import MOST_VALUES, listed_values
from shlo.places.card import Card


class ViewModel(Struct, frozen=True):
    """Where a session is, the frame that is looked at, the last values in scope there, and breakpoints; in a
    grid, all processes: the rest is about the selected one. `watches` are lines about what is displayed,
    `source` is where the session is in the text, `output` what was printed, `card` what happened where the
    last step made a NaN or infinity.
    """

    snapshot: Snapshot
    selected: int
    values: tuple[ValueView, ...]
    breakpoints: tuple[Breakpoint, ...]
    grid: GridView | None = None
    watches: tuple[str, ...] = ()
    source: SourceView = field(default_factory=SourceView)
    output: tuple[str, ...] = ()
    card: Card | None = None

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
    values = listed_values(session, MOST_VALUES)
    watches = tuple(watch_text(session, watch, selected) for watch in session.watches)
    points = tuple(session.breakpoints)
    output = tuple(output_lines(session))
    card = nonfinite_card(session) if snapshot.is_behind else None
    source = source_view(session)
    return ViewModel(snapshot, selected, values, points, session.grid, watches, source, output, card)


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
    before_names = {(view.depth, view.name) for view in before.values if view.depth <= same}
    return frozenset(view.name for view in now.values if (view.depth, view.name) not in before_names)


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
            flags = {"NaN": Nonfinite.NAN, "Inf": Nonfinite.INFINITY}
            found_text = " ".join(f"{word}!" for word, flag in flags.items() if node.nonfinite & flag)
            path = (root.name, "" if node is root else node.path)
            counts = node.ops, node.executed, node.first_line, node.last_line
            rows.append(OutlineRow(depth, node.name, path, *counts, found_text, bool(node.children)))
    return tuple(rows)
