"""Where a session is in the text of its program, and what its lines are marked with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct, field

from shlo.debugger.control.breakpoints import Breakpoint
from shlo.debugger.session import Session
from shlo.ir.source import JoinedSource, Source
from shlo.places.place import short_line_text
from shlo.text.escape import escaped
from shlo.text.shortening import clipped

WIDEST: Final = 240
"""How many characters of a line are shown."""

_LOCATION: Final = re.compile(r" loc\((?:#\w+|unknown)\)")


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


def source_data(session: Session, source: Source, keys: Mapping[str, str]) -> dict[str, Any]:
    """Returns what the view reads (`SourceData` of web/src/source_model.ts)."""
    numbers = range(1, len(source.line_starts) + 1)
    labels = [escaped(source.line_label(line)) for line in numbers]
    origins = {op.line: short_line_text(op.origin.line) for op in reversed(session.structure.index.ops)}
    return {
        "lines": [escaped(source_line(source, line)) for line in numbers],
        "labels": labels if isinstance(source, JoinedSource) else None,
        "origins": [origins.get(line, "") for line in numbers] if any(origins.values()) else None,
        "keys": dict(keys),
    }


def marked_lines(view: SourceView) -> set[int]:
    """Returns the lines that have a breakpoint of their own which is on."""
    return {line for line, point in view.breakpoints.items() if point.kind == "line" and point.enabled}


def source_line(source: Source, line: int) -> str:
    """Returns a line without locations, cut where it is too long."""
    text = _LOCATION.sub("", source.line_text(line)[: 4 * WIDEST])
    return clipped(text, WIDEST, " ...")
