"""sort in every way it has: keys of one and several operands, computed keys, any other comparator."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shlo.interpreter.kernels.reduction.sort_keys import keys_of
from shlo.ir.types import F32, I1, I32, I64, Type
from tests.kernels.bodies import ListedBody, compared
from tests.kernels.helpers import evaluate, splat, tensor, tensor_type

DRAW = np.random.default_rng(0)


def sort(*arrays: Any, body: ListedBody, dimension: int = -1) -> Any:
    return evaluate(
        "sort",
        *arrays,
        result_types=[tensor_type(array) for array in arrays],
        bodies=(body,),
        dimension=dimension,
        is_stable=True,
    )


def canonical(element: Type) -> ListedBody:
    """JAX's comparator of floats: zeros alike, NaNs alike and last."""

    def canonicalize(argument: int, first: int) -> list[tuple[Any, ...]]:
        return [
            ("constant", (), {"value": splat(tensor(element), 0.0)}, element),
            ("compare", (argument, first), {"comparison_direction": "EQ", "compare_type": "FLOAT"}),
            ("constant", (), {"value": splat(tensor(element), 0.0)}, element),
            ("select", (first + 1, first + 2, argument), {}, element),
            ("compare", (argument, argument), {"comparison_direction": "NE", "compare_type": "FLOAT"}),
            ("constant", (), {"value": splat(tensor(element), np.nan)}, element),
            ("select", (first + 4, first + 5, first + 3), {}, element),
        ]

    total = {"comparison_direction": "LT", "compare_type": "TOTALORDER"}
    steps = [*canonicalize(0, 2), *canonicalize(1, 9), ("compare", (8, 15), total)]
    return ListedBody((element, element), steps, (16,))


@pytest.mark.parametrize("direction", ["LT", "GT"])
@pytest.mark.parametrize(
    "x",
    [
        DRAW.integers(-9, 9, (4, 30, 3)).astype(np.int32),
        DRAW.integers(-8, 8, (4, 30, 3)).astype(ml_dtypes.int4),
        DRAW.integers(0, 2**64, (4, 30, 3), dtype=np.uint64),
        DRAW.random((4, 30, 3)) < 0.5,
        DRAW.normal(size=(4, 30, 3)),
        DRAW.normal(size=(4, 30, 3)).astype(ml_dtypes.bfloat16),
    ],
)
def test_sort_of_one_operand_along_a_middle_dimension(x: Any, direction: str) -> None:
    result = sort(x, body=compared(direction, tensor_type(x).element_type), dimension=1)
    wide = x.astype(np.float64) if x.dtype.name in ("bfloat16", "int4") else x
    expected = np.sort(wide, axis=1)
    assert result.dtype == x.dtype
    np.testing.assert_array_equal(
        result.astype(wide.dtype), expected if direction == "LT" else expected[:, ::-1]
    )


@pytest.mark.parametrize("direction", ["LT", "GT"])
@pytest.mark.parametrize("kind", [np.int8, np.int64, np.float32, np.uint64])
def test_sort_with_payload_is_stable(direction: str, kind: Any) -> None:
    x = DRAW.integers(0, 5, (3, 200)).astype(kind)
    if kind == np.uint64:
        x[x == 4] = 2**64 - 1
    payload = np.broadcast_to(np.arange(200, dtype=np.int32), (3, 200))
    values, places = sort(x, payload, body=compared(direction, tensor_type(x).element_type, [I32]))
    for row in range(3):
        order = sorted(range(200), key=lambda at: (-1 if direction == "GT" else 1) * int(x[row, at]))
        np.testing.assert_array_equal(places[row], order)
        np.testing.assert_array_equal(values[row], x[row, order])


SPECIAL = np.array([np.nan, 1, -0.0, -np.inf, 0.0, -np.nan, np.inf, -1, 0.0, -0.0], np.float32)


def bits(x: np.ndarray) -> list[int]:
    return x.view(f"u{x.dtype.itemsize}").tolist()


@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16, np.float64])
def test_sort_by_jax_comparator_keeps_zeros_and_nans_in_their_order(dtype: Any) -> None:
    x = SPECIAL.astype(dtype)
    body = canonical(tensor_type(x).element_type)
    keys = keys_of(body)
    assert keys is not None
    assert keys[0].is_canonical
    np.testing.assert_array_equal(bits(sort(x, body=body)), bits(x[[3, 7, 2, 4, 8, 9, 1, 6, 0, 5]]))
    assert body.calls == 0
    plain = DRAW.normal(size=100).astype(dtype)
    np.testing.assert_array_equal(sort(plain, body=body), np.sort(plain.astype(np.float64)).astype(dtype))


def test_sort_by_total_order_tells_zeros_and_nans_apart() -> None:
    result = sort(SPECIAL, body=compared("LT", F32, kind="TOTALORDER"))
    assert np.isnan(result[[0, -1]]).all()
    np.testing.assert_array_equal(np.signbit(result), [True] * 5 + [False] * 5)


def test_sort_by_several_keys() -> None:
    # (a, b, c) by a upwards, then by b downwards; c goes along.
    first = {"comparison_direction": "LT"}
    equal = {"comparison_direction": "EQ"}
    second = {"comparison_direction": "GT"}
    steps = [
        ("compare", (0, 1), first),
        ("compare", (1, 0), equal),
        ("compare", (2, 3), second),
        ("and", (8, 7)),
        ("or", (6, 9)),
    ]
    body = ListedBody((I32, I32, F32, F32, I64, I64), steps, (10,))
    a = DRAW.integers(0, 4, 300).astype(np.int32)
    b = DRAW.integers(0, 4, 300).astype(np.float32)
    c = np.arange(300)
    order = sorted(range(300), key=lambda at: (a[at], -b[at], at))
    for result, operand in zip(sort(a, b, c, body=body), (a, b, c)):
        np.testing.assert_array_equal(result, operand[order])
    assert body.calls == 0


def test_sort_by_a_computed_key() -> None:
    steps = [("abs", (0,)), ("abs", (1,)), ("compare", (3, 2), {"comparison_direction": "GT"})]
    body = ListedBody((F32, F32), steps, (4,))
    x = DRAW.permutation(np.arange(-50, 50)).astype(np.float32)
    np.testing.assert_array_equal(sort(x, body=body), sorted(x, key=abs))
    assert body.calls == 0


def test_sort_by_a_comparator_to_which_all_are_equal_changes_nothing() -> None:
    body = ListedBody((F32, F32), [("constant", (), {"value": splat(tensor(I1), False)}, I1)], (2,))
    np.testing.assert_array_equal(sort(SPECIAL, body=body), SPECIAL)


def odd_first(vectorizable: bool = True) -> ListedBody:
    """Odd numbers before even ones, the rest by size: left is odd and right is not, or alike and less."""
    steps = [
        ("constant", (), {"value": splat(tensor(I32), 1)}, I32),
        ("and", (0, 4)),
        ("and", (1, 4)),
        ("compare", (5, 6), {"comparison_direction": "GT"}),
        ("compare", (5, 6), {"comparison_direction": "GE"}),
        ("compare", (0, 1), {"comparison_direction": "LT"}),
        ("and", (8, 9)),
        ("or", (7, 10)),
    ]
    return ListedBody((I32, I32, I32, I32), steps, (11,), vectorizable)


@pytest.mark.parametrize("vectorizable", [True, False])
@pytest.mark.parametrize("size", [2, 3, 8, 13, 100])
def test_sort_by_any_comparator_is_stable(size: int, vectorizable: bool) -> None:
    body = odd_first(vectorizable)
    assert keys_of(body) is None
    x = DRAW.integers(0, 9, (3, size)).astype(np.int32)
    payload = np.broadcast_to(np.arange(size, dtype=np.int32), x.shape)
    values, places = sort(x, payload, body=body)
    for row in range(3):
        order = sorted(range(size), key=lambda at: (1 - x[row, at] % 2, x[row, at]))
        np.testing.assert_array_equal(places[row], order)
        np.testing.assert_array_equal(values[row], x[row, order])


def test_sort_of_many_elements_by_any_comparator_takes_few_steps() -> None:
    body = odd_first()
    x = DRAW.integers(0, 1000, 100_000).astype(np.int32)
    values, _ = sort(x, x, body=body)
    np.testing.assert_array_equal(values, np.concatenate([np.sort(x[x % 2 == 1]), np.sort(x[x % 2 == 0])]))
    assert body.calls < 200


def test_sort_by_a_comparator_that_contradicts_itself_permutes() -> None:
    body = compared("LE", I32)
    x = DRAW.integers(0, 3, 50).astype(np.int32)
    np.testing.assert_array_equal(np.sort(sort(x, body=body)), np.sort(x))
    always = ListedBody((I32, I32), [("constant", (), {"value": splat(tensor(I1), True)}, I1)], (2,))
    np.testing.assert_array_equal(np.sort(sort(x, body=always)), np.sort(x))


def test_sort_of_nothing() -> None:
    for shape in ((0,), (3, 0), (0, 3), (3, 1)):
        x = np.ones(shape, np.float32)
        assert sort(x, body=compared("LT", F32)).shape == shape
