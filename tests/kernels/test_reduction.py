"""reduce and map."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shlo.interpreter.kernels.reduction.arg_reduce import is_largest
from shlo.ir.types import F32, I1, I32, FloatType, IntegerType, RankedTensorType, Type
from tests.kernels.bodies import ListedBody, applying, returning
from tests.kernels.helpers import evaluate, tensor, tensor_type

X = np.random.default_rng(0).normal(size=(3, 4, 5)).astype(np.float32)
BF16, I4, I8 = FloatType("bf16"), IntegerType(4), IntegerType(8)
LARGER_WITH_INDEX = ListedBody(
    (F32, I32, F32, I32),
    [
        ("compare", (0, 2), {"comparison_direction": "GE"}),
        ("select", (4, 0, 2), {}, F32),
        ("select", (4, 1, 3), {}, I32),
    ],
    (5, 6),
)


def test_reduce_by_known_operations_along_some_dimensions() -> None:
    for name, function in (("add", np.sum), ("maximum", np.max), ("minimum", np.min), ("multiply", np.prod)):
        initial = np.float32(0.5)
        result = evaluate(
            "reduce",
            X,
            initial,
            result_types=[tensor(F32, 4)],
            bodies=(applying(name, F32),),
            dimensions=[0, 2],
        )
        np.testing.assert_allclose(result, function(X, axis=(0, 2), initial=initial), rtol=1e-6)


def test_reduce_propagates_nan() -> None:
    x = np.array([1, np.nan, 3], np.float32)
    low = np.float32(-np.inf)
    assert np.isnan(
        evaluate(
            "reduce", x, low, result_types=[tensor(F32)], bodies=(applying("maximum", F32),), dimensions=[0]
        )
    )


def test_reduce_without_dimensions_or_elements_applies_the_initial_value_once() -> None:
    add = (applying("add", F32),)
    np.testing.assert_array_equal(evaluate("reduce", X, np.float32(2), bodies=add, dimensions=[]), X + 2)
    result = evaluate(
        "reduce", X[:, :0], np.float32(2), result_types=[tensor(F32, 3, 5)], bodies=add, dimensions=[1]
    )
    np.testing.assert_array_equal(result, np.full((3, 5), 2))
    assert evaluate("reduce", np.float32(3), np.float32(2), bodies=add, dimensions=[]) == 5


def test_reduce_wraps_integers_in_their_own_width() -> None:
    cases = (
        (
            np.full(300, 100, np.int8),
            I8,
            np.int8(300 * 100 % 256 - 256 if 300 * 100 % 256 > 127 else 300 * 100 % 256),
        ),
        (np.full(3, 5, ml_dtypes.int4), I4, np.array(-1, ml_dtypes.int4)),
    )
    for x, element, expected in cases:
        zero = np.zeros((), x.dtype)
        result = evaluate(
            "reduce",
            x,
            zero,
            result_types=[tensor(element)],
            bodies=(applying("add", element),),
            dimensions=[0],
        )
        assert (result, result.dtype) == (expected, x.dtype)


@pytest.mark.parametrize(
    ("name", "expected"), [("add", [True, True]), ("and", [False, True]), ("xor", [True, False])]
)
def test_reduce_of_booleans_is_logic(name: str, expected: list[bool]) -> None:
    x = np.array([[True, False], [True, True]])
    initial = np.array(name == "and")
    result = evaluate(
        "reduce", x, initial, result_types=[tensor(I1, 2)], bodies=(applying(name, I1),), dimensions=[1]
    )
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("vectorizable", [True, False])
def test_reduce_keeps_the_order_of_elements_with_any_body(vectorizable: bool) -> None:
    first_nonzero = ListedBody(
        (I32, I32),
        [
            ("multiply", (0, 0)),
            ("compare", (2, 0), {"comparison_direction": "NE"}),
            ("select", (3, 0, 1), {}, I32),
        ],
        (4,),
        vectorizable,
    )
    for size in range(1, 12):
        x = np.random.default_rng(size).integers(0, 4, (3, size, 2)).astype(np.int32)
        expected = np.zeros((3,), np.int32)
        for row in range(3):
            for value in x[row].reshape(-1):
                # Keeps the left value while its square differs from it: while it is neither 0 nor 1.
                left = expected[row]
                expected[row] = left if left * left != left else value
        result = evaluate(
            "reduce",
            x,
            np.int32(0),
            result_types=[tensor(I32, 3)],
            bodies=(first_nonzero,),
            dimensions=[1, 2],
        )
        np.testing.assert_array_equal(result, expected)


def test_reduce_of_several_inputs_together() -> None:
    index = np.broadcast_to(np.arange(5, dtype=np.int32), (3, 4, 5))
    values, places = evaluate(
        "reduce",
        X,
        index,
        np.float32(-np.inf),
        np.int32(0),
        result_types=[tensor(F32, 3, 4), tensor(I32, 3, 4)],
        bodies=(LARGER_WITH_INDEX,),
        dimensions=[2],
    )
    np.testing.assert_array_equal(values, X.max(2))
    np.testing.assert_array_equal(places, X.argmax(2))
    assert LARGER_WITH_INDEX.calls <= 6


@pytest.mark.parametrize("name", ["add", "maximum"])
@pytest.mark.parametrize(
    ("shape", "dimensions"),
    [
        ((2000, 3), [1]),
        ((5, 1, 40, 7), [0, 2]),
        ((5, 40, 7), [1]),
        ((3, 4, 5), [2, 1]),
        ((70, 6), [0]),
        ((2000, 2, 2), [1, 2]),
    ],
)
@pytest.mark.parametrize("dtype", [np.float32, np.int32, ml_dtypes.bfloat16])
def test_reduce_of_every_layout(name: str, shape: tuple[int, ...], dimensions: list[int], dtype: Any) -> None:
    x = np.random.default_rng(3).integers(-3, 4, shape).astype(dtype)
    element = tensor_type(x).element_type
    function = {"add": np.sum, "maximum": np.max}[name]
    expected = function(x.astype(np.float64), axis=tuple(dimensions), initial=2)
    types = [RankedTensorType(expected.shape, element)]
    for layout in (x, np.asfortranarray(x), np.repeat(x, 2, axis=0)[::2]):
        result = evaluate(
            "reduce",
            layout,
            np.array(2, dtype),
            result_types=types,
            bodies=(applying(name, element),),
            dimensions=dimensions,
        )
        assert result.dtype == x.dtype
        np.testing.assert_array_equal(result.astype(np.float64), expected.astype(dtype).astype(np.float64))


def jax_extreme(direction: str, value: Type) -> ListedBody:
    """Returns what JAX's argmax (GT) and argmin (LT) of floats reduce by."""
    steps = [
        ("compare", (0, 2), {"comparison_direction": direction}),
        ("compare", (0, 0), {"comparison_direction": "NE"}),
        ("or", (4, 5)),
        ("compare", (0, 2), {"comparison_direction": "EQ"}),
        ("compare", (1, 3), {"comparison_direction": "LT"}),
        ("and", (7, 8)),
        ("or", (6, 9)),
        ("select", (6, 0, 2), {}, value),
        ("select", (10, 1, 3), {}, I32),
    ]
    return ListedBody((value, I32, value, I32), steps, (11, 12))


@pytest.mark.parametrize("direction", ["GT", "LT"])
@pytest.mark.parametrize("rises", [True, False])
def test_reduce_as_argmax_and_argmin(direction: str, rises: bool) -> None:
    body = jax_extreme(direction, F32)
    assert is_largest(body) == (direction == "GT")
    x = np.random.default_rng(4).integers(0, 4, (5, 9, 6)).astype(np.float32)
    x[1, 3, 2] = x[1, 5, 2] = np.nan
    row = np.arange(9, dtype=np.int32) if rises else np.arange(9, dtype=np.int32)[::-1]
    places = np.broadcast_to(row[:, None], x.shape)
    initial = np.float32(-np.inf if direction == "GT" else np.inf)
    types = [tensor(F32, 5, 6), tensor(I32, 5, 6)]
    values, chosen = evaluate(
        "reduce", x, places, initial, np.int32(0), result_types=types, bodies=(body,), dimensions=[1]
    )
    find = np.argmax if direction == "GT" else np.argmin
    at = find(x, 1) if rises else 8 - find(x[:, ::-1], 1)
    if not rises:
        at[1, 2] = 3
    np.testing.assert_array_equal(values, np.take_along_axis(x, at[:, None], 1)[:, 0])
    np.testing.assert_array_equal(chosen, row[at])


@pytest.mark.parametrize("vectorizable", [True, False])
def test_map_applies_its_body_to_every_element(vectorizable: bool) -> None:
    body = ListedBody((F32, F32), [("multiply", (0, 1)), ("subtract", (2, 0))], (3,), vectorizable)
    result = evaluate("map", X, X + 1, bodies=(body,), dimensions=[0, 1, 2])
    np.testing.assert_allclose(result, X * (X + 1) - X, rtol=1e-6)
    np.testing.assert_array_equal(evaluate("map", X, X, bodies=(returning(F32, 1),), dimensions=[0, 1, 2]), X)
