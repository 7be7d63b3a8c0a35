"""A tensor in a few numbers."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shlo.debugger import histogram_of, statistics_of
from shlo.interpreter.kernel_api import TOKEN
from shlo.text.statistics import statistics_lines, summary_line


@pytest.mark.parametrize(
    "dtype",
    [np.float16, np.float32, np.float64, ml_dtypes.bfloat16, ml_dtypes.float8_e5m2],
    ids=lambda dtype: np.dtype(dtype).name,
)
def test_floats_with_all_that_is_no_number(dtype: Any) -> None:
    made = statistics_of(np.array([[1, -2, 0, np.nan], [np.inf, -np.inf, np.inf, -0.0]], dtype))
    assert made
    assert (made.shape, made.size, made.bytes) == ((2, 4), 8, 8 * np.dtype(dtype).itemsize)
    assert (made.low, made.high, made.mean) == (-2, 1, -0.25)
    assert (made.nans, made.positive_infinities, made.negative_infinities, made.zeros) == (1, 2, 1, 2)


@pytest.mark.parametrize(
    ("value", "numbers"),
    [
        (np.array([2**63, 1], np.uint64), (1, 2**63, 2.0**62, 0)),
        (np.array([-8, 0, 7], ml_dtypes.int4), (-8, 7, -1 / 3, 1)),
        (np.array([True, False]), (0, 1, 0.5, 1)),
        (np.array([3 + 4j, 0], np.complex64), (0, 5, 2.5, 1)),
        (np.float32(2), (2, 2, 2, 0)),
        (np.zeros((0, 3), np.float32), (None, None, None, 0)),
        (np.array([np.nan], np.float32), (None, None, None, 0)),
    ],
)
def test_other_elements(value: Any, numbers: tuple[Any, ...]) -> None:
    made = statistics_of(value)
    assert made
    assert (made.low, made.high, made.mean, made.zeros) == pytest.approx(numbers)


def test_what_is_no_tensor_has_no_statistics() -> None:
    assert statistics_of(TOKEN) is None
    assert statistics_of((np.ones(2),)) is None
    assert histogram_of(TOKEN) is None


def test_histograms_count_the_finite_elements() -> None:
    made = histogram_of(np.array([0, 1, 1, 4, np.nan, np.inf], np.float32), bins=4)
    assert made
    assert (made.edges, made.counts) == ((0, 1, 2, 3, 4), (1, 2, 0, 1))
    same = histogram_of(np.full(3, 1e300))
    assert same is not None
    assert (same.edges, same.counts) == ((1e300, 1e300), (3,))
    wide = histogram_of(np.array([-1.7e308, 1.7e308]), bins=2)
    assert wide
    assert wide.counts == (1, 1)
    same = histogram_of(np.full(5, 3.0), bins=3)
    assert same
    assert sum(same.counts) == 5
    assert histogram_of(np.array([np.nan])) is None


def test_the_histogram_of_two_neighbours_has_one_step():
    """It raised ValueError: there are no 32 numbers between the two."""
    histogram = histogram_of(np.array([1.0, np.nextafter(1.0, 2.0)]), 32)
    assert histogram.counts == (2,)


def test_the_magnitudes_of_complex_numbers_are_called_so():
    statistics = statistics_of(np.full(8, 3 + 4j, np.complex64))
    assert statistics_lines(statistics)[1] == "magnitude min 5, max 5, mean 5"
    assert summary_line(statistics) == "|x| all 5"
