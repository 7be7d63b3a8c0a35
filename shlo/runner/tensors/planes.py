"""Planes of tensors as JSON, for screens that have no arrays: `PlaneData` of web/src/plane.ts."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict, replace

from shlo.ir.dtypes import Array
from shlo.runner.statistics import Histogram, histogram_of, real_numbers, statistics_of
from shlo.runner.tensors.pooling import Pooled, pool
from shlo.runner.tensors.slices import TensorSlice
from shlo.text.numbers import exact_number_text
from shlo.text.statistics import Statistics, statistics_line

CELLS_AT_MOST: Final = 512
"""How many cells a side an answer has."""
TEXTS_AT_MOST: Final = 4096
"""How many elements an answer has as text."""
SAMPLED: Final = 1 << 20
"""From how many elements quantiles and the histogram are computed, at most."""
REQUEST: Final = ("at", "rows", "columns", "window", "height", "width")
"""What a request for a plane may have."""


class DescribedTensor(Struct, frozen=True):
    """A tensor and what is known of all of it. `quantiles` are those of 1 and 99 percent, `least` is the
    smallest magnitude but 0; both, and the histogram, come from every n-th element of a large tensor, and
    from the extremes."""

    array: Array
    statistics: Statistics
    histogram: Histogram | None
    quantiles: tuple[float, float] | None
    least: float | None


def described(array: Array, statistics: Statistics | None = None) -> DescribedTensor:
    """Returns a tensor with what is known of all of it; `statistics` where the caller has them already."""
    described_by = statistics_of(array) if statistics is None else statistics
    assert described_by is not None
    sample = real_numbers(sampled(array)).astype(np.float64)
    extremes = [float(extreme) for extreme in (described_by.low, described_by.high) if extreme is not None]
    sample = np.append(sample[np.isfinite(sample)], extremes if array.size > SAMPLED else [])
    quantiles, least = None, None
    if sample.size:
        low, high = np.quantile(sample, (0.01, 0.99)).tolist()
        quantiles = (low, high)
        magnitudes = np.abs(sample)
        least = float(magnitudes.min(initial=np.inf, where=magnitudes > 0))
    return DescribedTensor(array, described_by, histogram_of(sample), quantiles, least)


def sampled(array: Array) -> Array:
    """Returns every n-th element of a tensor, [n]: SAMPLED of them at most. Does not copy a large one."""
    step = max(1, -(-array.size // SAMPLED))
    if step == 1 or array.flags.c_contiguous:
        return array.reshape(-1)[::step]
    return array.reshape(-1, order="A")[::step] if array.flags.f_contiguous else _strided(array)


def _strided(array: Array) -> Array:
    """Returns elements of an array that is not contiguous: every n-th along its longest axes."""
    while array.size > SAMPLED:
        axis = int(np.argmax(array.shape))
        step = min(-(-array.size // SAMPLED), array.shape[axis])
        array = array[(slice(None),) * axis + (slice(None, None, step),)]
    return array.reshape(-1)


def plane_json(
    tensor: DescribedTensor, request: Mapping[str, Any], pooled: Pooled | None = None
) -> dict[str, Any]:
    """Returns a part of a plane, pooled.

    Args:
        tensor: the tensor.
        request: the axes that go down and across, `rows` and `columns`; `at`, a place on all axes; `window`,
            the part of the plane `[row, column, height, width]`, all of it where that is None; `height` and
            `width`, how many cells it is pooled to, at most. All are optional.
        pooled: its cells, where the caller has them already.

    Raises:
        ValueError: a part of the request has the wrong type or length.
    """
    array, statistics = tensor.array, tensor.statistics
    plane = _slice(array.shape, request)
    row, column, height, width = window = _window(plane.size, request.get("window"))
    part = plane.index_of(slice(row, row + height), slice(column, column + width))
    table = plane.arranged(np.asarray(array[part]))
    cells = pooled or pool(table, _count(request, "height"), _count(request, "width"), statistics)
    is_whole = cells.marks.shape == table.shape and table.size <= TEXTS_AT_MOST
    return {
        "shape": array.shape,
        "dtype": array.dtype.name,
        "at": plane.index,
        "rows": plane.rows,
        "columns": plane.columns,
        "size": plane.size,
        "window": window,
        "cells": cells.marks.shape,
        **encoded_numbers(cells.numbers),
        "marks": b64encode(cells.marks.tobytes()).decode(),
        "texts": [exact_number_text(element) for element in table.reshape(-1)] if is_whole else None,
        "statistics": statistics_json(tensor),
    }


def statistics_json(tensor: DescribedTensor) -> dict[str, Any]:
    """Returns the numbers about a whole tensor as JSON has them."""
    statistics = tensor.statistics
    return {
        **{name: _finite(value) for name, value in asdict(statistics).items() if name != "shape"},
        "line": statistics_line(statistics),
        "quantiles": tensor.quantiles and [_finite(quantile) for quantile in tensor.quantiles],
        "least": _finite(tensor.least),
        "every": max(1, -(-statistics.size // SAMPLED)),
        "histogram": tensor.histogram and asdict(tensor.histogram),
    }


def _finite(value: Any) -> Any:
    """Returns a number that JSON has, None for one that it has not."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def encoded_numbers(numbers: Array) -> dict[str, str]:
    """Returns numbers as bytes in Base64, as float32 where that holds them, and the format's name."""
    with np.errstate(all="ignore"):
        narrow = numbers.astype("<f4")
    is_exact = np.array_equal(narrow, numbers, equal_nan=True)
    exact = narrow if is_exact else numbers.astype("<f8")
    return {"format": exact.dtype.name, "numbers": b64encode(exact.tobytes()).decode()}


def _count(request: Mapping[str, Any], name: str) -> int:
    wanted = request.get(name)
    return max(1, min(wanted, CELLS_AT_MOST)) if isinstance(wanted, int) else CELLS_AT_MOST


def _slice(shape: tuple[int, ...], request: Mapping[str, Any]) -> TensorSlice:
    plane = TensorSlice.of(shape)
    rows, columns, at = (request.get(name) for name in ("rows", "columns", "at"))
    if plane.rank > 1 and rows is not None:
        plane = plane.with_axes(*_numbers([rows, columns], 2))
    if at is None:
        return plane
    places = _numbers(at, plane.rank)
    inside = tuple(max(0, min(index, size - 1)) for index, size in zip(places, shape))
    return replace(plane, index=inside)


def _window(size: tuple[int, int], wanted: Any) -> tuple[int, int, int, int]:
    """Returns the requested part of a plane, clipped to it."""
    row, column, height, width = (0, 0, *size) if wanted is None else _numbers(wanted, 4)
    row, column = max(0, min(row, size[0] - 1)), max(0, min(column, size[1] - 1))
    return row, column, max(0, min(height, size[0] - row)), max(0, min(width, size[1] - column))


def _numbers(values: Any, length: int) -> list[int]:
    if not isinstance(values, (list, tuple)):
        raise ValueError("expected a list of numbers")
    integers = [value for value in cast("Sequence[Any]", values) if isinstance(value, int)]
    if len(integers) != length:
        raise ValueError(f"expected {length} whole numbers")
    return integers
