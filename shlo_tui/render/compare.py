"""A value of one name in all processes, side by side: read by the thread that owns the session, and shown as
lines.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

import numpy as np
from msgspec import Struct, field

from shlo.debugger.inspect.compare import Brought, compare
from shlo.debugger.inspect.snapshots import Comparison, ProcessView, ValueGroup
from shlo.debugger.session import Session
from shlo.debugger.tensors.summaries import Summaries
from shlo.debugger.views.values import RESULT, label_of, value_of
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.dtypes import Array
from shlo.runner.statistics import tensor_of
from shlo.text.escape import sanitized
from shlo.text.numbers import exact_number_text
from shlo_tui.render.device_grid import PAIR, SINGLE, CellTable, in_a_line, label_width
from shlo_tui.render.processes import few_names
from shlo_tui.render.status_text import Spans, fit

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Names of groups of equal values; groups beyond the last letter share OTHER."""

OTHER: Final = "#"
ABSENT: Final = "·"

MOST_COLUMNS: Final = 8
"""Groups whose elements are side by side, where there is room for as many."""

MOST_PLACES: Final = 12
"""Elements that are shown of those that differ."""

MOST_GROUPS: Final = 12
"""Groups that are listed."""

TALL_MAP: Final = 8
"""Lines from which on the letters of the map are close together."""


class Compared(Struct, frozen=True):
    """A comparison, and elements that differ: as text, those at some `places`, for some of the groups."""

    comparison: Comparison
    places: tuple[tuple[int, ...], ...] = ()
    columns: Mapping[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])


def compare_value(session: Session, name: str) -> Compared:
    """What there is to show of a value in all processes, or of a result of those that are done; raises
    DebuggerError where no process has one.
    """
    with _selection_kept(session):
        comparison = _comparison(session, name)
        if comparison.reference is None or comparison.is_same:
            return Compared(comparison)
        groups = sorted({comparison.reference, *range(min(MOST_COLUMNS, len(comparison.groups)))})
        indices = {index for group in groups for index in comparison.groups[group].places}
        places = tuple(sorted(indices)[:MOST_PLACES])
        if not places:
            return Compared(comparison)
        columns: dict[int, tuple[str, ...]] = {}
        for group in groups:
            session.select_process(comparison.groups[group].processes[0])
            array = tensor_of(value_of(session, name))
            columns[group] = tuple(_element(array, index) for index in places)
    return Compared(comparison, places, columns)


@contextmanager
def _selection_kept(session: Session) -> Generator[None]:
    """Has the session look at the same process and frame afterwards."""
    process, frame = session.cursor.selected, session.selected_frame
    try:
        yield
    finally:
        session.select_process(process)
        if frame >= 0:
            session.select_frame(frame)


def _comparison(session: Session, name: str) -> Comparison:
    if not name.startswith(RESULT):
        return session.inspector.compare(name)
    processes = session.grid.processes if session.grid else ()
    results = [_result(session, process, int(name.removeprefix(RESULT))) for process in processes]
    return compare(name, results, Summaries())


def _result(session: Session, process: ProcessView, index: int) -> Brought:
    if process.status != "done":
        return Brought(process.number, absent="not done yet")
    session.select_process(process.number)
    types = session.module.functions[session.run.entry].type.results
    if index >= len(types):
        return Brought(process.number, absent="without such a result")
    return Brought(process.number, types[index], session.position, session.results[index])


def _element(array: Array | None, index: tuple[int, ...]) -> str:
    if array is None or len(index) != array.ndim or not all(np.less(index, array.shape)):
        return ABSENT
    return exact_number_text(array[index])


# --- lines ---


def comparison_lines(shape: GridShape, compared: Compared, width: int) -> list[Spans]:
    """Returns the lines of a sheet, of at most `width` cells: which process has which value, what the values
    are, where they differ.
    """
    comparison = compared.comparison
    parts = (
        [_headline(shape, comparison)],
        _map(shape, comparison, width),
        _groups(shape, comparison, width),
        _table(compared, width),
        _absent(shape, comparison),
    )
    lines: list[Spans] = []
    for part in map(list, parts):
        lines += [[], *part] if part and lines else part
    return lines


def _headline(shape: GridShape, comparison: Comparison) -> Spans:
    holders = sum(len(group.processes) for group in comparison.groups)
    name = (f"{sanitized(label_of(comparison.name))}  ", "name")
    if not comparison.groups:
        return [name, ("no process has it here", "text")]
    if comparison.is_same:
        return [name, (f"the same in all {holders:,} processes that have it", "changed")]
    return [name, (f"{len(comparison.groups):,} different values in {holders:,} processes", "alarm")]


def _map(shape: GridShape, comparison: Comparison, width: int) -> Iterator[Spans]:
    """Yields the grid, with the letter of its value for each process."""
    label = label_width(shape)
    if shape.axes[-1][1] * PAIR <= width - label:
        label = label_width(shape, is_whole=True)
    tables = [
        CellTable(shape, in_a_line((width - label) // cell, shape), cell, label) for cell in (PAIR, SINGLE)
    ]
    table = tables[0] if tables[0].count <= TALL_MAP else tables[1]
    for line in range(table.count):
        there = table.processes(line)
        words: Spans = [(f" {table.label_of(line)}".ljust(label), "dim")]
        for number in there:
            group = comparison.values[number].group
            words += [(_letter(group), _style(group, comparison)), (" " * (table.cell - 1), "text")]
        yield words


def _letter(group: int | None) -> str:
    if group is None:
        return ABSENT
    return LETTERS[group] if group < len(LETTERS) else OTHER


def _style(group: int | None, comparison: Comparison) -> str:
    if group is None:
        return "dim"
    return "text" if group == comparison.reference else "element"


def _groups(shape: GridShape, comparison: Comparison, width: int) -> Iterator[Spans]:
    """Yields each value with the processes that have it, and how it differs from the most frequent one."""
    for number, group in enumerate(comparison.groups[:MOST_GROUPS]):
        letter = (f"{_letter(number)} ", _style(number, comparison))
        yield [
            letter,
            (f" {few_names(shape, group.processes)}", "name"),
            _difference(number, group, comparison),
        ]
        yield [(f"   {fit(sanitized(group.summary), width - 3).rstrip()}", "text")]
    if len(comparison.groups) > MOST_GROUPS:
        yield [(f"… and {len(comparison.groups) - MOST_GROUPS:,} other values", "dim")]


def _difference(number: int, group: ValueGroup, comparison: Comparison) -> tuple[str, str]:
    if comparison.is_same:
        return "", "dim"
    if number == comparison.reference:
        return "   what the others are compared with", "dim"
    if not group.is_comparable:
        return "   of another type", "alarm"
    is_by = group.largest is not None and np.isfinite(group.largest)
    by = f", by {group.largest:.6g} at most" if is_by else ""
    return f"   {group.differing:,} element{' differs' if group.differing == 1 else 's differ'}{by}", "alarm"


def _table(compared: Compared, width: int) -> Iterator[Spans]:
    """Yields the elements that differ: a row for each place, a column for each value that there is room
    for."""
    if not compared.columns:
        return
    indices = ["[" + ", ".join(map(str, index)) + "]" for index in compared.places]
    left = max(map(len, indices)) + 2
    widths = {group: max(map(len, texts)) for group, texts in compared.columns.items()}
    groups = [
        group
        for group in widths
        if left + sum(widths[other] + 3 for other in widths if other <= group) <= width
    ]
    yield [(" " * left + "".join(f"{_letter(group):>{widths[group]}}   " for group in groups), "dim")]
    usual = compared.columns[compared.comparison.reference or 0]
    for row, index in enumerate(indices):
        texts = [(compared.columns[group][row], widths[group]) for group in groups]
        spans: Spans = [(index.ljust(left), "dim")]
        for text, column in texts:
            is_usual = text == usual[row]
            spans.append((f"{text:>{column}}{' ' if is_usual else '*'}  ", "text" if is_usual else "alarm"))
        yield spans
    if any(group.differing > len(compared.places) for group in compared.comparison.groups):
        yield [("… these are the first ones that differ", "dim")]


def _absent(shape: GridShape, comparison: Comparison) -> Iterator[Spans]:
    """Yields the processes without such a value, by the reason."""
    reasons: dict[str, list[int]] = {}
    for value in comparison.absent:
        reasons.setdefault(value.absent, []).append(value.process)
    for reason, numbers in reasons.items():
        why = (f"   {sanitized(reason)}", "dim")
        yield [(f"{ABSENT}  ", "dim"), (few_names(shape, numbers), "name"), why]
