"""Tensors and messages as HTML that needs no style sheet, no script and no file beside it.

Texts are escaped here and nowhere else. Small tensors are tables of coloured numbers, larger ones pictures of
at most PIXELS pixels a side, pooled so that extremes survive; every picture has the numbers as
text below it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from html import escape
from itertools import islice, product
from math import prod
from typing import Any, Final

import numpy as np

from shlo.debugger.tensors.colormap import (
    NAN,
    NEGATIVE_INFINITY,
    PALETTES,
    POSITIVE_INFINITY,
    Scale,
    heat,
    scale_of,
)
from shlo.debugger.tensors.pooling import Pooled, pool
from shlo.debugger.tensors.slices import Plane
from shlo.debugger.tensors.statistics import Statistics, statistics_of
from shlo.ir.dtypes import Array
from shlo.runner.display import array_text, as_array
from shlo.text.escape import escaped
from shlo.text.numbers import number_text
from shlo.text.statistics import statistics_line
from shlo_kernel.mime.png import data_uri

TABLE_SIDE: Final = 12
"""A plane of at most this many rows and columns is a table of numbers."""
PIXELS: Final = 192
"""How many rows and columns of a plane a picture has at most."""
PLANES_AT_MOST: Final = 6
"""How many planes of a tensor of more than two axes are shown."""
PARTS_AT_MOST: Final = 16
"""How many parts of a tuple are shown."""
WIDEST_PICTURE: Final = 384
"""How many points of the screen a picture is wide or high at most, unless it has more elements."""

MARK_COLORS: Final = {NAN: (213, 0, 200), POSITIVE_INFINITY: (0, 158, 115), NEGATIVE_INFINITY: (0, 0, 0)}
"""The colours of what is no number, which no palette has."""
_MARK_NAMES: Final = {NAN: "NaN", POSITIVE_INFINITY: "+Inf", NEGATIVE_INFINITY: "-Inf"}


def value_html(title: str, value: Any) -> str:
    """A value under its title: statistics, heat map, numbers."""
    head = f'<div style="font-family:monospace;font-weight:bold">{escape(title)}</div>'
    if isinstance(value, tuple):
        parts = (value_html(f"[{number}]", part) for number, part in enumerate(value[:PARTS_AT_MOST]))
        return f'<div>{head}<div style="margin-left:1.5em">{"".join(parts)}</div></div>'
    array = as_array(value)
    return f"<div>{head}{'' if array is None else _tensor(array)}</div>"


def lines_html(body: str) -> str:
    """Lines of text that are markup already; many of them in a box to scroll."""
    style = "margin:2px 0;max-height:18em;overflow:auto;font-family:monospace;line-height:1.3"
    return f'<pre style="{style}">{body}</pre>'


def _tensor(array: Array) -> str:
    statistics = statistics_of(array)
    assert statistics is not None
    numbers = lines_html(escape(escaped(array_text(array))))
    if array.size <= 1:
        return numbers
    words = escape(statistics_line(statistics))
    parts = [f'<div style="opacity:.75;font-size:90%">{words}</div>']
    planes = list(islice(_planes(Plane.of(array.shape)), PLANES_AT_MOST))
    widest = WIDEST_PICTURE if len(planes) == 1 else WIDEST_PICTURE // 2
    parts += [figure_html(array, plane, statistics, widest) for plane in planes]
    total = prod(array.shape[axis] for axis in planes[0].standing)
    if total > len(planes):
        parts.append(f'<span style="opacity:.75">and {total - len(planes):,} more planes</span>')
    parts.append(f"<div>{legend_html(statistics)}</div>")
    return "".join(parts) + (numbers if any(not _is_small(plane) for plane in planes) else "")


def _planes(plane: Plane) -> Iterator[Plane]:
    """The cuts through all places of the axes that are not shown."""
    for places in product(*(range(plane.shape[axis]) for axis in plane.standing)):
        index = list(plane.index)
        for axis, place in zip(plane.standing, places):
            index[axis] = place
        yield replace(plane, index=tuple(index))


def _is_small(plane: Plane) -> bool:
    return max(plane.size) <= TABLE_SIDE


def figure_html(array: Array, plane: Plane, statistics: Statistics, widest: int = WIDEST_PICTURE) -> str:
    """One plane of a tensor with its label: a box that stands beside others. A picture's smaller elements are
    drawn larger, up to `widest` points of the screen a side."""
    label = f"<div>{escape(plane.label)}</div>" if plane.standing else ""
    table = plane.arranged(np.atleast_1d(array[plane.index_of()]))
    picture = _table(table, statistics) if _is_small(plane) else _picture(table, statistics, widest)
    box = "display:inline-block;vertical-align:top;margin:4px 8px 4px 0;font-family:monospace;font-size:85%"
    return f'<div style="{box}">{label}{picture}</div>'


def _table(table: Array, statistics: Statistics) -> str:
    colors = _colors(pool(table, TABLE_SIDE, TABLE_SIDE, statistics), scale_of(statistics))
    rows = (
        "<tr>" + "".join(_cell(value, color) for value, color in zip(*row)) + "</tr>"
        for row in zip(table, colors.tolist())
    )
    return f'<table style="border-collapse:collapse;margin:0">{"".join(rows)}</table>'


def _cell(value: Any, color: tuple[int, int, int]) -> str:
    red, green, blue = color
    ink = "#000" if 299 * red + 587 * green + 114 * blue > 140_000 else "#fff"
    style = f"background:rgb({red},{green},{blue});color:{ink};padding:1px 5px;text-align:right"
    return f'<td style="{style}">{escape(number_text(value))}</td>'


def _picture(table: Array, statistics: Statistics, widest: int) -> str:
    """A plane as an image, a large one pooled."""
    pooled = pool(table, PIXELS, PIXELS, statistics)
    rows, columns = pooled.marks.shape
    down, across = -(-table.shape[0] // rows), -(-table.shape[1] // columns)
    zoom = max(1, min(12, widest // max(rows, columns)))
    width, height = columns * zoom, rows * max(zoom, 12 if rows == 1 else 1)
    words = f"<div>a point shows the most extreme of {down} by {across} elements</div>"
    note = words if down * across > 1 else ""
    style = f"width:{width}px;height:{height}px;max-width:none;image-rendering:pixelated;display:block"
    text = f"heat map of {table.shape[0]} by {table.shape[1]} elements"
    uri = data_uri(_colors(pooled, scale_of(statistics)))
    return f'<img alt="{text}" src="{uri}" style="{style}">{note}'


def _colors(cells: Pooled, scale: Scale) -> Array:
    """The colour of each cell: rows, columns, and three bytes."""
    colors = np.array(PALETTES[scale.palette], np.uint8)[heat(cells.numbers, scale)]
    for mark, color in MARK_COLORS.items():
        colors[cells.marks == mark] = color
    return colors


def legend_html(statistics: Statistics) -> str:
    """The scale from its lowest to its highest colour, and the marks that the tensor has."""
    scale = scale_of(statistics)
    steps = PALETTES[scale.palette][::51]
    gradient = ",".join(f"rgb{color}" for color in steps)
    bar = f"display:inline-block;width:96px;height:9px;background:linear-gradient(90deg,{gradient})"
    ends = (escape(number_text(end)) for end in (scale.low, scale.high))
    shown = f'<span style="{bar}"></span>'.join(f"<span> {end} </span>" for end in ends)
    counts = {
        NAN: statistics.nans,
        POSITIVE_INFINITY: statistics.positive_infinities,
        NEGATIVE_INFINITY: statistics.negative_infinities,
    }
    found = "".join(_mark(mark) for mark, count in counts.items() if count)
    return f'<span style="font-family:monospace;font-size:85%">{shown}{found}</span>'


def _mark(mark: int) -> str:
    square = f"display:inline-block;width:9px;height:9px;background:rgb{MARK_COLORS[mark]}"
    return f' <span style="{square}"></span> {_MARK_NAMES[mark]}'
