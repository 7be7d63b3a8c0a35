"""Statistics of the values that steps bind, as a recording has them."""

from __future__ import annotations

import math
import weakref
from collections import OrderedDict
from typing import Annotated, Any, Final, cast

import numpy as np
from msgspec import Meta

from shlo.debugger.errors import RecordingError
from shlo.debugger.recording.columns import compress, decompress, packed, unpacked
from shlo.debugger.recording.frames import Positive, RecordingFrame
from shlo.debugger.recording.values import dtype_named
from shlo.interpreter.kernel_api import Value
from shlo.ir.dtypes import Array
from shlo.runner.statistics import real_numbers, statistics_of
from shlo.text.statistics import Statistics

SMALL: Final = 64
"""Tensors of at most so many elements are summed up many at a time."""

ROWS: Final = 1 << 13
"""How many values a chunk has before it is written."""

MOST_ROWS: Final = 1 << 18
"""How many values a chunk may have."""

COLUMNS: Final = 8

KEPT: Final = 64
"""How many large tensors are known again when they are bound once more."""

Kind = tuple[str, tuple[Annotated[int, Meta(ge=0, lt=1 << 62)], ...]]
"""The dtype and shape of tensors."""


class StatisticsFrame(RecordingFrame, tag="statistics", frozen=True):
    """Statistics of the values bound at `count` positions from `first` on, in the order of arrivals and of
    the values that each binds.

    The columns, a number of each row (8 bytes), are the kind (the number in `kinds` from 1 on, doubled, plus
    1 where there are finite elements; 0 for no tensor), min, max exclusive-or min, mean exclusive-or min as a
    float, and the numbers of NaN, positive and negative infinities, and zeros.
    """

    first: Positive
    count: Positive
    rows: Annotated[int, Meta(ge=0, le=MOST_ROWS)]
    kinds: list[Kind]
    size: int
    data: bytes


class StatisticsWriter:
    """Sums up the values that steps bind; holds small ones until a chunk is full."""

    def __init__(self) -> None:
        self.first: int = 0
        self.end: int = 0  # the position after the last one
        self._rows = 0
        self._kinds: dict[Kind, int] = {}
        self._small: dict[int, tuple[list[int], list[Array]]] = {}  # rows and tensors by kind
        self._large: list[tuple[int, int, Statistics]] = []  # row, kind, statistics
        self._known: OrderedDict[int, tuple[weakref.ref[Any], Statistics]] = OrderedDict()
        self._kind_of: dict[tuple[Any, tuple[int, ...]], int] = {}

    @property
    def is_full(self) -> bool:
        """Whether a chunk should be written now."""
        return self._rows >= ROWS

    def begin(self, position: int) -> None:
        """Begins a chunk with the values bound at a position."""
        self.first = self.end = position

    def add(self, bound: Value) -> None:
        """Adds a value that the step to the position bound."""
        row = self._rows
        self._rows = row + 1
        if not isinstance(bound, (np.ndarray, np.generic)):
            return
        value = cast("Array", bound)
        key = value.dtype, value.shape
        kind = self._kind_of.get(key)
        if kind is None:
            kind = self._kind_of[key] = self._kinds.setdefault(
                (value.dtype.name, value.shape), len(self._kinds)
            )
            self._small[kind] = [], []
        if 0 < value.size <= SMALL:
            rows, tensors = self._small[kind]
            rows.append(row)
            tensors.append(value)
        elif (statistics := self._large_statistics(value)) is not None:
            self._large.append((row, kind, statistics))

    def _large_statistics(self, value: Array) -> Statistics | None:
        """Returns the statistics of a tensor, computed once where it is bound several times."""
        previous = self._known.get(id(value))
        if previous is not None and previous[0]() is value:
            return previous[1]
        statistics = statistics_of(value)
        if statistics is not None:
            self._known[id(value)] = weakref.ref(value), statistics
            if len(self._known) > KEPT:
                self._known.popitem(last=False)
        return statistics

    def chunk(self) -> StatisticsFrame | None:
        """Returns the chunk, None where no position is in it; the next one begins after it."""
        if self.end == self.first:
            return None
        table = np.zeros((COLUMNS, self._rows), np.int64)
        for kind, (rows, tensors) in self._small.items():
            if tensors:
                _sum_up(table, kind, rows, tensors)
        for row, kind, statistics in self._large:
            table[:, row] = _row(kind, statistics)
        data = packed(list(table))
        count = self.end - self.first
        frame = StatisticsFrame(self.first, count, self._rows, [*self._kinds], len(data), compress(data))
        self._rows, self._kinds, self._small, self._large = 0, {}, {}, []
        self._kind_of = {}
        self.first = self.end
        return frame


def _sum_up(table: Array, kind: int, rows: list[int], tensors: list[Array]) -> None:
    """Fills the rows of tensors of one dtype and shape."""
    stacked = np.array(tensors, tensors[0].dtype).reshape(len(tensors), -1)
    numbers = real_numbers(stacked)
    is_float = numbers.dtype.kind == "f"
    finite = np.isfinite(numbers).all(axis=1) if is_float else np.ones(len(rows), bool)
    for row, tensor in zip(np.array(rows)[~finite].tolist(), np.flatnonzero(~finite).tolist()):
        statistics = statistics_of(tensors[tensor])
        if statistics is not None:
            table[:, row] = _row(kind, statistics)
    numbers = numbers[finite]
    if not len(numbers):
        return
    low, high = numbers.min(axis=1), numbers.max(axis=1)
    with np.errstate(all="ignore"):
        mean = numbers.mean(axis=1, dtype=np.float64)
    low_bits, high_bits = _bits(low), _bits(high)
    whole = np.array(rows)[finite]
    table[0, whole] = 2 * (kind + 1) + 1
    table[1, whole] = low_bits
    table[2, whole] = high_bits ^ low_bits
    table[3, whole] = mean.view(np.int64) ^ low.astype(np.float64).view(np.int64)
    table[7, whole] = np.count_nonzero(numbers == 0, axis=1)


def _bits(numbers: Array) -> Array:
    """Returns numbers as 8 bytes: floats as float64, integers as they are."""
    kind = numbers.dtype.kind
    return numbers.astype({"f": np.float64, "u": np.uint64}.get(kind, np.int64)).view(np.int64)


def _row(kind: int, statistics: Statistics) -> Array:
    row = np.zeros(COLUMNS, np.int64)
    row[0] = 2 * (kind + 1)
    if statistics.low is not None and statistics.high is not None and statistics.mean is not None:
        number = np.array([statistics.low, statistics.high], _number_dtype(statistics.dtype))
        low, high = number.view(np.int64)
        row[0] += 1
        row[1], row[2] = low, high ^ low
        row[3] = np.float64(statistics.mean).view(np.int64) ^ np.float64(statistics.low).view(np.int64)
    row[4:] = (
        statistics.nans,
        statistics.positive_infinities,
        statistics.negative_infinities,
        statistics.zeros,
    )
    return row


def _number_dtype(dtype: str) -> type[np.float64 | np.uint64 | np.int64]:
    """Returns the dtype of min and max of a tensor's elements."""
    numbers = real_numbers(np.zeros(1, dtype_named(dtype)))
    kinds: dict[str, type[np.float64 | np.uint64]] = {"f": np.float64, "u": np.uint64}
    return kinds.get(numbers.dtype.kind, np.int64)


class StatisticsChunk:
    """A chunk that was read: the statistics of each row."""

    def __init__(self, frame: StatisticsFrame) -> None:
        self.first, self.count, self.rows = frame.first, frame.count, frame.rows
        for dtype, _ in frame.kinds:
            dtype_named(dtype)
        self._kinds = frame.kinds
        columns = unpacked(decompress(frame.data, frame.size), ["i8"] * COLUMNS, [frame.rows] * COLUMNS)
        self._table = np.stack(columns)

    @property
    def unknown(self) -> Array:
        """The rows that have NaN or infinities, or are no tensors."""
        return np.flatnonzero(self._table[4:7].any(axis=0) | (self._table[0] == 0))

    def statistics(self, row: int) -> Statistics | None:
        """Returns the statistics of a row, None for a value that is no tensor."""
        if not 0 <= row < self.rows:
            raise RecordingError("a part of the statistics is too short")
        numbers = self._table[:, row]
        kind, has_finite = int(numbers[0]) // 2 - 1, int(numbers[0]) % 2
        if kind < 0:
            return None
        if kind >= len(self._kinds):
            raise RecordingError("a part of the statistics is of no kind that is known")
        dtype, shape = self._kinds[kind]
        low = high = mean = None
        if has_finite:
            bits = np.array([numbers[1], numbers[1] ^ numbers[2]])
            extremes = bits.view(_number_dtype(dtype))
            low, high = extremes[0].item(), extremes[1].item()
            mean = float((numbers[3] ^ np.float64(low).view(np.int64)).view(np.float64))
        size = math.prod(shape)
        itemsize = dtype_named(dtype).itemsize
        counts = [int(number) for number in numbers[4:]]
        return Statistics(shape, dtype, size, size * itemsize, low, high, mean, *counts)
