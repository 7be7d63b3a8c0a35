"""Where a session is in the text of its program, and what its lines are marked with."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from shlo.debugger.control.breakpoints import Breakpoint
from shlo.debugger.session import Session


class SourceView(Struct, frozen=True):
    """Lines of the source, from 1; None where nothing tells.

    Args:
        current: that of the selected frame's operation; of a program that is done, that of the last one
            that ran.
        open_lines: those of the operations of all open frames, the outermost first; none of a program that
            is done.
        breakpoints: the breakpoint that each line shows: one on the line itself before others, one that is
            on before those that are off.
    """

    current: int | None = None
    open_lines: tuple[int | None, ...] = ()
    breakpoints: Mapping[int, Breakpoint] = field(default_factory=dict[int, Breakpoint])


def source_view(session: Session) -> SourceView:
    """Returns what a pane of the source shows of a session."""
    snapshot = session.snapshot
    lines = tuple(frame.line for frame in snapshot.frames)
    step = snapshot.last_step
    current = lines[session.selected_frame] if lines else step.line if step else None
    breakpoints: dict[int, Breakpoint] = {}
    for point in sorted(session.breakpoints, key=lambda point: (point.kind == "line", point.enabled)):
        breakpoints |= dict.fromkeys(session.breakpoints.lines_of(point), point)
    return SourceView(current, lines, breakpoints)
