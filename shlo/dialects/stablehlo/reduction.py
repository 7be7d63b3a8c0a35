"""Cards of the operations that apply a region over whole tensors, and of batch normalisation."""

from __future__ import annotations

from shlo.dialects.card import Card, operand, region, required, variadic
from shlo.dialects.stablehlo.parts import ANY_OR_QUANTIZED, FLOAT_OR_QUANTIZED

_VECTOR = "1-dimensional tensor of floating-point type or quantized tensor"
_EPSILON = required("epsilon", "float")
_FEATURE_INDEX = required("feature_index", "i64")

CARDS = (
    Card(
        "stablehlo.reduce",
        "Combines the elements along some dimensions with a region.",
        operands=(variadic("inputs", ANY_OR_QUANTIZED), variadic("init_values", "0-dimensional tensor")),
        attributes=(required("dimensions", "i64_array"),),
        regions=(region("body"),),
        results=(variadic("results", ANY_OR_QUANTIZED),),
        format="custom(reduce)",
        section="reduce",
    ),
    Card(
        "stablehlo.map",
        "Applies a region to the elements at each index.",
        operands=(variadic("inputs", ANY_OR_QUANTIZED),),
        attributes=(required("dimensions", "i64_array"),),
        regions=(region("computation"),),
        results=(operand("result", ANY_OR_QUANTIZED),),
        section="map",
    ),
    Card(
        "stablehlo.batch_norm_grad",
        "The gradients of batch_norm_training.",
        operands=(
            operand("operand", FLOAT_OR_QUANTIZED),
            operand("scale", _VECTOR),
            operand("mean", _VECTOR),
            operand("variance", _VECTOR),
            operand("grad_output", FLOAT_OR_QUANTIZED),
        ),
        attributes=(_EPSILON, _FEATURE_INDEX),
        results=(
            operand("grad_operand", FLOAT_OR_QUANTIZED),
            operand("grad_scale", _VECTOR),
            operand("grad_offset", _VECTOR),
        ),
        section="batch_norm_grad",
        result_names=("grad_operand", "grad_scale", "grad_offset"),
    ),
    Card(
        "stablehlo.batch_norm_inference",
        "Normalises a tensor by a given mean and variance.",
        operands=(
            operand("operand", FLOAT_OR_QUANTIZED),
            operand("scale", _VECTOR),
            operand("offset", _VECTOR),
            operand("mean", _VECTOR),
            operand("variance", _VECTOR),
        ),
        attributes=(_EPSILON, _FEATURE_INDEX),
        results=(operand("result", FLOAT_OR_QUANTIZED),),
        section="batch_norm_inference",
    ),
    Card(
        "stablehlo.batch_norm_training",
        "Normalises a tensor by its own mean and variance, and gives those too.",
        operands=(
            operand("operand", FLOAT_OR_QUANTIZED),
            operand("scale", _VECTOR),
            operand("offset", _VECTOR),
        ),
        attributes=(_EPSILON, _FEATURE_INDEX),
        results=(
            operand("output", FLOAT_OR_QUANTIZED),
            operand("batch_mean", _VECTOR),
            operand("batch_var", _VECTOR),
        ),
        section="batch_norm_training",
        result_names=("output", "batch_mean", "batch_var"),
    ),
)
