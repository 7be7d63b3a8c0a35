"""Elementwise operations: integers of Python, and floats at high precision by mpmath, element by element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import mpmath
import numpy as np

from shlo.fuzzing.maker import Maker, tensor_type
from shlo.fuzzing.values import COMPLEX, INTEGERS, UNSIGNED, dtype_named
from tests.differential.instances import Array, Instance, Result

SIGNED = INTEGERS[1:]
INTEGER = (*SIGNED, *UNSIGNED[1:])
FLOATS = ("float64", "float32", "float16", "bfloat16", "float8_e5m2", "float8_e4m3fn")
LOGICAL = ("bool", *INTEGER)
PRECISION_BITS = 120
ULPS = 4
"""How many units in the last place a function may be off the exact value; those of XLA may be, too."""
COMPLEX_ULPS = 16
"""The same for functions of complex numbers."""
XLA_ULPS = 64

Number = Any
Formula = Callable[..., Number]


def _width(name: str) -> int:
    return 1 if name == "bool" else ml_dtypes.iinfo(dtype_named(name)).bits


def wrapped(value: int, name: str) -> int:
    """Returns the integer of type `name` that is `value` modulo a power of two."""
    if name == "bool":
        return int(value != 0)
    bits = _width(name)
    value &= (1 << bits) - 1
    is_negative = not name.startswith("uint") and value >> (bits - 1)
    return value - (1 << bits) if is_negative else value


def _quotient(left: int, right: int, name: str) -> int:
    if right == 0:
        return -1
    magnitude = abs(left) // abs(right)
    return magnitude if (left < 0) == (right < 0) else -magnitude


def _remainder(left: int, right: int, name: str) -> int:
    return left - right * _quotient(left, right, name) if right else left


def _power(left: int, right: int, name: str) -> int:
    if right >= 0:
        return pow(left, right, 1 << _width(name))
    return {1: 1, -1: 1 if right % 2 == 0 else -1}.get(left, 0)


def _shift_left(value: int, amount: int, name: str) -> int:
    return value << amount if 0 <= amount < _width(name) else 0


def _shift_right_logical(value: int, amount: int, name: str) -> int:
    return _unsigned(value, name) >> amount if 0 <= amount < _width(name) else 0


def _unsigned(value: int, name: str) -> int:
    return value & ((1 << _width(name)) - 1)


def _shift_right_arithmetic(value: int, amount: int, name: str) -> int:
    bits = _width(name)
    signed = value - (1 << bits) if value >> (bits - 1) & 1 and value > 0 else value
    return signed >> (amount if 0 <= amount < bits else bits - 1)


INTEGER_FORMULAS: dict[str, tuple[tuple[str, ...], Formula]] = {
    "add": (INTEGER, lambda a, b, name: a + b),
    "subtract": (INTEGER, lambda a, b, name: a - b),
    "multiply": (INTEGER, lambda a, b, name: a * b),
    "divide": (INTEGER, _quotient),
    "remainder": (INTEGER, _remainder),
    "power": (INTEGER, _power),
    "maximum": (LOGICAL, lambda a, b, name: max(a, b)),
    "minimum": (LOGICAL, lambda a, b, name: min(a, b)),
    "and": (LOGICAL, lambda a, b, name: a & b),
    "or": (LOGICAL, lambda a, b, name: a | b),
    "xor": (LOGICAL, lambda a, b, name: a ^ b),
    "not": (LOGICAL, lambda a, name: 1 - a if name == "bool" else ~a),
    "negate": (INTEGER, lambda a, name: -a),
    "abs": (SIGNED, lambda a, name: abs(a)),
    "sign": (SIGNED, lambda a, name: (a > 0) - (a < 0)),
    "popcnt": (INTEGER, lambda a, name: _unsigned(a, name).bit_count()),
    "count_leading_zeros": (INTEGER, lambda a, name: _width(name) - _unsigned(a, name).bit_length()),
    "shift_left": (INTEGER, _shift_left),
    "shift_right_arithmetic": (INTEGER, _shift_right_arithmetic),
    "shift_right_logical": (INTEGER, _shift_right_logical),
}


TRANSCENDENTAL: dict[str, Formula] = {
    "cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
    "cosine": mpmath.cos,
    "exponential": mpmath.exp,
    "exponential_minus_one": mpmath.expm1,
    "log": mpmath.log,
    "log_plus_one": mpmath.log1p,
    "logistic": lambda x: 1 / (1 + mpmath.exp(-x)),
    "rsqrt": lambda x: 1 / mpmath.sqrt(x),
    "sine": mpmath.sin,
    "sqrt": mpmath.sqrt,
    "tan": mpmath.tan,
    "tanh": mpmath.tanh,
    "atan2": mpmath.atan2,
    "power": mpmath.power,
}
"""Functions of real numbers where they are defined: on finite operands with a real result."""

POSITIVE = {"log", "rsqrt", "sqrt", "power"}
BINARY = {"atan2", "power", "add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum"}

COMPLEX_FORMULAS: dict[str, Formula] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "negate": lambda a: -a,
    "exponential": mpmath.exp,
    "exponential_minus_one": lambda a: mpmath.exp(a) - 1,
    "log": mpmath.log,
    "log_plus_one": lambda a: mpmath.log(1 + a),
    "logistic": lambda a: 1 / (1 + mpmath.exp(-a)),
    "sqrt": mpmath.sqrt,
    "rsqrt": lambda a: 1 / mpmath.sqrt(a),
    "sine": mpmath.sin,
    "cosine": mpmath.cos,
    "tan": mpmath.tan,
    "tanh": mpmath.tanh,
}

ROUNDINGS: dict[str, Callable[[Array], Array]] = {
    "floor": np.floor,
    "ceil": np.ceil,
    "round_nearest_even": np.rint,
    "round_nearest_afz": lambda x: np.where(
        np.abs(x - np.trunc(x)) == 0.5, np.trunc(x) + np.sign(x), np.rint(x)
    ),
    "negate": np.negative,
    "abs": np.abs,
    "sign": lambda x: np.where(x == 0, x, np.sign(x)),
}
"""Functions whose results are exact in binary64 for operands of every narrower type."""


def _unary_or_binary(
    name: str, operands: list[Array], formula: Callable[[], list[Array]], ulps: float, xla_ulps: float
) -> Instance:
    epsilon = _epsilon(operands[0].dtype)
    result = Result(operands[0].shape, operands[0].dtype)
    return Instance(
        f"stablehlo.{name}",
        operands,
        [result],
        formula=formula,
        tolerance=ulps * epsilon,
        xla_tolerance=xla_ulps * epsilon,
    )


def _epsilon(dtype: np.dtype[Any]) -> float:
    if dtype.kind == "c":
        return float(np.finfo(dtype).eps)
    return float(ml_dtypes.finfo(dtype).eps) if dtype.kind not in "biu" else 0.0


def integers(make: Maker) -> Instance:
    op = make.choice(sorted(INTEGER_FORMULAS))
    names, formula = INTEGER_FORMULAS[op]
    name, shape = make.choice(names), make.shape()
    count = formula.__code__.co_argcount - 1
    operands = [make.edges(shape, name) for _ in range(count)]

    def compute() -> list[Array]:
        result = np.empty(shape, object)
        for index in np.ndindex(shape):
            result[index] = wrapped(formula(*(int(operand[index]) for operand in operands), name), name)
        return [_narrowed(result, operands[0].dtype)]

    return Instance(f"stablehlo.{op}", operands, [Result(shape, operands[0].dtype)], formula=compute)


def _narrowed(values: Array, dtype: np.dtype[Any]) -> Array:
    """Python's integers as elements of a type that holds them all."""
    wide = np.dtype(np.uint64) if dtype.name.startswith("uint") else np.dtype(np.int64)
    return values.astype(wide).astype(dtype)


def transcendental(make: Maker) -> Instance:
    op, name, shape = make.choice(sorted(TRANSCENDENTAL)), make.choice(FLOATS), make.shape()
    dtype, count = dtype_named(name), 2 if op in BINARY else 1
    operands = [np.asarray(make.random.normal(0, 2, shape)).astype(dtype) for _ in range(count)]
    if op in POSITIVE:
        operands[0] = np.abs(operands[0])
    if op == "log_plus_one":
        operands[0] = np.asarray(np.abs(operands[0].astype(np.float64)) - 0.75).astype(dtype)
    operands = [np.where(operand == 0, np.ones((), dtype), operand) for operand in operands]
    return _unary_or_binary(op, operands, lambda: [_exactly(op, TRANSCENDENTAL, operands)], ULPS, XLA_ULPS)


def _exactly(op: str, formulas: dict[str, Formula], operands: list[Array]) -> Array:
    """Returns the function of each element at high precision, rounded once."""
    result = np.empty(operands[0].shape, operands[0].dtype)
    is_complex = result.dtype.kind == "c"
    number = (lambda x: mpmath.mpmathify(complex(x))) if is_complex else (lambda x: mpmath.mpf(float(x)))
    with mpmath.workprec(PRECISION_BITS):
        for index in np.ndindex(result.shape):
            value = formulas[op](*(number(operand[index]) for operand in operands))
            result[index] = complex(value) if is_complex else float(value)
    return result


def complex_functions(make: Maker) -> Instance:
    op, name, shape = make.choice(sorted(COMPLEX_FORMULAS)), make.choice(COMPLEX), make.shape()
    count = (
        COMPLEX_FORMULAS[op].__code__.co_argcount if op in ("add", "subtract", "multiply", "divide") else 1
    )
    operands = [
        (make.random.normal(0, 1, shape) + 1j * make.random.normal(0, 1, shape)) for _ in range(count)
    ]
    operands = [np.asarray(operand).astype(dtype_named(name)) for operand in operands]
    return _unary_or_binary(
        op, operands, lambda: [_exactly(op, COMPLEX_FORMULAS, operands)], COMPLEX_ULPS, XLA_ULPS
    )


EXACT = ("add", "subtract", "multiply", "divide", "maximum", "minimum")
"""IEEE 754's operations, whose results are defined to the bit."""


def arithmetic(make: Maker) -> Instance:
    """IEEE operations on edges: their results are defined to the bit."""
    op = make.choice(EXACT)
    name, shape = make.choice(FLOATS), make.shape()
    operands = [make.edges(shape, name) for _ in range(2)]

    def compute() -> list[Array]:
        left, right = operands
        if op in ("maximum", "minimum"):
            return [_extreme(left, right, op == "maximum")]
        function = getattr(np, op)
        wide = np.longdouble if name == "float64" else np.float64
        with np.errstate(all="ignore"):
            exact = (
                function(left, right)
                if name == "float64"
                else function(left.astype(wide), right.astype(wide))
            )
            return [exact.astype(left.dtype)]

    return _unary_or_binary(op, operands, compute, 0, 0)


def _extreme(left: Array, right: Array, is_maximum: bool) -> Array:
    """IEEE-754 2019 `maximum` and `minimum`: NaN if either is, +0 above -0."""
    result = np.empty_like(left)
    for index in np.ndindex(left.shape):
        a, b = float(left[index]), float(right[index])
        if np.isnan(a) or np.isnan(b):
            result[index] = np.nan
        else:
            a_wins = (a, not np.signbit(a)) > (b, not np.signbit(b))
            result[index] = left[index] if a_wins == is_maximum else right[index]
    return result


def rounding(make: Maker) -> Instance:
    op, name, shape = make.choice(sorted(ROUNDINGS)), make.choice(FLOATS), make.shape()
    operand = make.edges(shape, name)

    def compute() -> list[Array]:
        with np.errstate(all="ignore"):
            return [np.asarray(ROUNDINGS[op](operand.astype(np.float64))).astype(operand.dtype)]

    return _unary_or_binary(op, [operand], compute, 0, 0)


def is_above(left: Any, right: Any) -> bool:
    """Returns whether one element is above another one of its type, floats in total order: their bits decide."""
    if left.dtype.kind in "biu" or "int" in left.dtype.name:
        return int(left) > int(right)
    return _total_order(left) > _total_order(right)


def _total_order(value: Any) -> int:
    bits = int(np.asarray(value).view(f"u{value.dtype.itemsize}"))
    sign = 1 << (8 * value.dtype.itemsize - 1)
    return -(bits - sign) - 1 if bits & sign else bits


COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "EQ": lambda a, b: a == b,
    "NE": lambda a, b: a != b,
    "LT": lambda a, b: a < b,
    "LE": lambda a, b: a <= b,
    "GT": lambda a, b: a > b,
    "GE": lambda a, b: a >= b,
}


def compare(make: Maker) -> Instance:
    name, shape = make.choice((*LOGICAL, *FLOATS)), make.shape()
    left, right = make.edges(shape, name), make.edges(shape, name)
    direction = make.choice(sorted(COMPARISONS))
    number = float if name in FLOATS else int
    kind = "FLOAT" if name in FLOATS else "UNSIGNED" if name == "bool" or name.startswith("u") else "SIGNED"

    def compute() -> list[Array]:
        result = np.empty(shape, bool)
        for index in np.ndindex(shape):
            result[index] = COMPARISONS[direction](number(left[index]), number(right[index]))
        return [result]

    attributes = (
        f"comparison_direction = #stablehlo<comparison_direction {direction}>, "
        f"compare_type = #stablehlo<comparison_type {kind}>"
    )
    return Instance(
        "stablehlo.compare", [left, right], [Result(shape, np.dtype(bool))], attributes, formula=compute
    )


def select(make: Maker) -> Instance:
    name, shape = make.choice((*LOGICAL, *FLOATS, *COMPLEX)), make.shape()
    chosen = make.small(() if make.chance(0.3) else shape, "bool")
    yes, no = make.edges(shape, name), make.edges(shape, name)

    def compute() -> list[Array]:
        result = no.copy()
        for index in np.ndindex(shape):
            if chosen[index if chosen.ndim else ()]:
                result[index] = yes[index]
        return [result]

    return Instance("stablehlo.select", [chosen, yes, no], [Result(shape, yes.dtype)], formula=compute)


def clamp(make: Maker) -> Instance:
    """Clamp of ordered bounds, as `minimum(maximum(operand, min), max)`."""
    name, shape = make.choice((*LOGICAL, *FLOATS)), make.shape()
    operand = make.edges(shape, name)
    low, high = (make.edges(() if make.chance(0.5) else shape, name) for _ in range(2))

    def compute() -> list[Array]:
        result = np.empty_like(operand)
        for index in np.ndindex(shape):
            below = low[index if low.ndim else ()]
            above = high[index if high.ndim else ()]
            value = np.asarray(operand[index])
            if name in FLOATS:
                result[index] = _extreme(_extreme(value, np.asarray(below), True), np.asarray(above), False)
            else:
                result[index] = min(max(int(value), int(below)), int(above))
        return [result]

    return Instance("stablehlo.clamp", [low, operand, high], [Result(shape, operand.dtype)], formula=compute)


def convert(make: Maker) -> Instance:
    """Conversions whose result the specification defines: no float that an integer type cannot hold."""
    source = make.choice((*LOGICAL, *FLOATS, *COMPLEX))
    target = make.choice((*LOGICAL, *FLOATS, *COMPLEX))
    shape = make.shape()
    if source in LOGICAL or target in (*FLOATS, "bool"):
        operand = make.edges(shape, source)
    else:
        operand = make.small(shape, source)
        if target.startswith("uint") or target in ("int2", "int4"):
            operand = np.abs(operand).astype(operand.dtype)
    dtype = dtype_named(target)

    def compute() -> list[Array]:
        result = np.empty(shape, dtype)
        with np.errstate(all="ignore"):
            for index in np.ndindex(shape):
                result[index] = _converted(operand[index], source, target, dtype)
        return [result]

    return Instance("stablehlo.convert", [operand], [Result(shape, dtype)], formula=compute)


def _converted(value: Any, source: str, target: str, dtype: np.dtype[Any]) -> Any:
    number = complex(value) if source in COMPLEX else float(value) if source in FLOATS else int(value)
    if target in COMPLEX:
        return np.asarray(complex(number)).astype(dtype)
    if isinstance(number, complex):
        number = number.real
    if target == "bool":
        return number != 0
    if target in LOGICAL:
        return np.asarray(wrapped(int(number), target)).astype(dtype)
    if isinstance(number, int):
        return _rounded_integer(number, dtype)
    return np.asarray(number, np.float64).astype(dtype)


def _rounded_integer(number: int, dtype: np.dtype[Any]) -> Any:
    """Returns an integer rounded once to a float type: wide integers through a type that holds them exactly."""
    return (
        np.asarray(number, np.longdouble)
        .astype(np.float64 if abs(number) < 1 << 53 else np.longdouble)
        .astype(dtype)
    )


def is_finite(make: Maker) -> Instance:
    name, shape = make.choice(FLOATS), make.shape()
    operand = make.edges(shape, name)

    def compute() -> list[Array]:
        result = np.empty(shape, bool)
        for index in np.ndindex(shape):
            result[index] = bool(np.isfinite(float(operand[index])))
        return [result]

    return Instance("stablehlo.is_finite", [operand], [Result(shape, np.dtype(bool))], formula=compute)


def parts(make: Maker) -> Instance:
    """`real`, `imag` and `complex`."""
    op, name, shape = (
        make.choice(("real", "imag", "complex")),
        make.choice(("float32", "float64")),
        make.shape(),
    )
    dtype = dtype_named("complex64" if name == "float32" else "complex128")
    left, right = make.edges(shape, name), make.edges(shape, name)
    whole = np.empty(shape, dtype)
    whole.real, whole.imag = left, right
    if op == "complex":
        return Instance("stablehlo.complex", [left, right], [Result(shape, dtype)], formula=lambda: [whole])
    part = left if op == "real" else right
    return Instance(f"stablehlo.{op}", [whole], [Result(shape, left.dtype)], formula=lambda: [part])


def bitcast_convert(make: Maker) -> Instance:
    names = (
        "int8",
        "uint8",
        "int16",
        "float16",
        "bfloat16",
        "int32",
        "float32",
        "int64",
        "float64",
        "uint32",
    )
    source, target = dtype_named(make.choice(names)), dtype_named(make.choice(names))
    shape = make.shape(make.integer(0, 3))
    ratio = source.itemsize // target.itemsize or target.itemsize // source.itemsize
    if source.itemsize > target.itemsize:
        result = (*shape, ratio)
    elif source.itemsize < target.itemsize:
        result, shape = shape, (*shape, ratio)
    else:
        result = shape
    count = int(np.prod(shape)) * source.itemsize
    operand = np.frombuffer(make.random.bytes(count), source).reshape(shape)

    def compute() -> list[Array]:
        return [np.frombuffer(operand.tobytes(), target).reshape(result)]

    return Instance("stablehlo.bitcast_convert", [operand], [Result(result, target)], formula=compute)


def reduce_precision(make: Maker) -> Instance:
    """Rounding to fewer bits; at least two of exponent and one of mantissa (see docs/differences.md)."""
    name, shape = make.choice(("float32", "float64", "float16", "bfloat16")), make.shape()
    info = ml_dtypes.finfo(dtype_named(name))
    exponent = make.integer(2, info.bits - info.nmant - 1)
    mantissa = make.integer(1, info.nmant)
    operand = make.edges(shape, name)

    def compute() -> list[Array]:
        result = np.empty_like(operand)
        for index in np.ndindex(shape):
            result[index] = _fewer_bits(float(operand[index]), exponent, mantissa)
        return [result]

    attributes = f"exponent_bits = {exponent} : i32, mantissa_bits = {mantissa} : i32"
    return Instance(
        "stablehlo.reduce_precision", [operand], [Result(shape, operand.dtype)], attributes, formula=compute
    )


def _fewer_bits(value: float, exponent: int, mantissa: int) -> float:
    """Returns the nearest number of a format without subnormals, ties to even."""
    if not np.isfinite(value) or value == 0:
        return value
    power = int(np.frexp(value)[1]) - 1
    unit = 2.0 ** (power - mantissa)
    rounded = float(np.rint(value / unit) * unit)
    largest = 2 ** (exponent - 1) - 1
    power = int(np.frexp(rounded)[1]) - 1
    if np.isinf(rounded) or power > largest:
        return float(np.copysign(np.inf, value))
    return float(np.copysign(0.0, value)) if power < 1 - largest else rounded


def map_(make: Maker) -> Instance:
    """Returns a map of two operands, of which the body makes `x + x * y`."""
    name, shape = make.choice(("int32", "uint8", "float32")), make.shape()
    left, right = make.small(shape, name), make.small(shape, name)
    scalar = tensor_type((), left.dtype)
    region = (
        f"{{ ^bb0(%x: {scalar}, %y: {scalar}): %p = stablehlo.multiply %x, %y : {scalar} "
        f'%s = stablehlo.add %x, %p : {scalar} "stablehlo.return"(%s) : ({scalar}) -> () }}'
    )

    def compute() -> list[Array]:
        result = np.empty_like(left)
        for index in np.ndindex(shape):
            x, y = left[index].item(), right[index].item()
            result[index] = x + x * y if name == "float32" else wrapped(x + x * y, name)
        return [result]

    dimensions = ", ".join(map(str, range(len(shape))))
    attributes = f"dimensions = array<i64{': ' if shape else ''}{dimensions}>"
    results = [Result(shape, left.dtype)]
    return Instance("stablehlo.map", [left, right], results, attributes, [region], compute)


MAKERS = (
    integers,
    integers,
    integers,
    transcendental,
    transcendental,
    complex_functions,
    arithmetic,
    arithmetic,
    rounding,
    compare,
    select,
    clamp,
    convert,
    convert,
    is_finite,
    parts,
    bitcast_convert,
    reduce_precision,
    map_,
)
