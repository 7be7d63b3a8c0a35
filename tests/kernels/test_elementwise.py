"""Elementwise kernels against XLA on CPU, at the edges of every element type."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.kernels.numeric import SOURCE_NAMES
from shlo.ir.dtypes import element_type_for
from shlo.ir.types import F32, I1, ComplexType, FloatType, IntegerType, RankedTensorType, Type
from tests.oracle import Oracle

from .helpers import (
    Call,
    all_on_xla,
    entry_of,
    evaluate,
    on_xla,
    specialization,
    specialize,
    tensor,
    tensor_type,
)
from .values import (
    BYTE_FLOATS,
    COMPLEX,
    INTEGERS,
    UNSIGNED,
    WIDE_FLOATS,
    Array,
    combinations,
    distance,
    dtype_named,
    edge_values,
)

ALL_INTEGERS = (*INTEGERS, *UNSIGNED)
FLOATS = (*WIDE_FLOATS, "float8_e4m3fn", "float8_e5m2fnuz", "float4_e2m1fn")  # one byte format of each sort
NUMBERS = (*ALL_INTEGERS, *FLOATS)
WITH_NAN = (*ALL_INTEGERS, *FLOATS[:-1])  # without f4E2M1FN, where NaN becomes a zero

EXACT: dict[str, tuple[int, Iterable[str]]] = {
    "abs": (1, (*INTEGERS, *FLOATS)),
    "add": (2, ("bool", *NUMBERS)),
    "and": (2, ("bool", *ALL_INTEGERS)),
    "ceil": (1, FLOATS),
    "clamp": (3, ("bool", "int4", "uint8")),
    "count_leading_zeros": (1, ALL_INTEGERS),
    "divide": (2, WITH_NAN),
    "floor": (1, FLOATS),
    "multiply": (2, ("bool", *NUMBERS)),
    "negate": (1, NUMBERS),
    "not": (1, ("bool", *ALL_INTEGERS)),
    "or": (2, ("bool", *ALL_INTEGERS)),
    "popcnt": (1, ("int8", "int16", "int32", "int64", *UNSIGNED)),
    "real": (1, FLOATS),
    "imag": (1, FLOATS),
    "remainder": (2, WITH_NAN),
    "round_nearest_afz": (1, FLOATS),
    "round_nearest_even": (1, FLOATS),
    "shift_left": (2, ALL_INTEGERS),
    "shift_right_arithmetic": (2, ALL_INTEGERS),
    "shift_right_logical": (2, ALL_INTEGERS),
    "sign": (1, (*INTEGERS, *FLOATS)),
    "subtract": (2, NUMBERS),
    "xor": (2, ("bool", *ALL_INTEGERS)),
}
# XLA rounds sqrt of a f8E3M4 twice, and for it -0 is below +0 in maximum and minimum.
WITHIN_ONE: dict[str, tuple[int, Iterable[str]]] = {
    "clamp": (3, ("float16", "float32")),
    "maximum": (2, ("bool", *NUMBERS)),
    "minimum": (2, ("bool", *NUMBERS)),
    "sqrt": (1, FLOATS),
}
# The sum of both sides' errors: XLA's f32 and f64 functions are up to three units off.
ROUNDED: dict[str, tuple[int, Iterable[str]]] = {
    "atan2": (2, FLOATS),
    "cbrt": (1, FLOATS),
    "cosine": (1, FLOATS),
    "exponential": (1, FLOATS),
    "exponential_minus_one": (1, FLOATS),
    "log": (1, FLOATS),
    "log_plus_one": (1, FLOATS),
    "logistic": (1, FLOATS),
    "power": (2, FLOATS),
    "rsqrt": (1, FLOATS),
    "sine": (1, FLOATS),
    "tan": (1, FLOATS),
    "tanh": (1, FLOATS),
}
COMPLEX_OPERATIONS = {
    **dict.fromkeys(("add", "subtract", "multiply", "divide", "power"), 2),
    **dict.fromkeys(("negate", "sign", "exponential", "exponential_minus_one", "log", "log_plus_one"), 1),
    **dict.fromkeys(("logistic", "rsqrt", "sqrt", "sine", "cosine", "tan", "tanh"), 1),
}


@pytest.fixture
def oracle(fusing_oracle: Oracle) -> Oracle:
    """Returns the oracle with the values that users get."""
    return fusing_oracle


def flushed(x: Array) -> Array:
    """Subnormal numbers of wide floats as zeros, as XLA on CPU takes them."""
    if x.dtype.name not in ("float64", "float32", "bfloat16"):
        return x
    with np.errstate(invalid="ignore"):
        is_subnormal = np.abs(x) < ml_dtypes.finfo(x.dtype).tiny
    return np.where(is_subnormal, np.zeros_like(x), x)


def assert_as_xla(oracle: Oracle, cases: list[tuple[Call, float]]) -> None:
    """Asserts that results are at most so many steps from XLA's."""
    for (call, tolerance), want in zip(cases, all_on_xla(oracle, [call for call, _ in cases])):
        got = np.asarray(evaluate(call.name, *call.arrays, result_types=call.result_types))
        apart = distance(flushed(got), flushed(want))
        assert apart <= tolerance, f"{call.name} of {call.arrays[0].dtype}: {apart}"


def call(name: str, type_: str, arity: int) -> Call:
    return Call(name, combinations(edge_values(type_), arity))


@pytest.mark.parametrize("name", EXACT)
def test_is_what_xla_computes(oracle: Oracle, name: str) -> None:
    arity, types = EXACT[name]
    assert_as_xla(oracle, [(call(name, type_, arity), 0) for type_ in types])


@pytest.mark.parametrize("name", [*WITHIN_ONE, *ROUNDED])
def test_is_near_what_xla_computes(oracle: Oracle, name: str) -> None:
    arity, types = WITHIN_ONE.get(name) or ROUNDED[name]
    tolerance = 1 if name in WITHIN_ONE else 4
    narrow = {type_: dtype_named(type_).itemsize < 4 for type_ in types}
    cases = [(call(name, type_, arity), 1 if narrow[type_] else tolerance) for type_ in types]
    assert_as_xla(oracle, cases)


@pytest.mark.parametrize("name", COMPLEX_OPERATIONS)
def test_complex(oracle: Oracle, name: str) -> None:
    tolerance = 500 if name in ("power", "sine") else 50
    cases = [(call(name, type_, COMPLEX_OPERATIONS[name]), tolerance) for type_ in COMPLEX]
    assert_as_xla(oracle, cases)


def test_integer_power_wraps_and_rounds_negative_powers_toward_zero(oracle: Oracle) -> None:
    operands = [combinations(edge_values(type_), 2) for type_ in ALL_INTEGERS]
    few = [exponent.astype(np.float64) < 64 for _, exponent in operands]
    calls = [Call("power", [x[some] for x in pair]) for pair, some in zip(operands, few)]
    assert_as_xla(oracle, [(call, 0) for call in calls])


def test_complex_division_by_zero_and_infinity_follows_annex_g() -> None:
    pairs = [
        (1 + 2j, 0j),
        (1 + 2j, complex(-0.0, 0)),
        (complex(np.inf, 1), 1 + 1j),
        (1 + 1j, complex(0, np.inf)),
    ]
    lhs, rhs = (np.array(side, np.complex128) for side in zip(*pairs))
    result = evaluate("divide", lhs, rhs)
    infinity = np.inf
    np.testing.assert_array_equal(result.real, [infinity, -infinity, infinity, 0])
    np.testing.assert_array_equal(result.imag, [infinity, -infinity, -infinity, 0])


def test_complex_functions_keep_digits_near_zero() -> None:
    z = np.array([1e-9 + 2e-9j, -1e-9 - 1e-12j])
    np.testing.assert_allclose(evaluate("log_plus_one", z), z - z * z / 2, rtol=1e-15)
    np.testing.assert_allclose(evaluate("exponential_minus_one", z), z + z * z / 2, rtol=1e-15)


def test_atan2_of_real_numbers_as_complex_ones_is_the_angle() -> None:
    y, x = combinations(np.array([-2.0, -0.3, 0.7, 5.0]), 2)
    result = evaluate("atan2", y.astype(np.complex128), x.astype(np.complex128))
    np.testing.assert_allclose(result, np.arctan2(y, x), rtol=1e-15)


CONVERTED = ("bool", *ALL_INTEGERS, *WIDE_FLOATS, *BYTE_FLOATS, *COMPLEX)
COMMON = ("uint8", "int32", "float32", "float64")
"""Every type is converted from and to these."""


def converted_values(source: str, target: str) -> Array:
    """Edges of the source type, without those that XLA converts wrongly from and to f4E2M1FN."""
    values = edge_values(source)
    if "float4_e2m1fn" not in (source, target):
        return values
    return values[np.abs(values.astype(np.complex128)) < 5]  # its 6 counts as an infinity, and NaN becomes -0


@pytest.mark.parametrize("target", CONVERTED)
def test_convert(oracle: Oracle, target: str) -> None:
    element_type = element_type_for(dtype_named(target))
    sources = CONVERTED if target in COMMON else COMMON
    operands = [converted_values(source, target) for source in sources]
    calls = [Call("convert", [x], [RankedTensorType(x.shape, element_type)]) for x in operands]
    for call, want in zip(calls, all_on_xla(oracle, calls)):
        got = evaluate("convert", *call.arrays, result_types=call.result_types)
        assert got.dtype == want.dtype
        if target in COMPLEX:
            got, want = got.view(want.real.dtype), want.view(want.real.dtype)
        assert distance(flushed(got), flushed(want)) == 0, f"{call.arrays[0].dtype} to {target}"


def test_convert_of_f64_rounds_once_to_a_byte() -> None:
    just_above_a_tie = np.array([1 + 2.0**-4 + 2.0**-40])
    result = evaluate("convert", just_above_a_tie, result_types=[tensor(FloatType("f8E4M3FN"), 1)])
    assert float(result[0]) == 1.125


@pytest.mark.parametrize("direction", ["EQ", "NE", "GE", "GT", "LE", "LT"])
def test_compare(oracle: Oracle, direction: str) -> None:
    kinds = {"FLOAT": FLOATS, "TOTALORDER": FLOATS, "SIGNED": INTEGERS, "UNSIGNED": ("bool", *UNSIGNED)}
    complex_types = COMPLEX if direction in ("EQ", "NE") else ()
    cases = [(type_, kind) for kind, types in kinds.items() for type_ in types]
    cases += [(type_, "FLOAT") for type_ in complex_types]
    operands = [combinations(edge_values(type_), 2) for type_, _ in cases]
    calls = [
        Call(
            "compare",
            pair,
            [tensor(I1, pair[0].size)],
            f"comparison_direction = #stablehlo<comparison_direction {direction}>, "
            f"compare_type = #stablehlo<comparison_type {kind}>",
        )
        for pair, (_, kind) in zip(operands, cases)
    ]
    for call, (type_, kind), want in zip(calls, cases, all_on_xla(oracle, calls)):
        attributes = {"comparison_direction": direction, "compare_type": kind}
        got = evaluate("compare", *call.arrays, result_types=call.result_types, **attributes)
        np.testing.assert_array_equal(got, want, f"{type_} {kind}")


def test_total_order_puts_nan_at_the_ends_and_minus_zero_below_zero() -> None:
    ordered = np.array([-np.nan, -np.inf, -1, -0.0, 0.0, 1, np.inf, np.nan], np.float32)
    ordered[0] = np.copysign(np.nan, -1)
    lhs, rhs = combinations(ordered, 2)
    less = evaluate(
        "compare",
        lhs,
        rhs,
        result_types=[tensor(I1, lhs.size)],
        comparison_direction="LT",
        compare_type="TOTALORDER",
    )
    place = np.arange(ordered.size)
    np.testing.assert_array_equal(less.reshape(8, 8), place[None, :] < place[:, None])


def test_select() -> None:
    on_true, on_false = np.arange(3), -np.arange(3)
    predicate = np.array([True, False, True])
    results = [tensor_type(on_true)]
    np.testing.assert_array_equal(
        evaluate("select", predicate, on_true, on_false, result_types=results), [0, -1, 2]
    )
    assert evaluate("select", np.array(False), on_true, on_false, result_types=results) is on_false


def test_is_finite(oracle: Oracle) -> None:
    for type_ in FLOATS:
        values = edge_values(type_)
        results = [tensor(I1, values.size)]
        got = evaluate("is_finite", values, result_types=results)
        np.testing.assert_array_equal(got, on_xla(oracle, "is_finite", values, result_types=results)[0])


FORMATS = [(5, 10), (8, 7), (4, 3), (5, 2), (2, 1), (5, 0), (1, 0), (8, 23), (11, 52), (6, 20)]


@pytest.mark.parametrize("type_", [*WIDE_FLOATS, "float8_e5m2"])
def test_reduce_precision(oracle: Oracle, type_: str) -> None:
    values = edge_values(type_)
    texts = [f"exponent_bits = {e} : i32, mantissa_bits = {m} : i32" for e, m in FORMATS]
    wanted = all_on_xla(oracle, [Call("reduce_precision", [values], attributes=text) for text in texts])
    for (exponent, mantissa), want in zip(FORMATS, wanted):
        got = evaluate("reduce_precision", values, exponent_bits=exponent, mantissa_bits=mantissa)
        is_number = ~np.isnan(values.astype(np.float64))
        assert distance(got[is_number], want[is_number]) == 0, f"{type_} as e{exponent}m{mantissa}"
        # No format without mantissa bits has a NaN; XLA on CPU keeps it all the same.
        assert np.all(np.isnan(got[~is_number]) if mantissa else np.isinf(got[~is_number]))


BITCASTS = [
    ("float32", "int32", ()),
    ("bfloat16", "float16", ()),
    ("int4", "uint4", ()),
    ("float64", "uint8", (8,)),
    ("int32", "uint4", (8,)),
    ("uint8", "uint2", (4,)),
    ("int4", "int2", (2,)),
]


@pytest.mark.parametrize(("source", "target", "added"), BITCASTS)
def test_bitcast_convert_both_ways(oracle: Oracle, source: str, target: str, added: tuple[int, ...]) -> None:
    values = edge_values(source)
    results = [RankedTensorType((*values.shape, *added), element_type_for(dtype_named(target)))]
    got = evaluate("bitcast_convert", values, result_types=results)
    want = on_xla(oracle, "bitcast_convert", values, result_types=results)[0]
    np.testing.assert_array_equal(got.view(np.uint8), want.view(np.uint8))
    back = evaluate("bitcast_convert", got, result_types=[tensor_type(values)])
    np.testing.assert_array_equal(back.view(np.uint8), values.view(np.uint8))


def test_complex_of_two_parts_and_back() -> None:
    real, imaginary = np.array([1.0, np.inf]), np.array([np.nan, -0.0])
    number = evaluate("complex", real, imaginary, result_types=[tensor(ComplexType(FloatType("f64")), 2)])
    np.testing.assert_array_equal(evaluate("real", number), real)
    np.testing.assert_array_equal(np.signbit(evaluate("imag", number)), [False, True])


def test_an_element_type_without_the_operation_is_an_error() -> None:
    with pytest.raises(KernelError, match="not defined for elements of type i8"):
        specialize("cosine", [tensor(IntegerType(8), 2)], [tensor(IntegerType(8), 2)])


SCALAR_TYPES = ("bool", "int8", "int32", "int64", "uint8", "uint32", "uint64", "float32", "float64")
SCALAR_OPERATIONS: dict[str, int] = {
    **dict.fromkeys(("add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum"), 2),
    **dict.fromkeys(("and", "or", "xor"), 2),
    **dict.fromkeys(("shift_left", "shift_right_arithmetic", "shift_right_logical"), 2),
    **dict.fromkeys(("abs", "negate", "not", "chlo.square"), 1),
    "clamp": 3,
}


def assert_source_is_kernel(
    name: str, values: Array, arity: int, result: Type | None = None, **attributes: Any
) -> bool:
    """Returns whether the operation has source on scalars; asserts that it gives what the kernel does."""
    operand = tensor_type(values[0])
    specialized = specialization(name, [operand] * arity, [result or operand], attributes)
    expression = entry_of(name).expression
    try:
        function = entry_of(name).kernel(specialized)
    except KernelError:
        return False
    source = expression(specialized) if expression else None
    if source is None:
        return False
    names = [f"x{i}" for i in range(arity)]
    compiled = eval(f"lambda {', '.join(names)}: {source.format(*names)}", {"np": np, **SOURCE_NAMES})
    with np.errstate(all="ignore"):
        for operands in zip(*combinations(values, arity)):
            got, want = compiled(*operands), np.asarray(function(*operands))
            assert isinstance(got, np.generic)
            assert got.dtype == want.dtype
            assert got.tobytes() == want.tobytes() or got != got, f"{name}{operands}: {got}, not {want}"
    return True


@pytest.mark.parametrize("name", SCALAR_OPERATIONS)
def test_source_on_scalars_gives_what_the_kernel_gives(name: str) -> None:
    arity = SCALAR_OPERATIONS[name]
    values = [edge_values(type_) for type_ in SCALAR_TYPES]
    if arity > 2:
        values = [some[::3] for some in values]
    found = [assert_source_is_kernel(name, some, arity) for some in values]
    assert any(found)


@pytest.mark.parametrize("direction", ["EQ", "NE", "GE", "GT", "LE", "LT"])
def test_source_of_compare_on_scalars(direction: str) -> None:
    for type_ in SCALAR_TYPES:
        assert assert_source_is_kernel(
            "compare", edge_values(type_), 2, tensor(I1), comparison_direction=direction
        )


def test_source_of_convert_on_scalars() -> None:
    for source in SCALAR_TYPES:
        for target in SCALAR_TYPES:
            result = tensor(element_type_for(dtype_named(target)))
            assert assert_source_is_kernel("convert", edge_values(source), 1, result)


ON_SCALARS_OR_ARRAYS = {**EXACT, **WITHIN_ONE, **ROUNDED, "select": (3, ()), "complex": (2, ())}


@pytest.mark.parametrize("name", [name for name, (arity, _) in ON_SCALARS_OR_ARRAYS.items() if arity > 1])
def test_kernels_of_scalars_take_arrays_among_them(name: str) -> None:
    arity = ON_SCALARS_OR_ARRAYS[name][0]
    tested = 0
    for dtype in (np.int32, np.int64, np.uint8, np.float32):
        arrays = [np.arange(1 + k, 7 + k).astype(dtype) for k in range(arity)]
        if name == "select":
            arrays[0] = arrays[0] > 3
        types = [tensor(element_type_for(array.dtype)) for array in arrays]
        result = tensor(ComplexType(F32)) if name == "complex" else types[-1]
        try:
            function = specialize(name, types, [result])
        except KernelError:
            continue
        for chosen in itertools.product((True, False), repeat=arity):
            mixed = [array if whole else array[2] for array, whole in zip(arrays, chosen)]
            want = function(*np.broadcast_arrays(*mixed))
            np.testing.assert_array_equal(np.broadcast_to(function(*mixed), np.shape(want)), want)
            tested += 1
    assert tested


def test_plain_operations_are_bare_ufuncs() -> None:
    f32, f64 = tensor(F32, 2), tensor(FloatType("f64"), 2)
    names = {"add": np.add, "tanh": np.tanh, "multiply": np.multiply, "divide": np.divide}
    for name, ufunc in names.items():
        for type_ in (f32, f64):
            assert specialize(name, [type_, type_], [type_]) is ufunc


@pytest.mark.parametrize(
    ("values", "result", "expected"),
    [
        (
            np.array([0x01234567], np.uint32),
            tensor(IntegerType(16, "unsigned"), 1, 2),
            np.array([[0x4567, 0x0123]], np.uint16),
        ),
        (
            np.array([[0x4567, 0x0123]], np.uint16),
            tensor(IntegerType(32, "unsigned"), 1),
            np.array([0x01234567], np.uint32),
        ),
        (
            np.array([0x4567], np.uint16),
            tensor(IntegerType(4, "unsigned"), 1, 4),
            np.array([[7, 6, 5, 4]], ml_dtypes.uint4),
        ),
        (
            np.array([[7, 6, 5, 4]], ml_dtypes.uint4),
            tensor(IntegerType(16, "unsigned"), 1),
            np.array([0x4567], np.uint16),
        ),
    ],
)
def test_the_first_part_of_an_element_has_its_lowest_bits_on_a_big_endian_machine(
    monkeypatch: pytest.MonkeyPatch, values: Any, result: RankedTensorType, expected: Any
) -> None:
    in_big = np.copy if sys.byteorder == "big" else np.ndarray.byteswap
    monkeypatch.setattr(sys, "byteorder", "big")
    actual = evaluate("bitcast_convert", in_big(values), result_types=[result])
    np.testing.assert_array_equal(in_big(actual), expected)
