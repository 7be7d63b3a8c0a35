"""Conversions to and from quantized types."""

from __future__ import annotations

from shlo.ir.types import QuantizedType
from shlo.reference.element import Element, converted
from shlo.reference.op import Op, elementwise, meaning
from shlo.reference.quantized import dequantize, quantize
from shlo.reference.tensor import Tensor


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

    def in_result_type(x: Element) -> Element:
        return converted(x, op.result_type())

    return elementwise(op.result_type(), in_result_type, dequantize(operand))
