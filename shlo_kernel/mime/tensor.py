"""Tensors and messages as HTML that needs no style sheet, no script and no file beside it.

Texts are escaped here and nowhere else. Small tensors are tables of coloured numbers, larger ones pictures of
at most PIXELS pixels a side, in which an element stands for its neighbours; every picture has the numbers as
text below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from itertools import islice, product
from math import prod
from typing import Any, Final

import numpy as np

from shlo.debugger.inspect.colormap import (
    NAN,
    NEGATIVE_INFINITY,
    PALETTES,
    POSITIVE_INFINITY,
    Scale,
    heat,
    marks,
    scale_of,
)
from shlo.debugger.inspect.slices import Plane
from shlo.debugger.inspect.statistics import Statistics, statistics_of
from shlo.ir.dtypes import Array
from shlo.language.hover.hover import bytes_text
from shlo.runner.display import array_text, as_array
from shlo.text.escape import escaped
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

_STYLES: Final = {
    "1": "font-weight:bold",
    "1;31": "color:#d1242f;font-weight:bold",
    "1;33": "color:#b7791f;font-weight:bold",
    "1;32": "color:#1a7f37;font-weight:bold",
    "1;36": "color:#0a7ea4;font-weight:bold",
    "2": "opacity:.6",
}
"""What the colours of the command's messages look like on a page."""
_ESCAPE: Final = re.compile("\x1b\\[([0-9;]+)m")


def value_html(title: str, value: Any) -> str:
    """A value under its title: statistics, heat map, numbers."""
    head = f'<div style="font-family:monospace;font-weight:bold">{escape(title)}</div>'
    if isinstance(value, tuple):
        parts = (value_html(f"[{number}]", part) for number, part in enumerate(value[:PARTS_AT_MOST]))
        return f'<div>{head}<div style="margin-left:1.5em">{"".join(parts)}</div></div>'
    array = as_array(value)
    return f"<div>{head}{'' if array is None else _tensor(array)}</div>"


def statistics_words(statistics: Statistics) -> list[str]:
    """A tensor's size and range, and how many elements are no finite numbers."""
    count = f"{statistics.size:,} element{'' if statistics.size == 1 else 's'}"
    words = [count, bytes_text(statistics.bytes)]
    if statistics.low is not None and statistics.high is not None and statistics.mean is not None:
        words.append(f"min {statistics.low:.6g}, max {statistics.high:.6g}, mean {statistics.mean:.6g}")
    counts = {
        "NaN": statistics.nans,
        "+Inf": statistics.positive_infinities,
        "-Inf": statistics.negative_infinities,
        "zero": statistics.zeros,
    }
    return words + [f"{number:,} {word}" for word, number in counts.items() if number]


def terminal_html(text: str) -> str:
    """Messages in the command's own colours as a page shows them."""
    body = _ESCAPE.sub(lambda code: _span(code[1]), escape(text))
    return _lines(body)


def _lines(body: str) -> str:
    """Lines of text that are markup already; many of them in a box to scroll."""
    style = "margin:2px 0;max-height:18em;overflow:auto;font-family:monospace;line-height:1.3"
    return f'<pre style="{style}">{body}</pre>'


def _span(code: str) -> str:
    return "</span>" if code == "0" else f'<span style="{_STYLES.get(code, "")}">'


def _tensor(array: Array) -> str:
    statistics = statistics_of(array)
    assert statistics is not None
    numbers = _lines(escape(escaped(array_text(array))))
    if array.size <= 1:
        return numbers
    words = escape(", ".join(statistics_words(statistics)))
    parts = [f'<div style="opacity:.75;font-size:90%">{words}</div>']
    scale = scale_of(statistics)
    planes = list(islice(_planes(Plane.of(array.shape)), PLANES_AT_MOST))
    widest = WIDEST_PICTURE if len(planes) == 1 else WIDEST_PICTURE // 2
    parts += [figure_html(array, plane, scale, widest) for plane in planes]
    total = prod(array.shape[axis] for axis in planes[0].standing)
    if total > len(planes):
        parts.append(f'<span style="opacity:.75">and {total - len(planes):,} more planes</span>')
    parts.append(f"<div>{legend_html(scale, statistics)}</div>")
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


def figure_html(array: Array, plane: Plane, scale: Scale, widest: int = WIDEST_PICTURE) -> str:
    """One plane of a tensor with its label: a box that stands beside others. A picture's smaller elements are
    drawn larger, up to `widest` points of the screen a side."""
    label = f"<div>{escape(plane.label)}</div>" if plane.standing else ""
    picture = _table(array, plane, scale) if _is_small(plane) else _picture(array, plane, scale, widest)
    box = "display:inline-block;vertical-align:top;margin:4px 8px 4px 0;font-family:monospace;font-size:85%"
    return f'<div style="{box}">{label}{picture}</div>'


def _table(array: Array, plane: Plane, scale: Scale) -> str:
    part = plane.arranged(np.atleast_1d(array[plane.index_of()]))
    colors = _colors(part, scale)
    rows = (
        "<tr>" + "".join(_cell(value, color) for value, color in zip(*row)) + "</tr>"
        for row in zip(part, colors.tolist())
    )
    return f'<table style="border-collapse:collapse;margin:0">{"".join(rows)}</table>'


def _cell(value: Any, color: tuple[int, int, int]) -> str:
    red, green, blue = color
    ink = "#000" if 299 * red + 587 * green + 114 * blue > 140_000 else "#fff"
    style = f"background:rgb({red},{green},{blue});color:{ink};padding:1px 5px;text-align:right"
    return f'<td style="{style}">{escape(number_text(value))}</td>'


def number_text(value: Any) -> str:
    """One element in few characters."""
    kind = np.asarray(value).dtype.kind
    if kind == "b":
        return "true" if value else "false"
    if kind in "iu":
        return str(int(value))
    return f"{complex(value):.3g}" if kind == "c" else f"{float(value):.4g}"


def _picture(array: Array, plane: Plane, scale: Scale, widest: int) -> str:
    """A plane as an image; of a large one, every n-th row and column."""
    rows, columns = plane.size
    down, across = -(-rows // PIXELS), -(-columns // PIXELS)
    part = plane.arranged(array[plane.index_of(slice(None, None, down), slice(None, None, across))])
    zoom = max(1, min(12, widest // max(part.shape)))
    width, height = part.shape[1] * zoom, part.shape[0] * max(zoom, 12 if part.shape[0] == 1 else 1)
    note = f"<div>1 of {down} rows, 1 of {across} columns</div>" if down * across > 1 else ""
    style = f"width:{width}px;height:{height}px;max-width:none;image-rendering:pixelated;display:block"
    text = f"heat map of {rows} by {columns} elements"
    return f'<img alt="{text}" src="{data_uri(_colors(part, scale))}" style="{style}">{note}'


def _colors(part: Array, scale: Scale) -> Array:
    """The colour of each element: rows, columns, and three bytes."""
    palette = np.array(PALETTES[scale.palette], np.uint8)
    colors = palette[heat(part, scale)]
    found = marks(part)
    for mark, color in MARK_COLORS.items():
        colors[found == mark] = color
    return colors


def legend_html(scale: Scale, statistics: Statistics) -> str:
    """The scale from its lowest to its highest colour, and the marks that the tensor has."""
    steps = PALETTES[scale.palette][::51]
    gradient = ",".join(f"rgb{color}" for color in steps)
    bar = f"display:inline-block;width:96px;height:9px;background:linear-gradient(90deg,{gradient})"
    ends = (escape(f"{end:.4g}") for end in (scale.low, scale.high))
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
