"""Operations whose result's sizes are operands."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shlo.interpreter.kernel_api import KernelError
from shlo.ir.types import F32, I32, RankedTensorType
from tests.kernels.helpers import evaluate, tensor_type

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def unknown(rank: int) -> list[RankedTensorType]:
    return [RankedTensorType((None,) * rank, F32)]


def sizes(*values: int) -> Any:
    return np.array(values, np.int32)


def test_dynamic_broadcast_in_dim() -> None:
    attributes = {"broadcast_dimensions": [2, 0]}
    result = evaluate("dynamic_broadcast_in_dim", X, sizes(3, 4, 2), result_types=unknown(3), **attributes)
    np.testing.assert_array_equal(result, np.broadcast_to(X.T[:, None], (3, 4, 2)))


def test_dynamic_iota_and_reshape() -> None:
    iota = evaluate(
        "dynamic_iota", sizes(2, 3), result_types=[RankedTensorType((2, None), I32)], iota_dimension=1
    )
    np.testing.assert_array_equal(iota, [[0, 1, 2], [0, 1, 2]])
    assert evaluate("dynamic_reshape", X, sizes(3, 2), result_types=unknown(2)).shape == (3, 2)
    assert evaluate("dynamic_reshape", X[:0], np.array([3, 0]), result_types=unknown(2)).shape == (3, 0)
    wrongs = (
        ((-3, -2), "at least 0"),
        ((1 << 30, 1 << 30, 0), "no array can be of the sizes"),
    )
    for wrong, message in wrongs:
        with pytest.raises(KernelError, match=message):
            evaluate("dynamic_reshape", X, sizes(*wrong), result_types=unknown(2))


def test_dynamic_pad_and_slice() -> None:
    amounts = (sizes(1, 0), sizes(0, -1), sizes(0, 1))
    result = evaluate("dynamic_pad", X, np.float32(9), *amounts, result_types=unknown(2))
    np.testing.assert_array_equal(result, [[9, 9, 9, 9], [0, 9, 1, 9], [3, 9, 4, 9]])
    bounds = (sizes(0, 1), sizes(2, 3), sizes(1, 2))
    np.testing.assert_array_equal(
        evaluate("real_dynamic_slice", X, *bounds, result_types=unknown(2)), X[:, 1:3:2]
    )
    with pytest.raises(KernelError, match=r"\[0, 4\)"):
        evaluate("real_dynamic_slice", X, sizes(0, 0), sizes(2, 4), sizes(1, 1), result_types=unknown(2))


def test_set_dimension_size_keeps_the_first_elements() -> None:
    x = X.astype(ml_dtypes.bfloat16)
    types = [RankedTensorType((2, None), tensor_type(x).element_type)]
    np.testing.assert_array_equal(
        evaluate("set_dimension_size", x, np.int32(2), result_types=types, dimension=1), x[:, :2]
    )
    with pytest.raises(KernelError, match="size 4"):
        evaluate("set_dimension_size", x, np.int32(4), result_types=types, dimension=1)
