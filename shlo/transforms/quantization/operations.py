"""Quantized operations as operations of the floats that they represent, between conversions, and back; the
storage of quantized tensors, and what dequantizes and quantizes them.

Specification: "Quantized types", `dequantize` and `quantize`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np

from shlo.dialects.stablehlo.dialect import DIALECT
from shlo.ir.attributes import Attribute
from shlo.ir.operations import Module, Operation
from shlo.ir.types import (
    F32,
    I32,
    QuantizedType,
    RankedTensorType,
    TupleType,
    Type,
    UnrankedTensorType,
    quantized_type,
    stored_type,
)
from shlo.transforms.rewriting.builder import Builder, ValueRef, int64s, with_element
from shlo.transforms.rewriting.dead_code import without_dead_code
from shlo.transforms.rewriting.driver import Rewriter, Rule, rewrite
from shlo.transforms.rewriting.elementwise import clamp, round_even


def storage_of(type_: Type) -> Type:
    """Returns a type with storage types in place of quantized ones."""
    if isinstance(type_, RankedTensorType):
        return stored_type(type_)
    if isinstance(type_, UnrankedTensorType) and isinstance(type_.element_type, QuantizedType):
        return UnrankedTensorType(type_.element_type.storage_type)
    return TupleType(tuple(map(storage_of, type_.types))) if isinstance(type_, TupleType) else type_


def expressed_of(type_: Type) -> Type:
    """Returns a type with expressed types in place of quantized ones."""
    element = quantized_type(type_)
    if isinstance(type_, UnrankedTensorType) and element:
        return UnrankedTensorType(element.expressed_type)
    return with_element(type_, element.expressed_type) if element else type_


def numbers(builder: Builder, values: Sequence[float], type_: QuantizedType, element: Type) -> ValueRef:
    """Returns a constant of one number, or of one for each index of the quantized dimension."""
    array = np.array(values, np.float32 if element == F32 else np.int32)
    return builder.array(array if type_.is_per_axis else array.reshape(()), element)


def along_axis(type_: QuantizedType) -> dict[str, Attribute]:
    """Returns the attribute of a broadcasting operation whose second operand has a number for each index of
    the quantized dimension; none for a single number.
    """
    return {} if type_.axis is None else {"broadcast_dimensions": int64s((type_.axis,))}


def broadcasting(
    name: str, x: ValueRef, y: ValueRef, properties: dict[str, Attribute] | None = None
) -> ValueRef:
    """`chlo.broadcast_*` of a tensor and a constant, of the tensor's type."""
    type_ = x.type if x.tensor.rank >= y.tensor.rank else y.type
    return x.builder.one(f"chlo.broadcast_{name}", (x, y), type_, properties or {})


def dequantized(value: ValueRef, type_: QuantizedType) -> ValueRef:
    """Returns the numbers that stored ones represent: `(value - zero point) * scale`."""
    scales = numbers(value.builder, type_.scales, type_, F32)
    zero_points = numbers(value.builder, type_.zero_points, type_, I32)
    axis = along_axis(type_)
    distance = broadcasting("subtract", _converted(value, I32), zero_points, axis)
    return broadcasting("multiply", _converted(distance, F32), scales, axis)


def quantized(value: ValueRef, type_: QuantizedType) -> ValueRef:
    """Returns the stored numbers of floats: `round(clamp(value / scale + zero point))`."""
    scales = numbers(value.builder, type_.scales, type_, F32)
    zero_points = numbers(value.builder, type_.zero_points, type_, F32)
    low, high = storage_bounds(value.builder, type_, F32)
    axis = along_axis(type_)
    scaled = broadcasting("add", broadcasting("divide", value, scales, axis), zero_points, axis)
    return _converted(round_even(clamp(low, scaled, high)), type_.storage_type)


def storage_bounds(builder: Builder, type_: QuantizedType, element: Type) -> tuple[ValueRef, ValueRef]:
    """Returns the smallest and the largest stored number."""
    scalar = RankedTensorType((), element)
    return builder.splat(scalar, type_.storage_min), builder.splat(scalar, type_.storage_max)


def requantized(value: ValueRef, old: QuantizedType, new: QuantizedType, storage: Type) -> ValueRef:
    """Stored numbers of one quantized type as those of another, as `storage`: `value * ratio + offset`."""
    if old == new:
        return _converted(value, storage)
    value = _converted(value, F32)
    channels = max(len(old.scales), len(new.scales))
    ratios = [_at(old.scales, channel) / _at(new.scales, channel) for channel in range(channels)]
    offsets = [
        _at(new.zero_points, channel) - _at(old.zero_points, channel) * ratio
        for channel, ratio in enumerate(ratios)
    ]
    like = new if new.is_per_axis else old
    value = broadcasting("multiply", value, numbers(value.builder, ratios, like, F32), along_axis(like))
    if any(offset != 0 for offset in offsets):
        value = broadcasting("add", value, numbers(value.builder, offsets, like, F32), along_axis(like))
    if storage != I32:
        low, high = storage_bounds(value.builder, new, F32)
        value = clamp(low, value, high)
    return _converted(round_even(value), storage)


def _at(values: Sequence[float], index: int) -> float:
    return values[index] if len(values) > 1 else values[0]


def _converted(value: ValueRef, element: Type) -> ValueRef:
    """`stablehlo.convert`, also to the same element type, as the numbers then change their meaning."""
    return value.builder.one("stablehlo.convert", (value,), with_element(value.type, element))


DEQUANTIZE: Final = "stablehlo.uniform_dequantize"
QUANTIZE: Final = "stablehlo.uniform_quantize"


@cache
def by_meaning() -> frozenset[str]:
    """Returns the operations whose quantized form is, by the specification, the form of floats between
    conversions. Those that have no operand of floats, or that have other forms, are left out."""
    others = ("stablehlo.einsum", "stablehlo.unary_einsum")
    return frozenset(
        op_def.name
        for op_def in DIALECT.op_defs.values()
        if op_def.quantized == "dequantize" and op_def.operands and op_def.static_form is None
        if op_def.name not in others
    )


def quantized_to_qdq(module: Module) -> Module:
    """Returns the module with quantized operations replaced by uniform_dequantize, the operation on floats,
    and uniform_quantize.
    """
    return without_dead_code(rewrite(module, dict.fromkeys(by_meaning(), _between_conversions)))


def is_quantized(operation: Operation) -> bool:
    """Returns whether an operation takes or gives quantized tensors."""
    return any(quantized_type(type_) for type_ in (*operation.operand_types, *operation.result_types))


def _between_conversions(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    if not is_quantized(operation):
        return None
    operands = [
        rewriter.one(DEQUANTIZE, (value,), expressed_of(value.type)) if quantized_type(value.type) else value
        for value in rewriter.refs(operation.operands)
    ]
    built = of_floats(rewriter, operation, operands)
    return [
        rewriter.one(QUANTIZE, (value,), type_) if quantized_type(type_) else value
        for value, type_ in zip(built, operation.result_types)
    ]


def of_floats(rewriter: Rewriter, operation: Operation, operands: Sequence[ValueRef]) -> tuple[ValueRef, ...]:
    """Returns the operation on floats."""
    results = tuple(map(expressed_of, operation.result_types))
    signature = operation.signature
    return rewriter.create(
        operation.name, operands, results, signature.properties, operation.regions, signature.attributes
    )


def qdq_to_quantized(module: Module) -> Module:
    """Returns the module with a quantized operation for each operation on floats whose operands are
    dequantized and whose result is quantized.
    """
    rules: dict[str, Rule] = {QUANTIZE: _fused}
    return without_dead_code(rewrite(module, rules))


def _fused(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    (value,) = rewriter.refs(operation.operands)
    inner = rewriter.defining(value)
    if inner is None or inner.regions or len(inner.results) != 1 or not inner.operands:
        return None
    sources = [rewriter.defining(operand) for operand in rewriter.refs(inner.operands)]
    if any(source is None or source.name != DEQUANTIZE for source in sources):
        return None
    operands = rewriter.refs([source.operands[0] for source in sources if source is not None])
    signature = inner.signature
    return rewriter.create(
        inner.name, operands, operation.result_types, signature.properties, (), signature.attributes
    )
