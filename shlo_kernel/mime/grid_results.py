"""What the processes of a grid gave, side by side: equal values are shown once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from markupsafe import Markup

from shlo.debugger.tensors.statistics import tensor_of
from shlo.debugger.tensors.summaries import WRITTEN_OUT, summary_of
from shlo.interpreter.spmd.wait_for_graph import names_of
from shlo.interpreter.topology.groups import GridShape
from shlo.runner.equality import equal_groups
from shlo.text.escape import escaped
from shlo_kernel.mime.bundle import HTML, TEXT, Bundle, Value, text_of, title
from shlo_kernel.mime.grid_picture import row_width
from shlo_kernel.mime.markup import render
from shlo_kernel.mime.tensor import value_html

CELLS_AT_MOST: Final = 256
"""Up to how many processes there is a table with a cell for each."""
GROUPS_AT_MOST: Final = 6
"""How many different values are shown in full."""
OPEN: Final = 2
"""How many of these are not folded."""
LINES_AT_MOST: Final = 64
"""How many different values have a line of text each, where that tells all of them."""
LONGEST_SUMMARY: Final = 60

_FILLS: Final = ("#dbeafe", "#fde7c7", "#d9f2e3", "#f3dcee", "#eceff1", "#fff7b0", "#ffd9cf", "#d3eef2")
"""The colours of cells with the same value, light enough for black letters."""

Group = list[int]
"""Processes that have the same value, bit by bit."""


def mime_of_results(name: str, shape: GridShape, values: Mapping[int, Value]) -> Bundle:
    """Returns the results of one name in all processes that have it, by process."""
    groups = equal_groups((process, value.type, value.array) for process, value in values.items())
    heading = escaped(_heading(name, shape, values, groups))
    return {
        TEXT: _text(heading, name, shape, values, groups),
        HTML: _html(heading, name, shape, values, groups),
    }


def _heading(name: str, shape: GridShape, values: Mapping[int, Value], groups: list[Group]) -> str:
    types = dict.fromkeys(str(value.type) for value in values.values())
    of = f"%{name} : {next(iter(types))}" if len(types) == 1 else f"%{name} of {len(types)} types"
    where = "in 1 process" if len(values) == 1 else f"in {len(values):,} processes"
    if len(values) < shape.size:
        where += f" of {shape.size:,}"
    if len(values) > 1:
        where += ", the same in all" if len(groups) == 1 else f", {len(groups):,} different values"
    return f"{of} {where}"


def _text(heading: str, name: str, shape: GridShape, values: Mapping[int, Value], groups: list[Group]) -> str:
    if _are_told_by_cells(values, groups):
        rows = (f"{names_of(shape, group)}: {_summary(values[group[0]])}" for group in groups[:LINES_AT_MOST])
        return escaped("\n".join([heading, *rows, *_more(name, groups, LINES_AT_MOST)]))
    if len(groups) == 1:
        return "\n".join([heading, *text_of("", *values[groups[0][0]]).split("\n")[1:]])
    lines = [heading]
    for group in groups[:GROUPS_AT_MOST]:
        lines.append(f"{names_of(shape, group)}: {text_of(f'{name}#{group[0]}', *values[group[0]])}")
    return "\n".join([*lines, *_more(name, groups, GROUPS_AT_MOST)])


def _html(
    heading: str, name: str, shape: GridShape, values: Mapping[int, Value], groups: list[Group]
) -> Markup:
    if len(groups) == 1:
        body = [("", value_html(heading, values[groups[0][0]].array), True)]
        return render("results", heading="", rows=[], values=body, more=[])
    has_cells = shape.size <= CELLS_AT_MOST
    is_in_full = not has_cells or not _are_told_by_cells(values, groups)
    shown = groups[:GROUPS_AT_MOST] if is_in_full else []
    return render(
        "results",
        heading=heading,
        rows=list(_rows(shape, values, groups)) if has_cells else [],
        values=[_value(name, shape, values, group, at < OPEN) for at, group in enumerate(shown)],
        more=list(_more(name, groups, GROUPS_AT_MOST)) if is_in_full else [],
    )


def _value(
    name: str, shape: GridShape, values: Mapping[int, Value], group: Group, is_open: bool
) -> tuple[str, Markup, bool]:
    """Returns the names of the processes that have a value, the value in full, and whether it is unfolded."""
    value = values[group[0]]
    body = value_html(title(f"{name}#{group[0]}", value.type), value.array)
    return names_of(shape, group), body, is_open


def _are_told_by_cells(values: Mapping[int, Value], groups: list[Group]) -> bool:
    """Returns whether values differ, and summaries tell all of each."""
    return len(groups) > 1 and all(_is_written_out(values[group[0]]) for group in groups)


def _is_written_out(value: Value) -> bool:
    """Returns whether a summary tells all of a value."""
    array = tensor_of(value.array)
    return array is not None and array.size <= WRITTEN_OUT


def _more(name: str, groups: list[Group], most: int) -> Iterator[str]:
    rest = len(groups) - most
    if rest > 0:
        yield f"and {rest:,} more different values, such as %{name}#{groups[most][0]}"


def _rows(
    shape: GridShape, values: Mapping[int, Value], groups: list[Group]
) -> Iterator[list[tuple[str, str, str]]]:
    """Yields rows of cells, one for each process: its label, its value in a few words, the value's fill."""
    fills = {process: _FILLS[at % len(_FILLS)] for at, group in enumerate(groups) for process in group}
    texts = {process: _summary(values[group[0]]) for group in groups for process in group}
    cells = [
        (shape.label(process), texts.get(process, "no result"), fills.get(process, "transparent"))
        for process in range(shape.size)
    ]
    width = row_width(shape)
    return (cells[at : at + width] for at in range(0, shape.size, width))


def _summary(value: Value) -> str:
    text = summary_of(value.array)
    return text if len(text) <= LONGEST_SUMMARY else f"{text[:LONGEST_SUMMARY]} ..."
