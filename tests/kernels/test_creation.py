"""constant and iota."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from shlo.interpreter.kernel_api import KernelError
from shlo.ir.attributes import DenseResourceAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.types import F32, I32, ComplexType, FloatType, IntegerType
from tests.kernels.helpers import evaluate, tensor


def test_constant_gives_its_elements_locked() -> None:
    type_ = tensor(F32, 2, 2)
    value = DenseElementsAttr(type_, np.array([[1, 2], [3, 4]], np.float32))
    result = evaluate("constant", result_types=[type_], value=value)
    np.testing.assert_array_equal(result, [[1, 2], [3, 4]])
    assert not result.flags.writeable


def test_constant_from_a_resource() -> None:
    type_ = tensor(I32, 3)
    blob = np.array([1, 2, 3], "<i4").tobytes()
    np.testing.assert_array_equal(
        evaluate("constant", result_types=[type_], value=DenseResourceAttr("k", type_, blob)), [1, 2, 3]
    )
    with pytest.raises(KernelError, match="resource 'k'"):
        evaluate("constant", result_types=[type_], value=DenseResourceAttr("k", type_))
    with pytest.raises(KernelError, match="cannot read the value"):
        evaluate("constant", result_types=[type_], value=DenseResourceAttr("k", type_, blob[:-1]))


@pytest.mark.parametrize(
    ("element", "expected"),
    [
        (IntegerType(4), np.arange(10).astype(ml_dtypes.int4)),
        (FloatType("bf16"), np.arange(10).astype(ml_dtypes.bfloat16)),
        (ComplexType(F32), np.arange(10).astype(np.complex64)),
    ],
)
def test_iota_counts_in_every_kind_of_element(element: object, expected: np.ndarray) -> None:
    result = evaluate("iota", result_types=[tensor(element, 10)], iota_dimension=0)
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result, expected)


def test_iota_along_a_middle_dimension() -> None:
    result = evaluate("iota", result_types=[tensor(I32, 2, 3, 4)], iota_dimension=1)
    np.testing.assert_array_equal(result, np.broadcast_to(np.arange(3)[:, None], (2, 3, 4)))
    assert evaluate("iota", result_types=[tensor(I32, 2, 0)], iota_dimension=0).shape == (2, 0)
