"""Quantized programs as programs of the integers that hold them.

Operations have the types of their storage in place of quantized ones; what the numbers mean is computed. The
arithmetic is that of StableHLO's own pass. It differs from the specification by one stored number where a
result lies halfway between two of them, as the zero point is added before rounding, and where a product is
scaled, which is rounded towards zero and not clamped. `stablehlo-legalize-quantized-op-to-qdq`, run first,
scales products as floats.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shlo.ir.operations import Module, Operation
from shlo.ir.types import F32, I32, IntegerType, QuantizedType, Type, quantized_type
from shlo.transforms.quantization.operations import (
    DEQUANTIZE,
    QUANTIZE,
    along_axis,
    broadcasting,
    by_meaning,
    dequantized,
    is_quantized,
    numbers,
    of_floats,
    quantized,
    requantized,
    storage_bounds,
    storage_of,
)
from shlo.transforms.quantization.to_math.products import rewrite_convolution, rewrite_dot
from shlo.transforms.rewriting.builder import ValueRef
from shlo.transforms.rewriting.driver import Rewriter, Rule, rewrite
from shlo.transforms.rewriting.elementwise import clamp

ON_STORAGE: Final = frozenset(
    f"stablehlo.{name}" for name in (
        "bitcast_convert", "broadcast_in_dim", "composite", "concatenate", "constant",
        "dynamic_broadcast_in_dim", "dynamic_reshape", "dynamic_slice", "gather", "get_dimension_size",
        "maximum", "minimum", "pad", "reduce_window", "reshape", "return", "select", "slice", "transpose",
    )
)  # fmt: skip
"""The operations that do to stored numbers what they do to those they represent."""


def quantized_to_math(module: Module) -> Module:
    """Returns the module with integers in place of quantized tensors.

    Raises PassError, with its place, for an operation on quantized tensors that has no form on integers.
    """
    return rewrite(module, _RULES, retype=storage_of, default=_others)


def _others(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Keeps what works on stored numbers; what has a meaning on floats becomes that between conversions."""
    is_plain = not is_quantized(operation) or operation.name.startswith("func.")
    if is_plain or (operation.name in ON_STORAGE and not _changes_parameters(operation)):
        return None
    if operation.name not in by_meaning():
        raise rewriter.error(f"expected no quantized tensors, got {operation.name} of them", operation)
    operands = [
        value if element is None else dequantized(value, element)
        for value, element in zip(
            rewriter.refs(operation.operands), map(quantized_type, operation.operand_types)
        )
    ]
    built = of_floats(rewriter, operation, operands)
    return [
        value if element is None else quantized(value, element)
        for value, element in zip(built, map(quantized_type, operation.result_types))
    ]


def _changes_parameters(operation: Operation) -> bool:
    """Returns whether the operands and results of an operation that compares numbers have several quantized
    types.
    """
    elements = {quantized_type(type_) for type_ in (*operation.operand_types, *operation.result_types)}
    return operation.name in ("stablehlo.maximum", "stablehlo.minimum") and len(elements) > 1


def _quantize(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    (value,) = rewriter.refs(operation.operands)
    old, new = quantized_type(operation.operand_types[0]), quantized_type(operation.result_types[0])
    assert new is not None
    if old is None and value.element_type == F32:
        return [_of_type(rewriter, quantized(value, new), operation.result_types[0])]
    if old is None:
        raise rewriter.error(f"expected f32 to quantize, got {value.element_type}", operation)
    if old.is_per_axis and new.is_per_axis and old.axis != new.axis:
        raise rewriter.error(
            f"expected quantized types of the same axis, got {old.axis} and {new.axis}", operation
        )
    return [_of_type(rewriter, requantized(value, old, new, new.storage_type), operation.result_types[0])]


def _of_type(rewriter: Rewriter, value: ValueRef, type_: Type) -> ValueRef:
    """`value` with the sizes that the type states: the result of a quantization may know less of them."""
    stored = storage_of(type_)
    return value if value.type == stored else rewriter.one("stablehlo.convert", (value,), stored)


def _dequantize(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    (value,), old = rewriter.refs(operation.operands), quantized_type(operation.operand_types[0])
    return None if old is None else [_of_type(rewriter, dequantized(value, old), operation.result_types[0])]


def _add(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns a sum of integers: of operands requantized to the result's type."""
    lhs, rhs, result = map(quantized_type, (*operation.operand_types, *operation.result_types))
    if lhs is None or rhs is None or result is None:
        return _others(rewriter, operation)
    values = rewriter.refs(operation.operands)
    if any(element.is_per_axis for element in (lhs, rhs, result)):
        if lhs != rhs or lhs != result or lhs.storage_type != I32:
            return _others(rewriter, operation)
        return [_sum_along_axis(values, result)]
    first, second = (requantized(value, old, result, I32) for value, old in zip(values, (lhs, rhs)))
    zero_point = numbers(rewriter, result.zero_points, result, I32)
    total = broadcasting("subtract", broadcasting("add", first, second), zero_point)
    if result.storage_type == I32:
        return [total]
    low, high = storage_bounds(rewriter, result, I32)
    return [clamp(low, total, high).converted(result.storage_type)]


def _sum_along_axis(values: Sequence[ValueRef], type_: QuantizedType) -> ValueRef:
    total = values[0] + values[1]
    if not any(type_.zero_points):
        return total
    zero_points = numbers(total.builder, type_.zero_points, type_, IntegerType(32))
    return broadcasting("subtract", total, zero_points, along_axis(type_))


def _product(rule: Rule) -> Rule:
    def with_others(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
        built = rule(rewriter, operation) if is_quantized(operation) else None
        return _others(rewriter, operation) if built is None else built

    return with_others


_RULES: Final[dict[str, Rule]] = {
    DEQUANTIZE: _dequantize,
    QUANTIZE: _quantize,
    "stablehlo.add": _add,
    "stablehlo.convolution": _product(rewrite_convolution),
    "stablehlo.dot": _product(rewrite_dot),
    "stablehlo.dot_general": _product(rewrite_dot),
}
