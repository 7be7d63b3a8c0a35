"""A tensor in a few numbers."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shlo.debugger import histogram_of, statistics_of
from shlo.interpreter.kernel_api import TOKEN
from shlo.runner import statistics
from shlo.text.statistics import statistics_lines, summary_line

NARROW = [
    ml_dtypes.float8_e5m2,
    ml_dtypes.float8_e4m3b11fnuz,
    ml_dtypes.float8_e8m0fnu,
    ml_dtypes.float4_e2m1fn,
]


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


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("marked", [[np.nan], [np.inf], [np.nan, np.inf, -np.inf]])
def test_parts_with_and_without_what_is_no_number(
    dtype: Any, marked: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistics, "AT_A_TIME", 16)
    array = np.random.default_rng(0).normal(5, 1, (40, 7)).astype(dtype)
    array[3:20:2, 1:5] = np.resize(marked, array[3:20:2, 1:5].shape)
    array[8:12] = marked[0]
    array[-1, -1] = -0.0
    made, finite = statistics_of(array), array[np.isfinite(array)]
    assert made
    assert (made.low, made.high) == (finite.min(), finite.max())
    assert made.mean == pytest.approx(finite.mean(dtype=np.float64))
    counts = [
        np.count_nonzero(np.isnan(array)),
        *(np.count_nonzero(array == end) for end in (np.inf, -np.inf)),
    ]
    assert [made.nans, made.positive_infinities, made.negative_infinities] == counts
    assert made.zeros == 1


@pytest.mark.parametrize("dtype", ["f2", ">f2", *NARROW], ids=str)
def test_narrow_floats_are_widened_to_the_numbers_that_they_are(dtype: Any) -> None:
    array = np.arange(256, dtype=np.uint8).repeat(4).reshape(4, 2, 128).view(dtype)[:, ::-1, 1:]
    np.testing.assert_array_equal(statistics.real_numbers(array), array.astype(np.float32))
    assert statistics.real_numbers(array[0, 0, 0]).shape == ()


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
    made = statistics_of(np.full(8, 3 + 4j, np.complex64))
    assert statistics_lines(made)[1] == "magnitude min 5, max 5, mean 5"
    assert summary_line(made) == "|x| all 5"
