"""chlo's kernels against XLA on CPU, against SciPy in higher precision, and by definition."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from scipy import special

from shlo.dialects.chlo.dialect import RaggedDotDimensionNumbers
from shlo.interpreter.kernel_api import KernelError
from shlo.ir.attributes import FloatAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import element_type_for
from shlo.ir.floats import bits_from_float
from shlo.ir.types import F32, I1, I32, ComplexType, FloatType
from tests.oracle import Oracle

from .helpers import evaluate, on_xla, specialize, tensor, tensor_type
from .values import COMPLEX, INTEGERS, UNSIGNED, Array, combinations, distance, dtype_named, edge_values

F64 = FloatType("f64")
REAL_FUNCTIONS: dict[str, Any] = {
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atanh": np.arctanh,
    "bessel_i1e": special.i1e,
    "cosh": np.cosh,
    "digamma": special.digamma,
    "erf": special.erf,
    "erf_inv": special.erfinv,
    "erfc": special.erfc,
    "lgamma": special.gammaln,
    "sinh": np.sinh,
    "square": np.square,
    "tan": np.tan,
}
EDGES = [0, 1, 2, 3, 10, 0.5, 3.5, 100.5, 88, 172, 1e-30, 1e10, np.inf, np.nan]


LARGEST_ERRORS = {"cosh": 10, "erf": 3, "sinh": 10}
"""Where XLA on CPU is further than two units from the exact value; up to 20 its cosh and sinh are 9 off."""


@pytest.mark.parametrize("name", REAL_FUNCTIONS)
def test_f32_is_within_two_units_of_the_exact_value(name: str) -> None:
    random = np.random.default_rng(0)
    parts = random.uniform(-20, 20, 5000), random.uniform(-1, 1, 5000), 10.0 ** -np.arange(30)
    x = np.concatenate(parts).astype(np.float32)
    with np.errstate(all="ignore"):
        exact = REAL_FUNCTIONS[name](x.astype(np.float64)).astype(np.float32)
    assert distance(evaluate(f"chlo.{name}", x), exact) <= LARGEST_ERRORS.get(name, 2)


@pytest.mark.parametrize("name", REAL_FUNCTIONS)
def test_edges_are_those_of_xla(oracle: Oracle, name: str) -> None:
    for type_ in ("float32", "float64", "float16", "bfloat16"):
        with np.errstate(over="ignore"):
            x = np.array([*EDGES, *(-edge for edge in EDGES)]).astype(dtype_named(type_))
        if name == "lgamma":  # XLA's for f32 is not 0 at 1
            x = x[x != 1]
        if name == "digamma":  # `digamma-at-zero` of docs/differences.md; f32 takes subnormals for zeros
            x = x[np.abs(x.astype(np.float64)) >= np.finfo(np.float32).tiny]
        got, want = evaluate(f"chlo.{name}", x), on_xla(oracle, f"chlo.{name}", x)[0]
        assert got.dtype == want.dtype
        np.testing.assert_allclose(got.astype(np.float64), want.astype(np.float64), rtol=2e-2, atol=1e-40)


@pytest.mark.parametrize("name", ["zeta", "polygamma"])
def test_zeta_and_polygamma(oracle: Oracle, name: str) -> None:
    first, second = combinations(np.array([0, 1, 2, 3, 1.5, -1, 0.5, 7, -2, -0.5, 100, 1e-3, np.nan]), 2)
    known = (first != 0) | (second != 0)  # polygamma(0, 0) is digamma at zero: as above
    first, second = first[known], second[known]
    got, want = evaluate(f"chlo.{name}", first, second), on_xla(oracle, f"chlo.{name}", first, second)[0]
    np.testing.assert_allclose(got, want, rtol=1e-12)


@pytest.mark.parametrize(
    "name", ["acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "sinh", "square"]
)
def test_complex_functions(oracle: Oracle, name: str) -> None:
    for type_ in COMPLEX:
        z = np.concatenate([edge_values(type_), np.array([2.5, -3.25, 0.5, 1j, 3j, -3j], dtype_named(type_))])
        z = np.concatenate([z, np.conjugate(z[-6:]), -z[-6:]])
        z = z[np.abs(z * z - 1) > 1e-6] if name == "atanh" else z[np.abs(z * z + 1) > 1e-6]
        apart = distance(evaluate(f"chlo.{name}", z), on_xla(oracle, f"chlo.{name}", z)[0])
        assert apart <= 200, type_  # XLA's sinh and cosh are that far off


def test_asin_and_acos_follow_from_their_common_kernel() -> None:
    z = edge_values("complex128")
    w = evaluate("chlo._asin_acos_kernel", z)
    np.testing.assert_allclose(np.arctan2(z.real, w.real), np.arcsin(z).real, rtol=1e-13)
    np.testing.assert_allclose(w.imag, np.abs(np.arccos(z).imag), rtol=1e-13)


def test_erf_in_blocks_and_on_scalars() -> None:
    x = np.linspace(-6, 6, 40001, dtype=np.float32)
    result = evaluate("chlo.erf", x.reshape(1, -1))
    np.testing.assert_allclose(result[0], special.erf(x.astype(np.float64)), rtol=3e-7)
    assert abs(result).max() == 1
    for scalar in (np.float32(0.5), np.float64(0.5)):
        assert evaluate("chlo.erf", scalar).dtype == scalar.dtype


@pytest.mark.parametrize("name", ["is_inf", "is_neg_inf", "is_pos_inf"])
def test_infinities(oracle: Oracle, name: str) -> None:
    for type_ in ("float64", "float16", "bfloat16", "float8_e5m2", "float8_e4m3fn"):
        x = edge_values(type_)
        results = [tensor(I1, x.size)]
        got = evaluate(f"chlo.{name}", x, result_types=results)
        np.testing.assert_array_equal(got, on_xla(oracle, f"chlo.{name}", x, result_types=results)[0])


def test_conj() -> None:
    np.testing.assert_array_equal(evaluate("chlo.conj", np.array([1 + 2j])), [1 - 2j])
    np.testing.assert_array_equal(evaluate("chlo.conj", np.array([1.5])), [1.5])


def test_next_after_steps_in_the_type_itself(oracle: Oracle) -> None:
    for type_ in ("float64", "float32", "float16", "bfloat16"):
        x, y = combinations(edge_values(type_), 2)
        got, want = evaluate("chlo.next_after", x, y), on_xla(oracle, "chlo.next_after", x, y)[0]
        assert distance(got, want) == 0, type_


def test_mulhi_is_the_upper_half_of_the_product() -> None:
    for type_ in (*INTEGERS, *UNSIGNED):
        x, y = combinations(edge_values(type_), 2)
        bits = ml_dtypes.iinfo(x.dtype).bits
        exact = [(int(a) * int(b)) >> bits for a, b in zip(x, y)]
        got = evaluate("chlo.mulhi", x, y)
        assert got.dtype == x.dtype
        assert got.astype(object).tolist() == exact, type_


def test_constant_and_constant_like() -> None:
    value = np.arange(6.0, dtype=np.float32).reshape(2, 3)
    attribute = DenseElementsAttr(tensor(F32, 2, 3), value)
    np.testing.assert_array_equal(
        evaluate("chlo.constant", result_types=[tensor(F32, 2, 3)], value=attribute), value
    )
    third = FloatAttr(bits_from_float(1 / 3, F64), F64)
    result = evaluate("chlo.constant_like", value, result_types=[tensor(F64, 2, 3)], value=third)
    np.testing.assert_array_equal(result, np.full((2, 3), 1 / 3))


def test_broadcasting_aligns_at_the_end_or_by_dimensions() -> None:
    matrix, row, column = np.arange(6.0).reshape(2, 3), np.array([1.0, 2, 3]), np.array([10.0, 20])
    np.testing.assert_array_equal(evaluate("chlo.broadcast_subtract", matrix, row), matrix - row)
    np.testing.assert_array_equal(
        evaluate("chlo.broadcast_subtract", column, matrix, broadcast_dimensions=[0]),
        column[:, None] - matrix,
    )
    with pytest.raises(KernelError, match=r"\[2, 3\] and \[2\] do not fit"):
        evaluate("chlo.broadcast_add", matrix, column)


def test_broadcasting_repeats_both_sides() -> None:
    x, y = np.array([[1.0], [2.0]]), np.array([5.0, 1.5, np.nan])
    less = evaluate(
        "chlo.broadcast_compare", x, y, result_types=[tensor(I1, 2, 3)], comparison_direction="LT"
    )
    np.testing.assert_array_equal(less, x < y)
    number = evaluate("chlo.broadcast_complex", x, y, result_types=[tensor(ComplexType(F64), 2, 3)])
    np.testing.assert_array_equal(number.imag, np.broadcast_to(y, (2, 3)))
    chosen = evaluate("chlo.broadcast_select", np.array(True), x, y, result_types=[tensor(F64, 2, 3)])
    np.testing.assert_array_equal(chosen, np.broadcast_to(x, (2, 3)))


def test_every_broadcasting_operation_has_a_kernel() -> None:
    from shlo.dialects.chlo.dialect import BROADCASTING

    for op_def in BROADCASTING:
        integer = any(part in op_def.name for part in ("and", "or", "shift"))
        operand = tensor(I32 if integer and "next" not in op_def.name else F32, 2)
        count = len(op_def.operands)
        types = [tensor(I1, 2), operand, operand] if count == 3 else [operand, operand]
        assert specialize(op_def.name, types, [operand], {"comparison_direction": "EQ"})


def top_k_of_xla(oracle: Oracle, x: Array, k: int) -> list[Any]:
    shape = (*x.shape[:-1], k)
    results = [tensor(element_type_for(x.dtype), *shape), tensor(I32, *shape)]
    return on_xla(oracle, "chlo.top_k", x, result_types=results, attributes=f"k = {k} : i64")


@pytest.mark.parametrize("k", [1, 5, 40])
def test_top_k_orders_nan_first_and_equals_by_place(oracle: Oracle, k: int) -> None:
    random = np.random.default_rng(0)
    numbers = random.integers(-5, 5, (3, 40))
    with_nan = np.where(numbers == 3, np.nan, np.where(numbers == 2, -np.nan, numbers / 2)) * -1.0
    for x in (
        *(with_nan.astype(dtype_named(name)) for name in ("float32", "float64", "float16", "bfloat16")),
        *(numbers.astype(name) for name in ("int32", "int64", "uint8", "uint32", "uint64")),
    ):
        shape = (*x.shape[:-1], k)
        results = [tensor(element_type_for(x.dtype), *shape), tensor(I32, *shape)]
        values, indices = evaluate("chlo.top_k", x, result_types=results, k=k)
        want_values, want_indices = top_k_of_xla(oracle, x, k)
        np.testing.assert_array_equal(indices, want_indices, x.dtype.name)
        np.testing.assert_array_equal(values.astype(np.float64), want_values.astype(np.float64))


RAGGED_DOTS = [
    # free: lhs rows in groups, each with its own right side
    ((11, 5), (3, 5, 7), (3,), RaggedDotDimensionNumbers((), (), (1,), (1,), (0,), (0,))),
    ((2, 11, 5), (3, 2, 5, 7), (2, 3), RaggedDotDimensionNumbers((0,), (1,), (2,), (2,), (1,), (0,))),
    ((4, 11, 5), (3, 5, 7), (4, 3), RaggedDotDimensionNumbers((), (), (2,), (1,), (1,), (0,))),
    # contracted: a result for each group
    ((4, 11), (11, 7), (3,), RaggedDotDimensionNumbers((), (), (1,), (0,), (1,), ())),
    ((2, 4, 11), (2, 11, 7), (2, 3), RaggedDotDimensionNumbers((0,), (0,), (2,), (1,), (2,), ())),
    # batch: groups change nothing
    ((6, 4, 5), (6, 5, 7), (3,), RaggedDotDimensionNumbers((0,), (0,), (2,), (1,), (0,), ())),
]


@pytest.mark.parametrize(("lhs", "rhs", "groups", "numbers"), RAGGED_DOTS)
def test_ragged_dot(
    lhs: tuple[int, ...], rhs: tuple[int, ...], groups: tuple[int, ...], numbers: RaggedDotDimensionNumbers
) -> None:
    jax = pytest.importorskip("jax")
    random = np.random.default_rng(0)
    x, y = (random.normal(size=shape).astype(np.float32) for shape in (lhs, rhs))
    sizes = np.broadcast_to(np.array([2, 0, 4], np.int32), groups)
    jax_numbers = jax.lax.RaggedDotDimensionNumbers(
        (
            (numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions),
            (numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions),
        ),
        numbers.lhs_ragged_dimensions,
        numbers.rhs_group_dimensions,
    )
    want = np.asarray(jax.lax.ragged_dot_general(x, y, sizes, jax_numbers))
    got = evaluate(
        "chlo.ragged_dot", x, y, sizes, result_types=[tensor_type(want)], ragged_dot_dimension_numbers=numbers
    )
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)
