"""Tensors of the processes of a grid side by side: equal cells, one colour scale for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from shlo.ir.dtypes import Array
from shlo.pages.pictures import cell_colors, data_uri, heat_map_png
from shlo.pages.tensor import FONT, ink, legend_html, rgb
from shlo.runner.statistics import statistics_of
from shlo.runner.tensors.colormap import scale_of
from shlo.runner.tensors.pooling import pool
from shlo.runner.tensors.slices import TensorSlice
from shlo.text.html import text_html
from shlo.text.statistics import Statistics

SIDE: Final = 32
"""How many rows and columns the picture of a cell has at most."""
SIZE: Final = 64
"""How many points of the screen it is wide and high at most."""


class GridCell(Struct, frozen=True):
    """A process: its label, its value in a few words, and the value where it is a tensor."""

    label: str
    text: str
    array: Array | None


def grid_html(cells: Sequence[GridCell], columns: int) -> str:
    """Returns cells in rows of `columns` as HTML. A tensor of one element colours its cell, a larger one is a
    picture in it; equal numbers have equal colours in all cells."""
    arrays = {id(cell.array): cell.array for cell in cells if cell.array is not None}
    statistics = {key: statistics_of(array) for key, array in arrays.items()}
    joint = _joint([entry for entry in statistics.values() if entry is not None])
    pictures = {} if joint is None else {key: _picture(array, joint) for key, array in arrays.items()}
    boxes = "".join(
        f'<div role="listitem" style="{_BOX};{_fill(cell.array, joint)}">'
        f"<div>{text_html(cell.label)}</div>{pictures.get(id(cell.array), '')}"
        f"<div>{text_html(cell.text)}</div></div>"
        for cell in cells
    )
    grid = f"display:grid;grid-template-columns:repeat({columns},minmax(6em,max-content));gap:2px"
    legend = legend_html(joint) if joint is not None else ""
    return (
        f'<div style="{FONT};max-height:30em;overflow:auto;margin:3px 0">'
        f'<div role="list" aria-label="processes" style="{grid}">{boxes}</div></div>{legend}'
    )


_BOX: Final = "padding:2px 7px;border:1px solid rgba(128,128,128,.6);overflow-wrap:anywhere;max-width:18em"


def _joint(statistics: Sequence[Statistics]) -> Statistics | None:
    """Returns the statistics that all tensors have together, as far as colours need them."""
    if not statistics:
        return None
    lows = [entry.low for entry in statistics if entry.low is not None]
    highs = [entry.high for entry in statistics if entry.high is not None]
    return replace(
        statistics[0],
        low=min(lows, default=None),
        high=max(highs, default=None),
        nans=sum(entry.nans for entry in statistics),
        positive_infinities=sum(entry.positive_infinities for entry in statistics),
        negative_infinities=sum(entry.negative_infinities for entry in statistics),
    )


def _fill(array: Array | None, joint: Statistics | None) -> str:
    if array is None or joint is None or array.size != 1:
        return ""
    (color,) = cell_colors(pool(array.reshape(1, 1), 1, 1, joint), scale_of(joint)).reshape(1, 3).tolist()
    return f"background:{rgb(color)};color:{ink(*color)}"


def _picture(array: Array, joint: Statistics) -> str:
    """Returns the first plane of a tensor as a picture; nothing for one element or none."""
    if array.size <= 1:
        return ""
    plane = TensorSlice.of(array.shape)
    cells = pool(plane.arranged(np.atleast_1d(array[plane.index_of()])), SIDE, SIDE, joint)
    rows, columns = cells.marks.shape
    zoom = max(1, SIZE // max(rows, columns))
    size = f"width:{columns * zoom}px;height:{max(rows * zoom, 8)}px;image-rendering:pixelated;max-width:none"
    return f'<img alt="heat map" src="{data_uri(heat_map_png(cells, scale_of(joint)))}" style="{size}">'
