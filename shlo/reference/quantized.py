"""Quantized elements: integers that represent numbers by a scale and a zero point."""

from __future__ import annotations

import math

from shlo.ir.types import QuantizedType, Type
from shlo.reference.element import Element, EvaluationError, converted
from shlo.reference.numbers import round_half_even
from shlo.reference.tensor import Index, Tensor, filled, scalar


def _parameters(type_: QuantizedType, index: Index) -> tuple[float, int]:
    """Returns the scale and the zero point for an index: those of the whole tensor, or of a slice of it."""
    if type_.block_sizes is not None:
        raise EvaluationError("expected scales of a tensor or of its slices, got blocks")
    number = 0 if type_.axis is None else index[type_.axis]
    return type_.scales[number], type_.zero_points[number]


def dequantize(x: Tensor) -> Tensor:
    """Returns what quantized elements represent: (storage - zero point) * scale, in the expressed type."""
    type_ = x.element_type
    assert isinstance(type_, QuantizedType)

    def expressed(index: Index) -> Element:
        scale, zero_point = _parameters(type_, index)
        difference = Element(type_.storage_type, x.get(index).value - zero_point)
        return converted(difference, type_.expressed_type) * Element(type_.expressed_type, scale)

    return filled(x.shape, type_.expressed_type, map(expressed, x.indices()))


def quantize(x: Tensor, type_: QuantizedType) -> Tensor:
    """Returns the integers that represent numbers: clamp(round(x / scale) + zero point); of NaN the zero
    point."""

    def stored(index: Index) -> Element:
        scale, zero_point = _parameters(type_, index)
        quotient = round_half_even((x.get(index) / Element(x.element_type, scale)).value)
        if math.isinf(quotient):
            return Element(type_, type_.storage_max if quotient > 0 else type_.storage_min)
        number = 0 if math.isnan(quotient) else int(quotient)
        return Element(type_, max(type_.storage_min, min(number + zero_point, type_.storage_max)))

    return filled(x.shape, type_, map(stored, x.indices()))


def to_destination_type(element: Element, type_: Type) -> Element:
    """Returns an element in the type that a region takes; a quantized one represents the nearest number."""
    if element.type == type_:
        return element
    if not isinstance(element.type, QuantizedType) or not isinstance(type_, QuantizedType):
        return converted(element, type_)
    return quantize(dequantize(scalar(element)), type_).get(())
