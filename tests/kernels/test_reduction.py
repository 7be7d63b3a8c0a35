"""reduce and map."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from shlo.interpreter.kernel import KernelError
from shlo.ir.types import F32, I1, I32, FloatType, IntegerType
from tests.kernels.bodies import ListedBody, applying, returning
from tests.kernels.helpers import evaluate, tensor

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


def test_reduce_adds_narrow_floats_in_a_wide_type() -> None:
    x = np.ones(1000, ml_dtypes.bfloat16)
    result = evaluate(
        "reduce", x, x[0], result_types=[tensor(BF16)], bodies=(applying("add", BF16),), dimensions=[0]
    )
    assert (result, result.dtype) == (1000, x.dtype)


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


def test_reduce_that_does_not_fit_is_an_error() -> None:
    add = (applying("add", F32),)
    with pytest.raises(KernelError, match="shape"):
        evaluate("reduce", X, np.float32(0), result_types=[tensor(F32, 3)], bodies=add, dimensions=[0])
    with pytest.raises(KernelError, match="dimensions"):
        evaluate("reduce", X, np.float32(0), result_types=[tensor(F32, 3)], bodies=add, dimensions=[3])
    with pytest.raises(KernelError, match="region"):
        evaluate("reduce", X, np.float32(0), result_types=[tensor(F32, 4, 5)], dimensions=[0])
    body = (applying("add", I32),)
    with pytest.raises(KernelError, match="region"):
        evaluate("reduce", X, np.float32(0), result_types=[tensor(F32, 4, 5)], bodies=body, dimensions=[0])


@pytest.mark.parametrize("vectorizable", [True, False])
def test_map_applies_its_body_to_every_element(vectorizable: bool) -> None:
    body = ListedBody((F32, F32), [("multiply", (0, 1)), ("subtract", (2, 0))], (3,), vectorizable)
    result = evaluate("map", X, X + 1, bodies=(body,), dimensions=[0, 1, 2])
    np.testing.assert_allclose(result, X * (X + 1) - X, rtol=1e-6)
    np.testing.assert_array_equal(evaluate("map", X, X, bodies=(returning(F32, 1),), dimensions=[0, 1, 2]), X)
    with pytest.raises(KernelError, match="all dimensions"):
        evaluate("map", X, X, bodies=(body,), dimensions=[0, 1])
