"""The largest elements of long rows."""

from __future__ import annotations

import numpy as np
import pytest

from shlo.ir.types import I32

from .helpers import evaluate, tensor


@pytest.mark.parametrize("spread", [2, 40, 2**31 - 1])
def test_top_k_of_long_rows_is_a_stable_sort(spread: int) -> None:
    x = np.random.default_rng(0).integers(-spread, spread, (2, 3, 1500)).astype(np.int32)
    results = [tensor(I32, 2, 3, 7)] * 2
    values, indices = evaluate("chlo.top_k", x, result_types=results, k=7)
    wanted = np.argsort(~x, axis=-1, kind="stable")[..., :7]
    np.testing.assert_array_equal(indices, wanted)
    np.testing.assert_array_equal(values, np.take_along_axis(x, wanted, -1))
