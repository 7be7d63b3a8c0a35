"""StableHLO's elementwise functions of values, as rules of rewrites write them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from shlo.ir.dtypes import FLOAT_FORMATS, bit_width
from shlo.ir.floats import float_from_bits, positive_range
from shlo.ir.types import F32, I1, ComplexType, FloatType, Type
from shlo.transforms.rewriting.builder import ValueRef, is_complex, with_element


def _unary(name: str) -> Callable[[ValueRef], ValueRef]:
    return lambda x: x.builder.elementwise(name, x)


def _binary(name: str) -> Callable[[ValueRef, ValueRef], ValueRef]:
    return lambda x, y: x.builder.elementwise(name, x, y)


atan2 = _binary("atan2")
"""The angle of the points (x, y), called with y and x."""
maximum = _binary("maximum")
minimum = _binary("minimum")

ceil = _unary("ceil")
cosine = _unary("cosine")
exponential = _unary("exponential")
expm1 = _unary("exponential_minus_one")
floor = _unary("floor")
log = _unary("log")
log1p = _unary("log_plus_one")
round_even = _unary("round_nearest_even")
sign = _unary("sign")
sine = _unary("sine")
sqrt = _unary("sqrt")
tan = _unary("tan")


def absolute(x: ValueRef) -> ValueRef:
    """`abs`; of complex numbers their magnitude, a real tensor."""
    return x.builder.one("stablehlo.abs", (x,), _part_type(x) if is_complex(x.type) else x.type)


def real(z: ValueRef) -> ValueRef:
    """Returns the real part."""
    return z.builder.one("stablehlo.real", (z,), _part_type(z))


def imag(z: ValueRef) -> ValueRef:
    """Returns the imaginary part."""
    return z.builder.one("stablehlo.imag", (z,), _part_type(z))


def as_complex(re: ValueRef, im: ValueRef) -> ValueRef:
    """Returns the complex numbers of two tensors of floats."""
    return re.builder.one("stablehlo.complex", (re, im), with_element(re.type, ComplexType(re.element_type)))


def is_finite(x: ValueRef) -> ValueRef:
    """Returns whether each element is finite."""
    return x.builder.one("stablehlo.is_finite", (x,), with_element(x.type, I1))


def select(condition: ValueRef, yes: ValueRef, no: ValueRef) -> ValueRef:
    """`yes` where the condition holds, `no` elsewhere."""
    return yes.builder.one("stablehlo.select", (condition, yes, no), yes.type)


def clamp(low: ValueRef, x: ValueRef, high: ValueRef) -> ValueRef:
    """`x` within bounds."""
    return x.builder.one("stablehlo.clamp", (low, x, high), x.type)


def polynomial(x: ValueRef, coefficients: Sequence[float]) -> ValueRef:
    """Returns a polynomial by Horner's rule, the coefficient of the highest power first."""
    value = x.constant(coefficients[0])
    for coefficient in coefficients[1:]:
        value = value * x + coefficient
    return value


class Constants:
    """The constants of a value's type. Each is created at its first use and shared afterwards."""

    def __init__(self, like: ValueRef) -> None:
        self._like = like
        self._built: dict[float, ValueRef] = {}

    def __call__(self, value: float) -> ValueRef:
        """Returns the constant of a value."""
        if value not in self._built:
            self._built[value] = self.new(value)
        return self._built[value]

    @property
    def element_type(self) -> Type:
        """The type of the numbers."""
        return self._like.element_type

    def new(self, value: float) -> ValueRef:
        """Returns a constant that is not shared."""
        return self._like.constant(value)


def hypotenuse(x: ValueRef, y: ValueRef, constant: Constants) -> ValueRef:
    """`sqrt(x^2 + y^2)` of numbers that are not negative, without overflow and without loss near zero."""
    longer, shorter = maximum(x, y), minimum(x, y)
    is_diagonal = longer.equals(shorter)
    diagonal = constant(math.sqrt(2)) * longer
    one = constant(1)
    ratio = shorter / longer
    square = ratio * ratio
    root = sqrt(one + square)
    is_lost = root.equals(one) & (square > constant(0))
    near_axis = longer + longer * square / constant(2)
    return select(is_diagonal, diagonal, select(is_lost, near_axis, longer * root))


# --- numbers of a floating-point type -----------------------------------------------------------------------


def largest(type_: Type) -> float:
    """Returns the largest finite number of a floating-point type."""
    assert isinstance(type_, FloatType)
    return positive_range(type_)[1]


def smallest_normal(type_: Type) -> float:
    """Returns the smallest positive normal number of a floating-point type."""
    assert isinstance(type_, FloatType)
    layout = FLOAT_FORMATS[type_.name]
    return float_from_bits(1 << layout.mantissa, type_)


def smallest(type_: Type) -> float:
    """Returns the smallest positive number of a floating-point type."""
    assert isinstance(type_, FloatType)
    return positive_range(type_)[0]


def at_least_single(formula: Callable[..., ValueRef]) -> Callable[..., ValueRef]:
    """Returns a formula of values as they are, or of values narrower than f32 in f32, and converted back."""

    @wraps(formula)
    def widened(*values: ValueRef) -> ValueRef:
        element = values[0].element_type
        if not isinstance(element, FloatType) or bit_width(element) >= 32:
            return formula(*values)
        return formula(*[value.converted(F32) for value in values]).converted(element)

    return widened


def _part_type(z: ValueRef) -> Any:
    element = z.element_type
    assert isinstance(element, ComplexType)
    return with_element(z.type, element.element_type)
