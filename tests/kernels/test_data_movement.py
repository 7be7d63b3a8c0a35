"""broadcast, transpose, reshape, reverse, slice, concatenate, pad, get_dimension_size."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shlo.ir.types import F32, I32, RankedTensorType
from tests.kernels.helpers import evaluate, specialize, tensor, tensor_type

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def test_broadcast_in_dim_is_a_view_with_dimensions_in_any_order() -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    result = evaluate("broadcast_in_dim", x, result_types=[tensor(F32, 3, 5, 2)], broadcast_dimensions=[2, 0])
    np.testing.assert_array_equal(result, np.broadcast_to(x.T[:, None, :], (3, 5, 2)))
    assert np.shares_memory(result, x)
    for strided in (np.ascontiguousarray(x.T).T, np.repeat(x, 2, axis=1)[:, ::2]):
        same = evaluate(
            "broadcast_in_dim", strided, result_types=[tensor(F32, 3, 5, 2)], broadcast_dimensions=[2, 0]
        )
        np.testing.assert_array_equal(same, result)


@pytest.mark.parametrize(
    "scalar", [np.float32(2), np.array(True), ml_dtypes.bfloat16(2), np.array(3, ml_dtypes.int4)]
)
def test_broadcast_in_dim_of_a_scalar(scalar: Any) -> None:
    type_ = RankedTensorType((2, 3), tensor_type(scalar).element_type)
    result = evaluate("broadcast_in_dim", scalar, result_types=[type_], broadcast_dimensions=[])
    assert result.dtype == scalar.dtype
    np.testing.assert_array_equal(result, np.full((2, 3), scalar))


def test_broadcast_in_dim_expands_ones_and_nothing_else() -> None:
    x = np.ones((1, 3), np.float32)
    result = evaluate("broadcast_in_dim", x, result_types=[tensor(F32, 4, 3)], broadcast_dimensions=[0, 1])
    assert result.shape == (4, 3)


def test_broadcast_adds_leading_dimensions() -> None:
    result = evaluate("broadcast", X, result_types=[tensor(F32, 5, 0, 2, 3, 4)], broadcast_sizes=[5, 0])
    assert result.shape == (5, 0, 2, 3, 4)


def test_views_of_permuted_reversed_and_sliced_elements() -> None:
    result = evaluate("transpose", X, result_types=[tensor(F32, 4, 2, 3)], permutation=[2, 0, 1])
    np.testing.assert_array_equal(result, X.transpose(2, 0, 1))
    assert np.shares_memory(result, X)
    np.testing.assert_array_equal(evaluate("reverse", X, dimensions=[0, 2]), X[::-1, :, ::-1])
    bounds = {"start_indices": [0, 1, 1], "limit_indices": [2, 1, 4], "strides": [1, 1, 2]}
    assert evaluate("slice", X, result_types=[tensor(F32, 2, 0, 2)], **bounds).shape == (2, 0, 2)
    bounds |= {"limit_indices": [2, 3, 4]}
    np.testing.assert_array_equal(
        evaluate("slice", X, result_types=[tensor(F32, 2, 2, 2)], **bounds), X[:, 1:, 1::2]
    )


def test_rank_0_passes_through() -> None:
    x = np.float32(3)
    assert evaluate("transpose", x, permutation=[]) == 3
    assert evaluate("reverse", x, dimensions=[]) == 3
    assert evaluate("slice", x, start_indices=[], limit_indices=[], strides=[]) == 3
    assert evaluate("reshape", x, result_types=[tensor(F32, 1, 1)]).shape == (1, 1)
    nothing = {"edge_padding_low": [], "edge_padding_high": [], "interior_padding": []}
    assert evaluate("pad", x, np.float32(1), **nothing) == 3


def test_concatenate_keeps_narrow_types_and_takes_empty_ones() -> None:
    x = np.ones((2, 3), ml_dtypes.bfloat16)
    result = evaluate(
        "concatenate",
        x,
        x[:0],
        x,
        dimension=0,
        result_types=[RankedTensorType((4, 3), tensor_type(x).element_type)],
    )
    assert (result.shape, result.dtype) == ((4, 3), x.dtype)


def padded(size: int, low: int, high: int, interior: int) -> np.ndarray:
    """Returns one dimension padded as the specification says it, element by element."""
    result = np.full(max(low + high + size + max(size - 1, 0) * interior, 0), -1, np.float32)
    for index in range(size):
        place = low + index * (interior + 1)
        if 0 <= place < len(result):
            result[place] = index
    return result


def test_pad_with_every_sign_of_edges_and_interior() -> None:
    tried = 0
    for size in range(4):
        for low in range(-5, 4):
            for high in range(-5, 4):
                for interior in range(3):
                    expected = padded(size, low, high, interior)
                    if low + high + size + max(size - 1, 0) * interior < 0:
                        continue
                    tried += 1
                    attributes = {
                        "edge_padding_low": [low],
                        "edge_padding_high": [high],
                        "interior_padding": [interior],
                    }
                    result = evaluate(
                        "pad",
                        np.arange(size, dtype=np.float32),
                        np.float32(-1),
                        result_types=[tensor(F32, len(expected))],
                        **attributes,
                    )
                    np.testing.assert_array_equal(result, expected, err_msg=str((size, low, high, interior)))
    assert tried > 300


def test_pad_of_several_dimensions_and_one_that_leaves_nothing() -> None:
    attributes = {
        "edge_padding_low": [1, -1, 0],
        "edge_padding_high": [0, 2, 0],
        "interior_padding": [0, 0, 1],
    }
    result = evaluate("pad", X, np.float32(9), result_types=[tensor(F32, 3, 4, 7)], **attributes)
    expected = np.full((3, 4, 7), 9, np.float32)
    expected[1:, :2, ::2] = X[:, 1:]
    np.testing.assert_array_equal(result, expected)


def test_unknown_sizes_come_from_the_arrays() -> None:
    function = specialize(
        "transpose", [tensor(F32, None, 3)], [tensor(F32, 3, None)], {"permutation": [1, 0]}
    )  # type: ignore[arg-type]
    assert function(np.ones((7, 3), np.float32)).shape == (3, 7)
    assert function(np.ones((0, 3), np.float32)).shape == (3, 0)
    size = specialize("get_dimension_size", [tensor(F32, None)], [tensor(I32)], {"dimension": 0})  # type: ignore[arg-type]
    assert size(np.ones(5, np.float32)) == 5
    assert size(np.ones(5, np.float32)).dtype == np.int32
