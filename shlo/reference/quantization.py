"""Quantized types: integers that represent numbers by a scale and a zero point."""

from __future__ import annotations

from shlo.ir.types import QuantizedType
from shlo.reference.element import Element, ReferenceError_, converted, wrapped
from shlo.reference.numbers import round_half_even
from shlo.reference.op import Op, elementwise, meaning
from shlo.reference.tensor import Index, Tensor, filled


def _parameters(type_: QuantizedType, index: Index) -> tuple[float, int]:
    """Returns the scale and the zero point for an index: those of the whole tensor, or of a slice of it."""
    if type_.block_sizes is not None:
        raise ReferenceError_("expected scales of a tensor or of its slices, got blocks")
    number = 0 if type_.axis is None else index[type_.axis]
    return type_.scales[number], type_.zero_points[number]


def dequantize(x: Tensor) -> Tensor:
    """Returns what quantized elements represent: (storage - zero point) * scale, in the expressed type."""
    type_ = x.element_type
    assert isinstance(type_, QuantizedType)

    def expressed(index: Index) -> Element:
        scale, zero_point = _parameters(type_, index)
        difference = Element(type_.storage_type, wrapped(x.get(index).value - zero_point, type_.storage_type))
        return converted(difference, type_.expressed_type) * Element(type_.expressed_type, scale)

    return filled(x.shape, type_.expressed_type, map(expressed, x.indices()))


def quantize(x: Tensor, type_: QuantizedType) -> Tensor:
    """Returns the integers that represent numbers: clamp(round(x / scale) + zero point)."""

    def stored(index: Index) -> Element:
        scale, zero_point = _parameters(type_, index)
        quotient = x.get(index) / Element(x.element_type, scale)
        rounded = converted(quotient.made(round_half_even(quotient.value)), type_.storage_type)
        number = max(type_.storage_min, min(rounded.value + zero_point, type_.storage_max))
        return Element(type_, number)

    return filled(x.shape, type_, map(stored, x.indices()))


@meaning()
def uniform_quantize(op: Op, operand: Tensor) -> Tensor:
    """Quantizes numbers; of quantized elements, what they represent."""
    numbers = dequantize(operand) if isinstance(operand.element_type, QuantizedType) else operand
    type_ = op.result_type()
    assert isinstance(type_, QuantizedType)
    return quantize(numbers, type_)


@meaning()
def uniform_dequantize(op: Op, operand: Tensor) -> Tensor:
    """Returns what quantized elements represent."""
    return elementwise(op.result_type(), lambda x: converted(x, op.result_type()), dequantize(operand))
