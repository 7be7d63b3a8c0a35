"""What is shown of a tensor, read by the thread that owns the session: text, levels and marks, no array."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from shlo.debugger.session import Session
from shlo.debugger.tensors.bits import fields_text, hex_text
from shlo.debugger.views.values import value_of
from shlo.ir.dtypes import Array
from shlo.runner.display import array_text
from shlo.runner.statistics import Histogram, Statistics, histogram_of, index_at, statistics_of, tensor_of
from shlo.runner.tensors.colormap import Scale, color_levels, marks, scale_of
from shlo.runner.tensors.pooling import pool
from shlo.runner.tensors.slices import TensorSlice
from shlo.text.numbers import exact_number_text, number_text

BINS: Final = 32
"""Steps of a histogram."""

LARGEST_ELEMENT: Final = 3
"""How many cells an element of a small plane is wide at most, and how many half cells high."""


class TensorRequest(Struct, frozen=True):
    """What to show: a value, the slice through it and the element under the cursor (None: the first ones);
    first row and column, rows and cells of the numbers; how many rows and columns of levels.
    `edition` counts the arrivals of the session: what was read of a value before is out of date.
    """

    name: str
    edition: int
    slice_2d: TensorSlice | None = None
    cursor: tuple[int, int] = (0, 0)
    corner: tuple[int, int] = (0, 0)
    rows: int = 0
    cells: int = 0
    map_rows: int = 0
    map_columns: int = 0
    seek: bool = False


class ElementCell(Struct, frozen=True):
    """An element as text, and its mark (see shlo.runner.tensors.colormap)."""

    text: str
    mark: int


class LevelMap(Struct, frozen=True):
    """Levels and marks of the whole plane, for a block of elements each where it is large."""

    levels: tuple[tuple[int, ...], ...]
    marks: tuple[tuple[int, ...], ...]
    scale: Scale
    rows: int
    columns: int


class TensorPart(Struct, frozen=True):
    """The answer to a request. Without a `slice_2d` it is no tensor, and `element` is its text. `bits` are
    those of the element: in hexadecimal digits, and by fields.
    """

    request: TensorRequest
    slice_2d: TensorSlice | None
    element: str
    statistics: Statistics | None = None
    histogram: Histogram | None = None
    cursor: tuple[int, int] = (0, 0)
    corner: tuple[int, int] = (0, 0)
    cells: tuple[tuple[ElementCell, ...], ...] = ()
    level_map: LevelMap | None = None
    bits: tuple[str, str] = ("", "")


class TensorReader(Struct):
    """Answers requests; remembers the statistics of the value that was asked for last."""

    _read_value: tuple[str, int] | None = None
    _statistics: Statistics | None = None
    _histogram: Histogram | None = None

    def read(self, session: Session, request: TensorRequest) -> TensorPart:
        """Returns what a request asks for; raises DebuggerError where the value is not in scope."""
        value = value_of(session, request.name)
        array = tensor_of(value)
        if array is None:
            return TensorPart(request, None, " ".join(array_text(value).split()))
        is_new = self._read_value != (request.name, request.edition)
        if is_new:
            self._statistics, self._histogram = statistics_of(array), histogram_of(array, BINS)
            self._read_value = request.name, request.edition
        slice_2d = request.slice_2d
        if slice_2d is None or slice_2d.shape != array.shape:
            slice_2d, request = TensorSlice.of(array.shape), replace(request, cursor=(0, 0), corner=(0, 0))
        is_found = is_new and _is_found(session, request.name)
        if request.seek or is_found:
            slice_2d, cursor = _next_mark(array, slice_2d, None if is_found else request.cursor)
        else:
            cursor = _inside(request.cursor, slice_2d.size)
        return self._view(request, array, slice_2d, cursor)

    def _view(
        self, request: TensorRequest, array: Array, slice_2d: TensorSlice, cursor: tuple[int, int]
    ) -> TensorPart:
        table = slice_2d.arranged(array[slice_2d.index_of()])
        corner, cells = _window(table, request, cursor)
        return TensorPart(
            request,
            slice_2d,
            _element(array, table, slice_2d, cursor),
            self._statistics,
            self._histogram,
            cursor,
            corner,
            cells,
            _level_map(table, request, self._statistics),
            (hex_text(table[cursor]), fields_text(table[cursor])) if table.size else ("", ""),
        )


def _is_found(session: Session, name: str) -> bool:
    """Returns whether the session has stopped because of what the operation did that binds a value."""
    snapshot = session.snapshot
    return snapshot.is_behind and snapshot.last_step is not None and name in snapshot.last_step.bound


def _inside(cursor: tuple[int, int], size: tuple[int, int]) -> tuple[int, int]:
    row, column = (min(max(at, 0), max(extent - 1, 0)) for at, extent in zip(cursor, size))
    return row, column


def full_index(slice_2d: TensorSlice, cursor: tuple[int, int]) -> tuple[int, ...]:
    """Returns the index of the element under the cursor in the tensor."""
    shown = {slice_2d.rows: cursor[0], slice_2d.columns: cursor[1]}
    return tuple(shown.get(axis, at) for axis, at in enumerate(slice_2d.index))


def _element(array: Array, table: Array, slice_2d: TensorSlice, cursor: tuple[int, int]) -> str:
    if not table.size:
        return "no elements"
    index = ", ".join(map(str, full_index(slice_2d, cursor)))
    return f"[{index}] = {exact_number_text(table[cursor])}"


def _next_mark(
    array: Array, slice_2d: TensorSlice, cursor: tuple[int, int] | None
) -> tuple[TensorSlice, tuple[int, int]]:
    """Returns the cut and cursor of the next element that is no finite number, around the end; for no cursor
    of the first one.
    """
    marked = np.flatnonzero(marks(array))
    if not marked.size:
        return slice_2d, _inside(cursor or (0, 0), slice_2d.size)
    start = -1
    if cursor is not None and array.shape:
        start = int(np.ravel_multi_index(full_index(slice_2d, cursor), array.shape))
    after = int(np.searchsorted(marked, start + 1))
    position = index_at(int(marked[after % marked.size]), array.shape)
    target = replace(slice_2d, index=position)
    row = 0 if slice_2d.rows is None else position[slice_2d.rows]
    return target, (row, 0 if slice_2d.columns is None else position[slice_2d.columns])


# --- numbers ---


def _window(
    table: Array, request: TensorRequest, cursor: tuple[int, int]
) -> tuple[tuple[int, int], tuple[tuple[ElementCell, ...], ...]]:
    """Returns the elements that fit into the rows and cells there are, the one under the cursor among them;
    and which row and column the first one is in.
    """
    if not request.rows or not table.size:
        return (0, 0), ()
    top = min(max(request.corner[0], cursor[0] - request.rows + 1), cursor[0])
    left = min(request.corner[1], cursor[1])
    while True:
        rows = _cells(table[top : top + request.rows, left : left + max(request.cells // 2, 1)])
        fitting = _fitting(rows, request.cells)
        if cursor[1] < left + fitting:
            return (top, left), tuple(row[:fitting] for row in rows)
        left = max(cursor[1] - fitting + 1, left + 1)


def _cells(part: Array) -> list[tuple[ElementCell, ...]]:
    flags = marks(part)
    return [
        tuple(ElementCell(number_text(number), int(flag)) for number, flag in zip(numbers, row))
        for numbers, row in zip(part, flags)
    ]


def _fitting(rows: list[tuple[ElementCell, ...]], cells: int) -> int:
    """Returns how many columns fit side by side, each as wide as its widest element."""
    total = 0
    for count, column in enumerate(zip(*rows)):
        total += max(len(cell.text) for cell in column) + 2
        if total > cells:
            return max(count, 1)
    return max(len(rows[0]), 1)


# --- levels ---


def level_map_of(array: Array, rows: int, columns: int) -> LevelMap | None:
    """Returns the levels of the plane of a tensor that holds its element farthest from 0."""
    numbers = np.abs(np.nan_to_num(array.reshape(-1), nan=np.inf))
    farthest = np.unravel_index(int(numbers.argmax()), array.shape) if array.size and array.shape else ()
    slice_2d = replace(TensorSlice.of(array.shape), index=tuple(map(int, farthest)) or (0,) * array.ndim)
    table = slice_2d.arranged(array[slice_2d.index_of()])
    return _level_map(table, TensorRequest("", 0, map_rows=rows, map_columns=columns), statistics_of(array))


def _level_map(table: Array, request: TensorRequest, statistics: Statistics | None) -> LevelMap | None:
    if not (request.map_rows and request.map_columns and table.size):
        return None
    pooled, scale = pool(table, request.map_rows, request.map_columns, statistics), scale_of(statistics)
    rows, columns = pooled.marks.shape
    zoom = min(request.map_rows // rows, request.map_columns // columns, LARGEST_ELEMENT)
    levels, marked = (
        array.repeat(zoom, axis=0).repeat(zoom, axis=1).tolist()
        for array in (color_levels(pooled.numbers, scale), pooled.marks)
    )
    return LevelMap(tuple(map(tuple, levels)), tuple(map(tuple, marked)), scale, *table.shape)
