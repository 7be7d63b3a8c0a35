"""Tensors as HTML: small ones as tables of coloured numbers, larger ones as pictures.

A picture has at most PIXELS points a side, pooled so that extremes survive, and the numbers as text below it.
"""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, product
from math import prod
from typing import Any, Final, cast

import numpy as np
from markupsafe import Markup

from shlo.debugger.tensors.colormap import (
    NAN,
    NEGATIVE_INFINITY,
    PALETTES,
    POSITIVE_INFINITY,
    Scale,
    color_levels,
    scale_of,
)
from shlo.debugger.tensors.pooling import Pooled, pool
from shlo.debugger.tensors.slices import TensorSlice
from shlo.debugger.tensors.statistics import Statistics, statistics_of
from shlo.ir.dtypes import Array
from shlo.runner.display import array_text, as_array
from shlo.text.numbers import number_text
from shlo.text.statistics import statistics_line
from shlo_kernel.mime.markup import render

TABLE_SIDE: Final = 12
"""A plane of at most this many rows and columns is a table of numbers."""
PIXELS: Final = 192
"""How many rows and columns of a plane a picture has at most."""
SLICES_AT_MOST: Final = 6
"""How many planes of a tensor of more than two axes are shown."""
PARTS_AT_MOST: Final = 16
"""How many parts of a tuple are shown."""
WIDEST_PICTURE: Final = 384
"""How many points of the screen a picture is wide or high at most, unless it has more elements."""

MARK_COLORS: Final = {NAN: (213, 0, 200), POSITIVE_INFINITY: (0, 158, 115), NEGATIVE_INFINITY: (0, 0, 0)}
"""The colours of what is no number, which no palette has."""
_MARK_NAMES: Final = {NAN: "NaN", POSITIVE_INFINITY: "+Inf", NEGATIVE_INFINITY: "-Inf"}


def value_html(title: str, value: Any) -> Markup:
    """Returns a value under its title: statistics, heat maps, numbers; of a tuple, the first of its parts."""
    if isinstance(value, tuple):
        shown = cast("tuple[Any, ...]", value)[:PARTS_AT_MOST]
        parts = [value_html(f"[{number}]", part) for number, part in enumerate(shown)]
        return render("value", title=title, parts=parts, body="")
    array = as_array(value)
    return render("value", title=title, parts=[], body="" if array is None else _tensor(array))


def _tensor(array: Array) -> Markup:
    statistics = statistics_of(array)
    assert statistics is not None
    numbers = render("lines", body=array_text(array))
    if array.size <= 1:
        return numbers
    slices = list(islice(_slices(TensorSlice.of(array.shape)), SLICES_AT_MOST))
    widest = WIDEST_PICTURE if len(slices) == 1 else WIDEST_PICTURE // 2
    return render(
        "tensor",
        statistics=statistics_line(statistics),
        figures=[figure_html(array, slice_2d, statistics, widest) for slice_2d in slices],
        more=prod(array.shape[axis] for axis in slices[0].fixed_axes) - len(slices),
        legend=legend_html(statistics),
        numbers=numbers if any(not _is_small(slice_2d) for slice_2d in slices) else "",
    )


def _slices(slice_2d: TensorSlice) -> Iterator[TensorSlice]:
    """Yields the cuts through all places of the axes that are not shown."""
    for places in product(*(range(slice_2d.shape[axis]) for axis in slice_2d.fixed_axes)):
        index = list(slice_2d.index)
        for axis, place in zip(slice_2d.fixed_axes, places):
            index[axis] = place
        yield replace(slice_2d, index=tuple(index))


def _is_small(slice_2d: TensorSlice) -> bool:
    return max(slice_2d.size) <= TABLE_SIDE


def figure_html(
    array: Array, slice_2d: TensorSlice, statistics: Statistics, widest: int = WIDEST_PICTURE
) -> Markup:
    """Returns one plane of a tensor with its label, as a box that others can be beside. A picture's smaller
    elements are drawn larger, up to `widest` points of the screen a side."""
    table = slice_2d.arranged(np.atleast_1d(array[slice_2d.index_of()]))
    drawn = _cells(table, statistics) if _is_small(slice_2d) else _picture(table, statistics, widest)
    return render("figure", label=slice_2d.label if slice_2d.fixed_axes else "", **drawn)


def _cells(table: Array, statistics: Statistics) -> dict[str, Any]:
    colors = _colors(pool(table, TABLE_SIDE, TABLE_SIDE, statistics), scale_of(statistics)).tolist()
    rows = (zip(*row) for row in zip(table, colors))
    cells = [[(number_text(value), _rgb(color), _ink(*color)) for value, color in row] for row in rows]
    return {"picture": "", "cells": cells}


def _ink(red: int, green: int, blue: int) -> str:
    """Returns the colour of letters that can be read on another one."""
    return "#000" if 299 * red + 587 * green + 114 * blue > 140_000 else "#fff"


def _rgb(color: Sequence[int]) -> str:
    return f"rgb({','.join(map(str, color))})"


def _picture(table: Array, statistics: Statistics, widest: int) -> dict[str, Any]:
    """Returns a plane as an image, a large one pooled."""
    pooled = pool(table, PIXELS, PIXELS, statistics)
    rows, columns = pooled.marks.shape
    down, across = -(-table.shape[0] // rows), -(-table.shape[1] // columns)
    zoom = max(1, min(12, widest // max(rows, columns)))
    return {
        "picture": data_uri(_colors(pooled, scale_of(statistics))),
        "rows": table.shape[0],
        "columns": table.shape[1],
        "width": columns * zoom,
        "height": rows * max(zoom, 12 if rows == 1 else 1),
        "note": f"a point shows the most extreme of {down} by {across} elements" if down * across > 1 else "",
    }


def _colors(cells: Pooled, scale: Scale) -> Array:
    """Returns the colour of each cell: rows, columns, and three bytes."""
    colors = np.array(PALETTES[scale.palette], np.uint8)[color_levels(cells.numbers, scale)]
    for mark, color in MARK_COLORS.items():
        colors[cells.marks == mark] = color
    return colors


def legend_html(statistics: Statistics) -> Markup:
    """Returns the scale from its lowest to its highest colour, and the marks that the tensor has."""
    scale = scale_of(statistics)
    counts = {
        NAN: statistics.nans,
        POSITIVE_INFINITY: statistics.positive_infinities,
        NEGATIVE_INFINITY: statistics.negative_infinities,
    }
    return render(
        "legend",
        low=number_text(scale.low),
        high=number_text(scale.high),
        colors=[_rgb(color) for color in PALETTES[scale.palette][::51]],
        marks=[(_MARK_NAMES[mark], _rgb(MARK_COLORS[mark])) for mark, count in counts.items() if count],
    )


def data_uri(pixels: Array) -> str:
    """Returns a picture as the address of a PNG image: `pixels` are rows, columns, three bytes of colour."""
    rows, columns, _ = pixels.shape
    header = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)
    unfiltered = np.zeros((rows, 1), np.uint8)
    lines = np.concatenate([unfiltered, pixels.reshape(rows, -1)], axis=1)
    png = b"\x89PNG\r\n\x1a\n"
    for chunk in (b"IHDR" + header, b"IDAT" + zlib.compress(lines.tobytes(), 6), b"IEND"):
        png += struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return f"data:image/png;base64,{b64encode(png).decode('ascii')}"
