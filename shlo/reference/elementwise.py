"""Element-wise operations: `result[i]` is a function of `operand[i]`."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Final

from shlo.ir.dtypes import bit_width
from shlo.reference import numbers
from shlo.reference.bits import bits_of
from shlo.reference.element import (
    Element,
    converted,
    is_complex,
    is_float,
    part_type,
    wrapped,
)
from shlo.reference.op import MEANINGS, Op, elementwise, meaning
from shlo.reference.tensor import Tensor

BINARY: Final[dict[str, Callable[[Element, Element], Element]]] = {
    "add": Element.__add__,
    "and": Element.__and__,
    "divide": Element.__truediv__,
    "maximum": Element.maximum,
    "minimum": Element.minimum,
    "multiply": Element.__mul__,
    "or": Element.__or__,
    "power": Element.__pow__,
    "remainder": Element.__mod__,
    "subtract": Element.__sub__,
    "xor": Element.__xor__,
}
"""Operations that are an operator of elements."""


def _binary(function: Callable[[Element, Element], Element]) -> Callable[[Op, Tensor, Tensor], Tensor]:
    return lambda op, lhs, rhs: elementwise(op.result_type(), function, lhs, rhs)


def _unary(function: Callable[[Element], Element]) -> Callable[[Op, Tensor], Tensor]:
    return lambda op, operand: elementwise(op.result_type(), function, operand)


def _transcendental(name: str) -> Callable[[Element], Element]:
    """Returns a function that is computed with many digits and rounded once; of complex numbers, too."""

    def function(x: Element) -> Element:
        compute = numbers.complex_function if is_complex(x.type) else numbers.function
        return x.with_value(compute(name, x.value, part_type(x.type)))

    return function


MEANINGS.update({f"stablehlo.{name}": _binary(function) for name, function in BINARY.items()})
MEANINGS.update({f"stablehlo.{name}": _unary(_transcendental(name)) for name in numbers.FUNCTIONS})
MEANINGS.update({"stablehlo.negate": _unary(Element.__neg__), "stablehlo.not": _unary(Element.__invert__)})


@meaning("abs")
def absolute(op: Op, operand: Tensor) -> Tensor:
    """The modulus of an integer or complex number; of a float IEEE 754's abs."""

    def of_element(x: Element) -> Element:
        if not is_complex(x.type):
            return x.with_value(
                wrapped(abs(x.value), x.type) if isinstance(x.value, int) else math.fabs(x.value)
            )
        real, imaginary = x.value.real, x.value.imag
        if math.isinf(real) or math.isinf(imaginary):
            return Element(op.result_type(), math.inf)
        context = numbers.high_precision()
        modulus = context.sqrt(context.mpf(real) ** 2 + context.mpf(imaginary) ** 2)
        return Element(op.result_type(), numbers.rounded_real(modulus, part_type(x.type)))

    return elementwise(op.result_type(), of_element, operand)


@meaning()
def atan2(op: Op, lhs: Tensor, rhs: Tensor) -> Tensor:
    """The angle of the point (rhs, lhs)."""

    def angle(y: Element, x: Element) -> Element:
        compute = numbers.complex_atan2 if is_complex(y.type) else numbers.atan2
        return y.with_value(compute(y.value, x.value, part_type(y.type)))

    return elementwise(op.result_type(), angle, lhs, rhs)


def _sign(x: Element) -> Element:
    """-1, 0 or 1; of a float with the sign of zero, NaN of NaN; of a complex number x / |x|."""
    if is_float(x.type):
        return x if x.is_nan() or x.value == 0 else x.with_value(math.copysign(1.0, x.value))
    if not is_complex(x.type):
        return x.with_value((x.value > 0) - (x.value < 0))
    if x.value == 0:
        return x
    context = numbers.high_precision()
    z = context.mpc(x.value)
    return x.with_value(numbers.rounded_complex(z / abs(z), part_type(x.type)))


MEANINGS["stablehlo.sign"] = _unary(_sign)


def _to_integers(function: Callable[[float], float]) -> Callable[[Element], Element]:
    return lambda x: x.with_value(numbers.converted(function(x.value), part_type(x.type)))


MEANINGS.update(
    {
        "stablehlo.ceil": _unary(_to_integers(numbers.ceil)),
        "stablehlo.floor": _unary(_to_integers(numbers.floor)),
        "stablehlo.round_nearest_afz": _unary(_to_integers(numbers.round_half_away)),
        "stablehlo.round_nearest_even": _unary(_to_integers(numbers.round_half_even)),
    }
)


@meaning()
def clamp(op: Op, minimum: Tensor, operand: Tensor, maximum: Tensor) -> Tensor:
    """minimum(maximum(operand, min), max); min and max may be of rank 0."""

    def between(low: Element, x: Element, high: Element) -> Element:
        return x.maximum(low).minimum(high)

    return elementwise(op.result_type(), between, minimum, operand, maximum)


COMPARISONS: Final = {name: getattr(operator, name.lower()) for name in ("EQ", "NE", "GE", "GT", "LE", "LT")}
"""Python compares floats as IEEE 754 says: nothing is true of NaN but that it differs."""


@meaning()
def compare(op: Op, lhs: Tensor, rhs: Tensor) -> Tensor:
    """Compares elements: floats as IEEE 754 says, or by their total order; complex numbers by their real
    parts, and by their imaginary ones where these are equal."""
    direction, kind = op.attribute("comparison_direction"), op.attribute("compare_type", "")
    is_total = kind == "TOTALORDER"

    def holds(left: Element, right: Element) -> Element:
        pair = (_total_order(left), _total_order(right)) if is_total else (left, right)
        return Element(op.result_type(), int(_compares(direction, *pair)))

    return elementwise(op.result_type(), holds, lhs, rhs)


def _compares(direction: str, left: Element, right: Element) -> bool:
    one, other = left.value, right.value
    if is_complex(left.type):
        one, other = (one.imag, other.imag) if one.real == other.real else (one.real, other.real)
    return COMPARISONS[direction](one, other)


def _total_order(x: Element) -> Element:
    """Returns the bits of a float as a signed number, whose order is IEEE 754's total order."""
    bits = bits_of(x)
    top = 1 << (bit_width(x.type) - 1)
    return Element(x.type, top - 1 - bits if bits & top else bits)


@meaning("complex")
def make_complex(op: Op, lhs: Tensor, rhs: Tensor) -> Tensor:
    """The complex number of a real and an imaginary part."""
    type_ = op.result_type()
    return elementwise(
        type_, lambda real, imaginary: Element(type_, complex(real.value, imaginary.value)), lhs, rhs
    )


@meaning()
def real(op: Op, operand: Tensor) -> Tensor:
    """The real part; of a float itself."""
    return elementwise(op.result_type(), lambda x: Element(op.result_type(), x.value.real), operand)


@meaning()
def imag(op: Op, operand: Tensor) -> Tensor:
    """The imaginary part; of a float zero."""
    return elementwise(op.result_type(), lambda x: Element(op.result_type(), x.value.imag), operand)


@meaning()
def convert(op: Op, operand: Tensor) -> Tensor:
    """The same number in another type."""
    return elementwise(op.result_type(), lambda x: converted(x, op.result_type()), operand)


@meaning()
def is_finite(op: Op, x: Tensor) -> Tensor:
    """Whether an element is neither an infinity nor NaN."""
    return elementwise(op.result_type(), lambda e: Element(op.result_type(), int(math.isfinite(e.value))), x)


@meaning()
def select(op: Op, pred: Tensor, on_true: Tensor, on_false: Tensor) -> Tensor:
    """The element of `on_true` where `pred`, else that of `on_false`; `pred` may be of rank 0."""
    return elementwise(op.result_type(), lambda p, t, f: t if p.value else f, pred, on_true, on_false)


@meaning()
def map_(op: Op, *inputs: Tensor) -> Tensor:
    """A computation of the elements at each index."""
    computation = op.combine()

    def first(*elements: Element) -> Element:
        return computation(*elements)[0]

    return elementwise(op.result_type(), first, *inputs)


@meaning()
def reduce_precision(op: Op, operand: Tensor) -> Tensor:
    """The number rounded to fewer bits of exponent and mantissa; numbers that get too large become
    infinite."""
    exponent_bits, mantissa_bits = op.attribute("exponent_bits"), op.attribute("mantissa_bits")

    def reduced(x: Element) -> Element:
        return x.with_value(_in_format(x.value, exponent_bits, mantissa_bits))

    return elementwise(op.result_type(), reduced, operand)


def _in_format(value: float, exponent_bits: int, mantissa_bits: int) -> float:
    """Returns the nearest number of a format as IEEE 754 has them, the even encoding of two that are as near.

    Subnormal numbers become zero; a format without bits of mantissa has infinity for NaN.
    """
    if math.isnan(value) and mantissa_bits == 0:
        return math.inf
    if not math.isfinite(value) or value == 0:
        return value
    _, exponent = math.frexp(value)
    exponent -= 1
    count = round(Fraction(value) / Fraction(2) ** (exponent - mantissa_bits))
    is_tie = mantissa_bits == 0 and abs(value) == 1.5 * 2.0**exponent
    if is_tie and exponent % 2:  # the biases are odd, so this exponent's field is even
        count = 1 if value > 0 else -1
    elif is_tie:
        count = 2 if value > 0 else -2
    rounded = Fraction(count) * Fraction(2) ** (exponent - mantissa_bits)
    bias = (1 << (exponent_bits - 1)) - 1
    if abs(rounded) < Fraction(2) ** (1 - bias):
        return math.copysign(0.0, value)
    if abs(rounded) >= Fraction(2) ** (bias + 1):
        return math.copysign(math.inf, value)
    return float(rounded)


# -- bits ----------------------------------------------------------------------------------------------------


@meaning()
def count_leading_zeros(op: Op, operand: Tensor) -> Tensor:
    """The number of zeros before the first one among the bits."""
    return elementwise(
        op.result_type(), lambda x: x.with_value(bit_width(x.type) - bits_of(x).bit_length()), operand
    )


@meaning()
def popcnt(op: Op, operand: Tensor) -> Tensor:
    """The number of ones among the bits."""
    return elementwise(
        op.result_type(), lambda x: x.with_value(wrapped(bits_of(x).bit_count(), x.type)), operand
    )


def _shifted(function: Callable[[Element, int, int], int]) -> Callable[[Op, Tensor, Tensor], Tensor]:
    """Returns an operation of a shift by an amount that is taken as unsigned: by as many bits as there are,
    or more, nothing is left."""

    def shift(x: Element, amount: Element) -> Element:
        return x.with_value(wrapped(function(x, bits_of(amount), bit_width(x.type)), x.type))

    return _binary(shift)


def _shift_right_with_sign(x: Element, amount: int, width: int) -> int:
    is_negative = bits_of(x) >> (width - 1)
    signed = bits_of(x) - (1 << width) if is_negative else bits_of(x)
    return signed >> min(amount, width - 1)


MEANINGS.update(
    {
        "stablehlo.shift_left": _shifted(lambda x, n, width: x.value << n if n < width else 0),
        "stablehlo.shift_right_logical": _shifted(lambda x, n, width: bits_of(x) >> n if n < width else 0),
        "stablehlo.shift_right_arithmetic": _shifted(_shift_right_with_sign),
    }
)
