"""Functions of bits: the upper half of a product, and the float next to another one."""

from __future__ import annotations

import math

from shlo.ir.dtypes import bit_width
from shlo.ir.types import IntegerType
from shlo.transforms.rewriting.builder import ValueRef
from shlo.transforms.rewriting.elementwise import select

_LOW_HALF = 0xFFFF_FFFF


def mulhi(x: ValueRef, y: ValueRef) -> ValueRef | None:
    """Returns the upper half of the product: in a type of twice the width, of 64 bits from products of
    halves; None for other types.
    """
    element = x.element_type
    if not isinstance(element, IntegerType) or element.width > 64:
        return None
    if element.width < 64:
        return _in_wider_type(x, y, element)
    return _unsigned_mulhi(x, y) if element.is_unsigned else _signed_mulhi(x, y)


def _in_wider_type(x: ValueRef, y: ValueRef, element: IntegerType) -> ValueRef:
    wide = IntegerType(2 * element.width, element.signedness)
    product = x.converted(wide) * y.converted(wide)
    shift = "shift_right_logical" if element.is_unsigned else "shift_right_arithmetic"
    upper = x.builder.elementwise(shift, product, product.constant(element.width))
    return upper.converted(element)


def _upper(x: ValueRef, like: ValueRef) -> ValueRef:
    return x.builder.elementwise("shift_right_logical", x, like.constant(32))


def _unsigned_mulhi(x: ValueRef, y: ValueRef) -> ValueRef:
    """Returns the sum of the products of the 32-bit halves, with carries."""
    x_high, y_high = _upper(x, x), _upper(y, y)
    high = x_high * y_high
    x_low = x & _LOW_HALF
    middle = x_low * y_high
    y_low = y & _LOW_HALF
    middle = middle + _upper(x_low * y_low, x)
    high = high + _upper(middle, x)
    other_middle = x_high * y_low
    other_middle = other_middle + (middle & x.constant(_LOW_HALF))
    return high + _upper(other_middle, x)


def _signed_mulhi(x: ValueRef, y: ValueRef) -> ValueRef:
    """Returns the unsigned product of the bits, less the other factor for each that is negative."""
    unsigned = IntegerType(64, "unsigned")
    high = x.builder.one("chlo.mulhi", (x.converted(unsigned), y.converted(unsigned)))
    for one, other in ((x, y), (y, x)):
        is_negative = one < 0
        bits = other.converted(unsigned)
        high = high - select(is_negative, bits, other.converted(unsigned).constant(0))
    return high.converted(x.element_type)


def next_after(x: ValueRef, y: ValueRef) -> ValueRef:
    """Returns the float next to x towards y: its bits as an integer, one more or one less."""
    width = bit_width(x.element_type)
    integer = IntegerType(width)
    x_bits, y_bits = x.bitcast(integer), y.bitcast(integer)
    is_nan = x.differs(x) | y.differs(y)
    nan_bits = x.constant(math.nan).bitcast(integer)
    sign_mask = x_bits.constant(-(1 << (width - 1)))
    size_mask = x_bits.constant((1 << (width - 1)) - 1)
    x_size, y_size = x_bits & size_mask, y_bits & size_mask
    are_equal = x.equals(y)
    zero = x_bits.constant(0)
    x_is_zero, y_is_zero = x_size.equals(zero), y_size.equals(zero)
    x_sign, y_sign = x_bits & sign_mask, y_bits & sign_mask
    one = x_bits.constant(1)
    smallest = y_sign | one
    signs_differ = x_sign.differs(y_sign)
    shrinks = (x_size > y_size) | signs_differ
    step = select(shrinks, x_bits.constant(-1), one)
    value = x_bits + step
    value = select(x_is_zero, select(y_is_zero, y_bits, smallest), value)
    value = select(are_equal, y_bits, value)
    return select(is_nan, nan_bits, value).bitcast(x.element_type)
