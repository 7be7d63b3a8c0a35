"""Numbers, counts, sizes and statistics as every front end writes them."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from shlo.runner.statistics import statistics_of
from shlo.text.numbers import byte_size, exact_number_text, number_text, plural
from shlo.text.statistics import statistics_line, summary_line


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (np.bool_(True), "true"),
        (np.int64(-(2**62)), "-4611686018427387904"),
        (np.float32(1 / 3), "0.3333"),
        (ml_dtypes.bfloat16("nan"), "NaN"),
        (np.complex64(complex("nan+nanj")), "NaN+NaNi"),
        (complex(1, -0.0), "1-0i"),
        (-np.inf, "-Inf"),
        (np.complex64(1.5 - 2j), "1.5-2i"),
        (np.complex64(complex(0, np.inf)), "0+Infi"),
        (np.array(2, ml_dtypes.int4)[()], "2"),
    ],
)
def test_a_number_in_few_characters(number: object, text: str):
    assert number_text(number) == text


def test_all_digits_that_tell_a_number_from_its_neighbours():
    for number in (np.float32(0.1), np.float64(0.1), np.nextafter(np.float32(1), np.float32(2))):
        assert number.dtype.type(exact_number_text(number)) == number


def test_counts_and_sizes():
    assert [plural(count, "element") for count in (0, 1, 2048)] == [
        "0 elements",
        "1 element",
        "2,048 elements",
    ]
    sizes = (0, 1, 512, 1023, 1024, 1536, 3 << 20, 1 << 50)
    texts = ["0 B", "1 B", "512 B", "1023 B", "1 KiB", "1.5 KiB", "3 MiB", "1024 TiB"]
    assert [byte_size(size) for size in sizes] == texts


def test_statistics_name_what_is_special():
    statistics = statistics_of(np.array([[np.nan, np.inf, -np.inf], [0, -1.5, 2]], np.float32))
    assert statistics is not None
    line = "6 elements, 24 B, min -1.5, max 2, mean 0.166667, 1 NaN, 1 +Inf, 1 -Inf, 1 zero"
    assert statistics_line(statistics) == line
    assert summary_line(statistics) == "-1.5..2 mean 0.1667 NaN! Inf!"
