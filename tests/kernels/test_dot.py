"""Dot products against XLA on CPU."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shlo.dialects.struct_attributes import DotDimensionNumbers
from shlo.interpreter.kernel_api import KernelError
from shlo.ir.attributes import StringAttr
from shlo.ir.dtypes import element_type_for
from shlo.ir.types import F32, FloatType

from .helpers import evaluate, random_array, specialize, tensor

pytestmark = pytest.mark.slow

jax = pytest.importorskip("jax")


def check(lhs: Any, rhs: Any, contracting: Any, batching: Any, result: Any, **tolerance: float) -> None:
    numbers = DotDimensionNumbers(*batching, *contracting)
    wider = [
        x.astype(np.int8) if x.dtype == ml_dtypes.int4 else x for x in (lhs, rhs)
    ]  # XLA compiles no i4 dot
    with jax.enable_x64(True):
        expected = jax.lax.dot_general(*wider, (contracting, batching), preferred_element_type=result)
    expected = np.asarray(expected)
    declared = tensor(element_type_for(expected.dtype), *expected.shape)
    actual = evaluate("dot_general", lhs, rhs, result_types=[declared], dot_dimension_numbers=numbers)
    assert (actual.shape, actual.dtype) == (expected.shape, expected.dtype)
    if actual.dtype.kind in "iub":
        np.testing.assert_array_equal(actual, expected)
    else:
        wide = np.complex128 if actual.dtype.kind == "c" else np.float64
        np.testing.assert_allclose(
            actual.astype(wide), expected.astype(wide), **({"rtol": 1e-5, "atol": 1e-5} | tolerance)
        )


ARRANGEMENTS = {  # lhs shape, rhs shape, contracting, batching
    "matrices": ((3, 4), (4, 5), ((1,), (0,)), ((), ())),
    "inner vectors": ((7,), (7,), ((0,), (0,)), ((), ())),
    "outer": ((3,), (2, 4), ((), ()), ((), ())),
    "scalars": ((), (), ((), ()), ((), ())),
    "transposed": ((4, 3), (5, 4), ((0,), (1,)), ((), ())),
    "two contracted in different orders": ((2, 3, 4), (4, 5, 2), ((0, 2), (2, 0)), ((), ())),
    "attention": ((2, 5, 4, 8), (2, 6, 4, 8), ((3,), (3,)), ((0, 2), (0, 2))),
    "batch last": ((3, 4, 2), (4, 5, 2), ((1,), (0,)), ((2,), (2,))),
    "batch of one": ((1, 3, 4), (1, 4, 5), ((2,), (1,)), ((0,), (0,))),
    "only batch": ((3, 2), (3, 2), ((), ()), ((0, 1), (0, 1))),
    "empty sum": ((3, 0), (0, 5), ((1,), (0,)), ((), ())),
    "empty result": ((0, 3), (3, 5), ((1,), (0,)), ((), ())),
    "empty batch": ((0, 2, 3), (0, 3, 5), ((2,), (1,)), ((0,), (0,))),
}


@pytest.mark.parametrize("name", ARRANGEMENTS)
def test_dot_general_dimensions(name: str) -> None:
    lhs, rhs, contracting, batching = ARRANGEMENTS[name]
    check(random_array("f4", *lhs), random_array("f4", *rhs, seed=1), contracting, batching, np.float32)


@pytest.mark.parametrize(
    ("lhs", "rhs", "result"),
    [
        ("float64", "float64", "float64"),
        ("float32", "float32", "float64"),
        ("float16", "float16", "float16"),
        ("bfloat16", "bfloat16", "bfloat16"),
        ("bfloat16", "bfloat16", "float32"),
        ("float8_e4m3fn", "float8_e5m2", "float32"),
        ("complex64", "complex64", "complex64"),
        ("complex128", "complex128", "complex128"),
        ("bool", "bool", "bool"),
        ("int4", "int4", "int32"),
        ("int8", "int8", "int8"),
        ("int8", "int8", "int32"),
        ("int8", "uint8", "int32"),
        ("int16", "int16", "int16"),
        ("int32", "int32", "int32"),
        ("int32", "int32", "int64"),
        ("uint32", "uint32", "uint32"),
        ("int64", "int64", "int64"),
        ("uint64", "uint64", "uint64"),
    ],
)
@pytest.mark.parametrize("size", [5, 130])
def test_dot_general_element_types(lhs: str, rhs: str, result: str, size: int) -> None:
    """Integers wrap exactly, whichever way (integer loop, f64, limbs) the size makes them go."""
    left, right, to = (np.dtype(getattr(ml_dtypes, name, name)) for name in (lhs, rhs, result))
    narrow = {"rtol": 1e-2, "atol": 1e-2} if to.itemsize == 2 else {"atol": 1e-4}
    a, b = random_array(left, size, size), random_array(right, size, size, seed=1)
    check(a, b, ((1,), (0,)), ((), ()), to, **narrow)


def test_dot_general_rounds_narrow_floats_once() -> None:
    ones = np.ones(4096, ml_dtypes.bfloat16)
    numbers = DotDimensionNumbers((), (), (0,), (0,))
    declared = tensor(FloatType("bf16"))
    assert evaluate("dot_general", ones, ones, result_types=[declared], dot_dimension_numbers=numbers) == 4096


def test_dot_general_large_wide_integers_use_limbs() -> None:
    for dtype in (np.int32, np.int64, np.uint64):
        a, b = random_array(dtype, 110, 110), random_array(dtype, 110, 110, seed=1)
        check(a, b, ((1,), (0,)), ((), ()), dtype)


def test_dot_general_takes_unknown_sizes_from_the_arrays() -> None:
    numbers = DotDimensionNumbers((), (), (1,), (0,))
    types = tensor(F32, None, None), tensor(F32, None, 2)  # type: ignore[arg-type]
    run = specialize("dot_general", types, [tensor(F32, None, 2)], {"dot_dimension_numbers": numbers})  # type: ignore[arg-type]
    for rows in (1, 3):
        assert (run(np.ones((rows, 4), "f4"), np.ones((4, 2), "f4")) == np.full((rows, 2), 4)).all()


@pytest.mark.parametrize("shapes", [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)), ((2, 3), (3, 4))])
def test_dot(shapes: Any) -> None:
    a, b = (random_array("f4", *shape) for shape in shapes)
    expected = np.dot(a, b)
    np.testing.assert_allclose(
        evaluate("dot", a, b, result_types=[tensor(F32, *expected.shape)]), expected, 1e-5
    )


@pytest.mark.parametrize(
    ("config", "shapes"),
    [
        ("ij,jk->ik", ((2, 3), (3, 4))),
        ("bij, bkj -> kbi", ((5, 2, 3), (5, 4, 3))),
        ("ii,ij->j", ((3, 3), (3, 4))),
        ("ijk,k->j", ((2, 3, 4), (4,))),
        ("...ij,...jk->...ik", ((2, 5, 3, 4), (2, 5, 4, 6))),
        (",ij->ji", ((), (2, 3))),
    ],
)
def test_einsum(config: str, shapes: Any) -> None:
    a, b = (random_array("f4", *shape) for shape in shapes)
    expected = np.einsum(config, a, b)
    declared = [tensor(F32, *expected.shape)]
    actual = evaluate("einsum", a, b, result_types=declared, einsum_config=StringAttr(config))
    np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("config", ["ijj->ij", "ijj->i", "ijk->kij", "ijk->", "i...->...i"])
def test_unary_einsum(config: str) -> None:
    a = random_array("f4", 2, 3, 3)
    expected = np.einsum(config, a)
    declared = [tensor(F32, *expected.shape)]
    actual = evaluate("unary_einsum", a, result_types=declared, einsum_config=StringAttr(config))
    np.testing.assert_allclose(actual, expected, rtol=1e-5)


@pytest.mark.parametrize(
    "config", ["ij,jk", "ij,jk,kl->il", "ij,ik->jk", "ijk,jk->i", "ij,jk->iz", "i1,jk->i"]
)
def test_einsum_refuses(config: str) -> None:
    a, b = np.zeros((2, 3), "f4"), np.zeros((3, 4), "f4")
    with pytest.raises(KernelError, match="einsum"):
        evaluate("einsum", a, b, result_types=[tensor(F32, 2, 4)], einsum_config=StringAttr(config))
