"""Quantized operations as operations of the floats that they represent, between conversions, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shlo.ir.operations import Module, Operation
from shlo.transforms.quantization.storage import expressed_of, quantized_element
from shlo.transforms.rewriting.builder import ValueRef
from shlo.transforms.rewriting.dead_code import without_dead_code
from shlo.transforms.rewriting.driver import Rewriter, Rule, rewrite

DEQUANTIZE: Final = "stablehlo.uniform_dequantize"
QUANTIZE: Final = "stablehlo.uniform_quantize"

BY_MEANING: Final = tuple(
    f"stablehlo.{name}" for name in (
        "abs", "add", "atan2", "batch_norm_grad", "batch_norm_inference", "batch_norm_training", "cbrt",
        "ceil", "cholesky", "clamp", "compare", "convolution", "cosine", "divide", "dot_general", "dot",
        "exponential_minus_one", "exponential", "floor", "log_plus_one", "logistic", "log", "maximum",
        "minimum", "multiply", "negate", "power", "reduce_precision", "remainder", "round_nearest_afz",
        "round_nearest_even", "rsqrt", "select", "sign", "sine", "sqrt", "subtract", "tanh", "tan",
        "triangular_solve",
    )
)  # fmt: skip
"""The operations whose quantized form is, by the specification, the form of floats between conversions."""


def quantized_to_qdq(module: Module) -> Module:
    """Returns the module with quantized operations replaced by uniform_dequantize, the operation on floats,
    and uniform_quantize.
    """
    return without_dead_code(rewrite(module, dict.fromkeys(BY_MEANING, _between_conversions)))


def is_quantized(operation: Operation) -> bool:
    """Returns whether an operation takes or gives quantized tensors."""
    return any(quantized_element(type_) for type_ in (*operation.operand_types, *operation.result_types))


def _between_conversions(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    if not is_quantized(operation):
        return None
    operands = [
        rewriter.one(DEQUANTIZE, (value,), expressed_of(value.type))
        if quantized_element(value.type)
        else value
        for value in rewriter.refs(operation.operands)
    ]
    built = of_floats(rewriter, operation, operands)
    return [
        rewriter.one(QUANTIZE, (value,), type_) if quantized_element(type_) else value
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
