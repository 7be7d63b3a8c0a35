"""Elements of tensors, and what arithmetic on them means for each type.

The value of an element is a Python `int` (booleans: 0 or 1; integers; storage of quantized types), a
`float` or a `complex`. Operators take elements of one type and return one of that type: integers wrap,
floats are rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, cast

from msgspec import Struct

from shlo.ir.diagnostics import ShloError
from shlo.ir.dtypes import bit_width
from shlo.ir.types import ComplexType, FloatType, IndexType, IntegerType, QuantizedType, Type
from shlo.reference import numbers


class EvaluationError(ShloError):
    """A program that the reference cannot evaluate, or that is wrong at an operation."""


def is_boolean(type_: Type) -> bool:
    """Returns whether a type is i1."""
    return isinstance(type_, IntegerType) and type_.width == 1


def is_integer(type_: Type) -> bool:
    """Returns whether a type is one of integers, index among them."""
    return isinstance(type_, (IntegerType, IndexType)) and not is_boolean(type_)


def is_float(type_: Type) -> bool:
    """Returns whether a type is one of floats."""
    return isinstance(type_, FloatType)


def is_complex(type_: Type) -> bool:
    """Returns whether a type is one of complex numbers."""
    return isinstance(type_, ComplexType)


def part_type(type_: Type) -> FloatType:
    """Returns a float type, or that of a complex number's parts."""
    return cast("FloatType", type_.element_type if isinstance(type_, ComplexType) else type_)


def is_unsigned(type_: Type) -> bool:
    """Returns whether an integer type has no negative numbers."""
    return isinstance(type_, IntegerType) and (type_.signedness == "unsigned" or type_.width == 1)


def wrapped(value: int, type_: Type) -> int:
    """Returns the number of an integer type that is equal to `value` modulo 2 to the number of bits."""
    width = bit_width(type_)
    value &= (1 << width) - 1
    return value - (1 << width) if not is_unsigned(type_) and value >> (width - 1) else value


class Element(Struct, frozen=True):
    """One element: its type and its value."""

    type: Type
    value: Any

    def __add__(self, other: Element) -> Element:
        """Boolean or; the sum of integers modulo 2^n, of floats as IEEE 754 says, of complex numbers by
        parts."""
        return self._with(other, lambda a, b: a | b, lambda a, b: a + b, numbers.add, _by_parts(numbers.add))

    def __sub__(self, other: Element) -> Element:
        """The difference: for floats the sum with the negated number."""

        def subtract(a: float, b: float, type_: FloatType) -> float:
            return numbers.add(a, -b, type_)

        return self._with(other, lambda a, b: a ^ b, lambda a, b: a - b, subtract, _by_parts(subtract))

    def __mul__(self, other: Element) -> Element:
        """Boolean and; the product of integers modulo 2^n, of floats as IEEE 754 says, the product of
        complex numbers."""
        return self._with(other, lambda a, b: a & b, lambda a, b: a * b, numbers.multiply, _complex_product)

    def __truediv__(self, other: Element) -> Element:
        """The quotient: of integers without its fraction (by zero: -1), of floats as IEEE 754 says."""
        return self._with(other, None, _integer_quotient(self.type), numbers.divide, _complex_quotient)

    def __mod__(self, other: Element) -> Element:
        """What is left of the division: it has the dividend's sign (of an integer divided by zero: the
        dividend)."""

        def left_over(a: int, b: int) -> int:
            return a - b * _integer_quotient(self.type)(a, b) if b else a

        return self._with(other, None, left_over, numbers.remainder, None)

    def __pow__(self, other: Element) -> Element:
        """The power: of integers modulo 2^n, of floats as IEEE 754 says, the principal one of complex
        numbers."""

        def integer_power(a: int, b: int) -> int:
            if b >= 0:
                return pow(a, b, 1 << bit_width(self.type))
            return {1: 1, -1: 1 if b % 2 == 0 else -1}.get(a, 0)

        return self._with(other, None, integer_power, numbers.power, numbers.complex_power)

    def __neg__(self) -> Element:
        """The negated number; of integers modulo 2^n."""
        return self.with_value(wrapped(-self.value, self.type) if is_integer(self.type) else -self.value)

    def __and__(self, other: Element) -> Element:
        """The bits that both have."""
        return self._bitwise(other, lambda a, b: a & b)

    def __or__(self, other: Element) -> Element:
        """The bits that one of them has."""
        return self._bitwise(other, lambda a, b: a | b)

    def __xor__(self, other: Element) -> Element:
        """The bits in which they differ."""
        return self._bitwise(other, lambda a, b: a ^ b)

    def __invert__(self) -> Element:
        """The bits that it has not."""
        return self.with_value(1 - self.value if is_boolean(self.type) else wrapped(~self.value, self.type))

    def __lt__(self, other: Element) -> bool:
        """Whether it is less; NaN is not. Complex numbers are compared by their real, then by their
        imaginary parts."""
        return self._key() < other._key()

    def maximum(self, other: Element) -> Element:
        """Returns the larger one; NaN if one is, and a positive zero before a negative one."""
        return self._extreme(other, is_larger=True)

    def minimum(self, other: Element) -> Element:
        """Returns the smaller one; NaN if one is, and a negative zero before a positive one."""
        return self._extreme(other, is_larger=False)

    def is_nan(self) -> bool:
        """Returns whether it, or a part of it, is NaN."""
        return self.value != self.value

    def with_value(self, value: Any) -> Element:
        """Returns an element of the same type."""
        return Element(self.type, value)

    def _key(self) -> Any:
        return (self.value.real, self.value.imag) if is_complex(self.type) else self.value

    def _extreme(self, other: Element, *, is_larger: bool) -> Element:
        if self.is_nan() or other.is_nan():
            return self if self.is_nan() else other
        if is_float(self.type) and self.value == other.value == 0:
            is_negative = math.copysign(1, self.value) < 0
            return other if is_negative == is_larger else self
        return self if (other < self) == is_larger else other

    def _bitwise(self, other: Element, function: Callable[[int, int], int]) -> Element:
        return self.with_value(wrapped(function(self.value, other.value), self.type))

    def _with(
        self,
        other: Element,
        boolean: Callable[[int, int], int] | None,
        integer: Callable[[int, int], int],
        real: Callable[[float, float, FloatType], float],
        of_complex: Callable[[complex, complex, FloatType], complex] | None,
    ) -> Element:
        """Applies the function for this element's type."""
        if is_float(self.type):
            return self.with_value(real(self.value, other.value, part_type(self.type)))
        if is_complex(self.type) and of_complex is not None:
            return self.with_value(of_complex(self.value, other.value, part_type(self.type)))
        if is_boolean(self.type) and boolean is not None:
            return self.with_value(boolean(self.value, other.value))
        if is_integer(self.type):
            return self.with_value(wrapped(integer(self.value, other.value), self.type))
        raise EvaluationError(f"expected elements that this operation takes, got {self.type}")


def _integer_quotient(type_: Type) -> Callable[[int, int], int]:
    def quotient(a: int, b: int) -> int:
        if b == 0:
            return -1
        magnitude = abs(a) // abs(b)
        return magnitude if (a < 0) == (b < 0) else -magnitude

    return quotient


def _by_parts(
    function: Callable[[float, float, FloatType], float],
) -> Callable[[complex, complex, FloatType], complex]:
    return lambda a, b, type_: complex(function(a.real, b.real, type_), function(a.imag, b.imag, type_))


def _complex_product(a: complex, b: complex, type_: FloatType) -> complex:
    """(ar + ai i)(br + bi i) = (ar br - ai bi) + (ar bi + ai br) i; each part exact and rounded once, if
    finite."""
    if all(map(math.isfinite, (a.real, a.imag, b.real, b.imag))):
        ar, ai, br, bi = map(Fraction, (a.real, a.imag, b.real, b.imag))
        return complex(numbers.rounded(ar * br - ai * bi, type_), numbers.rounded(ar * bi + ai * br, type_))
    real = numbers.add(
        numbers.multiply(a.real, b.real, type_), -numbers.multiply(a.imag, b.imag, type_), type_
    )
    imaginary = numbers.add(
        numbers.multiply(a.real, b.imag, type_), numbers.multiply(a.imag, b.real, type_), type_
    )
    return complex(real, imaginary)


def _complex_quotient(a: complex, b: complex, type_: FloatType) -> complex:
    """A / b = a conj(b) / |b|^2; each part exact and rounded once, if finite and b is not zero."""
    if b != 0 and all(map(math.isfinite, (a.real, a.imag, b.real, b.imag))):
        ar, ai, br, bi = map(Fraction, (a.real, a.imag, b.real, b.imag))
        size = br * br + bi * bi
        return complex(
            numbers.rounded((ar * br + ai * bi) / size, type_),
            numbers.rounded((ai * br - ar * bi) / size, type_),
        )
    return complex(numbers.divide(a.real, b.real, type_), numbers.divide(a.imag, b.real, type_))


def zero(type_: Type) -> Element:
    """Returns the element that is zero; of a quantized type the one that represents 0."""
    if isinstance(type_, QuantizedType):
        return Element(type_, type_.zero_points[0])
    return Element(type_, 0j if is_complex(type_) else 0.0 if is_float(type_) else 0)


def one(type_: Type) -> Element:
    """Returns the element that is one."""
    return Element(type_, 1 + 0j if is_complex(type_) else 1.0 if is_float(type_) else 1)


def converted(element: Element, type_: Type) -> Element:
    """Returns an element in another type, as `convert` says.

    Booleans become 0 and 1, and what is not zero `true`. A number that the type has stays itself; others
    are rounded to even, wrap (integers to integers) or saturate (floats to integers: NaN becomes 0).
    """
    value = element.value
    if is_complex(element.type) and not is_complex(type_):
        value = value.real
    if is_boolean(type_):
        return Element(type_, int(value != 0))
    if is_complex(type_):
        part, number = part_type(type_), complex(value)
        return Element(
            type_, complex(numbers.converted(number.real, part), numbers.converted(number.imag, part))
        )
    if isinstance(type_, FloatType):
        exact = isinstance(value, int)
        return Element(
            type_, numbers.rounded(Fraction(value), type_) if exact else numbers.converted(value, type_)
        )
    if isinstance(value, float):
        return Element(type_, _saturated(value, type_))
    return Element(type_, wrapped(value, type_))


def _saturated(value: float, type_: Type) -> int:
    width = bit_width(type_)
    least, largest = (0, 2**width - 1) if is_unsigned(type_) else (-(2 ** (width - 1)), 2 ** (width - 1) - 1)
    if math.isnan(value):
        return 0
    return max(least, min(int(value), largest)) if math.isfinite(value) else least if value < 0 else largest
