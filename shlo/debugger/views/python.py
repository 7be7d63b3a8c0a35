"""The Python file that an operation comes from: where a session is in it, and the values of its names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from shlo.debugger.inspect.areas import PythonLineArea, is_file
from shlo.debugger.replay.program_points import origin_at, value_name
from shlo.debugger.session import Session
from shlo.debugger.text.format import LONGEST_LINE, name_text
from shlo.debugger.views.values import summaries_of
from shlo.places.origins import Origin, SourceLine, through_calls
from shlo.text.numbers import plural

MOST_NAMES: Final = 8
"""How many values of one line are shown."""


class PythonValue(Struct, frozen=True):
    """A value in scope that a line of Python gave a name: the name, that of the value in the program, and how
    many values in scope got the same name on that line before.
    """

    name: str
    value: str
    earlier: int = 0


class PythonView(Struct, frozen=True):
    """A Python file: its lines; the numbers, from 1, of the one that the operation comes from (0: it is
    in another file), of those that called it, and of those with breakpoints, with the numbers of those; the
    values in scope that each line gave a name.
    """

    file: str
    lines: tuple[str, ...]
    current: int
    callers: frozenset[int]
    stops: Mapping[int, int]
    values: Mapping[int, tuple[PythonValue, ...]]

    def row(self, number: int) -> str:
        """Returns a line with its number, after `->` where it is the current one, `=>` where it led there,
        `*` where it has a breakpoint.
        """
        mark = "->" if number == self.current else "=>" if number in self.callers else "  "
        return f"{mark}{'*' if number in self.stops else ' '}{number:5} {self.text(number)}".rstrip()

    def text(self, number: int) -> str:
        """Returns the text of a line, cut where it is much too long."""
        return self.lines[number - 1][:LONGEST_LINE].expandtabs(4)


def python_view(session: Session, file: str | None = None) -> PythonView | None:
    """Returns a Python file, or that of the selected frame's operation (of a program that is done, of the
    last one that ran); None where it cannot be read.
    """
    origin = current_origin(session)
    source_line = origin.line
    file = file or (source_line.file if source_line else "")
    lines = session.structure.python.lines(file)
    if lines is None:
        return None
    areas = ((point.number, point.area) for point in session.breakpoints)
    return PythonView(
        file,
        lines,
        source_line.line if source_line and source_line.file == file else 0,
        frozenset(at.line for at in origin.lines if at.file == file),
        {
            area.line: number
            for number, area in areas
            if isinstance(area, PythonLineArea) and is_file(file, area.file)
        },
        _values(session, file, origin),
    )


def current_origin(session: Session) -> Origin:
    """Returns the origin of the selected frame's operation; for the one that ends a block, which JAX says to
    come from where the program was made, that of the operation before it.
    """
    views, selected = session.snapshot.frames, session.selected_frame
    if not views:
        code = session.run.listing.program.function(session.run.entry).code
        return origin_at(code, max(len(code.instructions) - 2, 0))
    *callers, view = views[: selected + 1]
    code = session.cursor.process.frames[selected].code
    last = len(code.instructions) - 1
    if not last or view.operation is not code.instructions[last].operation:
        return view.origin
    return through_calls(origin_at(code, last - 1), [caller.origin for caller in reversed(callers)])


def _values(session: Session, file: str, origin: Origin) -> dict[int, tuple[PythonValue, ...]]:
    """Returns the values that lines of a file gave names. Of a function that is being traced where the
    operation comes from, those of that call of it; of another one, those of all calls.
    """
    calls: dict[str, set[tuple[SourceLine, ...]]] = {}
    for number, line in enumerate(origin.lines):
        if line.file == file:
            calls.setdefault(line.function, set()).add(origin.lines[number + 1 :])
    bound_at: dict[int, dict[str, list[str]]] = {}
    for name, bound in session.inspector.python_values(session.selected_frame, file):
        assert name.line is not None
        if name.calls in calls.get(name.line.function, {name.calls}):
            names = bound_at.setdefault(name.line.line, {})
            names.setdefault(name.name, []).append(value_name(bound.code, bound.register))
    return {
        line: tuple(PythonValue(name, values[-1], len(values) - 1) for name, values in names.items())
        for line, names in bound_at.items()
    }


def python_notes(session: Session, view: PythonView, lines: Iterable[int]) -> dict[int, str]:
    """Returns what to show beside some lines of a file: the values of the names that they assign, as far as
    those are in memory, the last one of several.
    """
    shown = {line: view.values[line][:MOST_NAMES] for line in lines if line in view.values}
    summaries = summaries_of(session, {value.value for values in shown.values() for value in values})
    notes = {
        line: ", ".join(_note(value, summaries[value.value]) for value in values if value.value in summaries)
        for line, values in shown.items()
    }
    return {line: note for line, note in notes.items() if note}


def _note(value: PythonValue, summary: str) -> str:
    which = f" (last of {value.earlier + 1})" if value.earlier else ""
    return f"{value.name}{which} = {summary}"


def python_text(session: Session, file: str, middle: int, around: int) -> str:
    """Returns the lines of a Python file around one (see `PythonView`)."""
    view = python_view(session, file)
    if view is None:
        return f"{name_text(file)}:{middle}\nits text is not found; --source-root DIR says where to look"
    shown = range(max(middle - around, 1), min(middle + around, len(view.lines)) + 1)
    rows = [view.row(number) for number in shown] or [f"it has {plural(len(view.lines), 'line')}"]
    return "\n".join([name_text(file), *rows])
