"""Numbers as the elements of constants, rounded once to the element type."""

from __future__ import annotations

from typing import Any

import numpy as np

from shlo.ir.attributes import Attribute, FloatAttr, IntegerAttr
from shlo.ir.dense import array_from_bits
from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.floats import bits_from_float
from shlo.ir.types import ComplexType, FloatType, Type


def scalar_attribute(value: float, type_: Type) -> Attribute:
    """Returns a number as an attribute of a floating-point or integer type."""
    if isinstance(type_, FloatType):
        return FloatAttr(bits_from_float(float(value), type_), type_)
    return IntegerAttr(int(value), type_)


def scalar_of(attribute: Attribute, type_: Type) -> Array | None:
    """Returns the number of an attribute as an array without dimensions; None for an attribute that is no
    number.
    """
    if isinstance(attribute, FloatAttr):
        return array_from_bits([attribute.bits], type_, ())
    if isinstance(attribute, IntegerAttr):
        return np.array(attribute.value, dtype_of(type_))
    return None


def scalar_array(value: Any, type_: Type) -> Array:
    """Returns a number as an array without dimensions."""
    if isinstance(type_, FloatType):
        return array_from_bits([bits_from_float(float(value), type_)], type_, ())
    if isinstance(type_, ComplexType):
        parts = [bits_from_float(float(part), type_.element_type) for part in (value.real, value.imag)]
        return array_from_bits(parts, type_, ())
    return np.array(value, dtype_of(type_))
