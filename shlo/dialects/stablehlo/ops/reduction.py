"""OpDefs of the operations that apply a region over whole tensors, of the sort and of batch normalisation."""

from __future__ import annotations

from shlo.dialects.attr_constraints import BOOL_ATTR, F32_ATTR, I64_ARRAY_ATTR, I64_ATTR
from shlo.dialects.opdef import (
    Combined,
    OpDef,
    constraint,
    defaulted,
    formulas,
    operand,
    region,
    required,
    traits,
    variadic,
)
from shlo.dialects.stablehlo.ops.parts import ANY_OR_QUANTIZED, FLOAT_OR_QUANTIZED
from shlo.dialects.stablehlo.rules.reducers import SCALARS, reducer_type
from shlo.dialects.stablehlo.rules.work import map_work, normalization_work, reduce_work, sort_work
from shlo.dialects.type_constraints import FLOAT_TYPE, quantized_tensor, tensor

_VECTOR = tensor(FLOAT_TYPE, rank=1) | quantized_tensor(rank=1)
_EPSILON = required("epsilon", F32_ATTR)
_FEATURE_INDEX = required("feature_index", I64_ATTR)

IN_RANK = constraint("C1", "0 <= feature_index < rank(operand)")


OP_DEFS = (
    OpDef(
        "stablehlo.reduce",
        "Combines the elements along some dimensions with a region.",
        operands=(variadic("inputs", ANY_OR_QUANTIZED), variadic("init_values", ANY_OR_QUANTIZED)),
        attributes=(required("dimensions", I64_ARRAY_ATTR),),
        regions=(region("body"),),
        results=(variadic("results", ANY_OR_QUANTIZED),),
        format="custom(reduce)",
        constraints=(
            constraint("C1", "same(shape(inputs...))"),
            constraint("C2", "element_type(inputs...) = element_type(init_values...)", enforced=False),
            constraint("C3", "0 < size(inputs) = size(init_values) = size(results)"),
            constraint("C4", "0 <= dimensions < rank(inputs[0])"),
            constraint("C5", "is_unique(dimensions)"),
            *reducer_type(
                "C6",
                "body",
                "shape(init_values...)",
                "inputs",
                "init_values",
                allowed="without_items(shape(inputs[0]), dimensions)",
            ),
            SCALARS,
            constraint("C7", "shape(results...) = [without_items(shape(x), dimensions) for x in inputs]"),
            constraint("C8", "element_type(results...) = element_type(output_types(body)...)"),
        ),
        quantized=Combined(("inputs", "init_values")),
        work=reduce_work,
    ),
    OpDef(
        "stablehlo.map",
        "Applies a region to the elements at each index.",
        operands=(variadic("inputs", ANY_OR_QUANTIZED),),
        attributes=(required("dimensions", I64_ARRAY_ATTR),),
        regions=(region("computation"),),
        results=(operand("result", ANY_OR_QUANTIZED),),
        constraints=formulas("""
            C1: shape(result) = shape(inputs[0]) and same(shape(inputs...))
            C2: 0 < size(inputs)
            C3: dimensions = range(rank(inputs[0]))
            C4: input_types(computation) = [tensor([], element_type(x)) for x in inputs]
                and size(output_types(computation)) = 1 and rank(output_types(computation)[0]) = 0
                and element_type(result) = element_type(output_types(computation)[0])
        """),
        quantized="own",
        work=map_work,
    ),
    OpDef(
        "stablehlo.batch_norm_grad",
        "Computes the gradients of batch_norm_training.",
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
        constraints=(
            IN_RANK,
            *formulas("""
                C2: same([baseline_element_type(x) for x in
                    [operand, scale, mean, variance, grad_output, grad_operand, grad_scale, grad_offset]])
                    and baseline_element_type(grad_operand) = baseline_element_type(operand)
                    and baseline_element_type(grad_scale) = baseline_element_type(scale)
                    and baseline_element_type(grad_offset) = baseline_element_type(scale)
                C3: shape(operand) = shape(grad_output) and shape(grad_operand) = shape(operand)
                C4: same([shape(scale), shape(mean), shape(variance)])
                    and shape(grad_scale) = shape(scale) and shape(grad_offset) = shape(scale)
                C5: size(scale) = dim(operand, feature_index)
            """),
        ),
        result_names=("grad_operand", "grad_scale", "grad_offset"),
        quantized="dequantize",
        work=normalization_work(11),
    ),
    OpDef(
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
        constraints=(
            IN_RANK,
            *formulas("""
                C2: same([baseline_element_type(x) for x in [operand, scale, offset, mean, variance, result]])
                C3: size(scale) = dim(operand, feature_index)
                C4: size(offset) = dim(operand, feature_index)
                A1: same([shape(x) for x in [scale, offset, mean, variance]]) # see C3 to C6
                C5: size(mean) = dim(operand, feature_index)
                C6: size(variance) = dim(operand, feature_index)
                C7: baseline_type(operand) = baseline_type(result)
            """),
        ),
        quantized="dequantize",
        work=normalization_work(4),
    ),
    OpDef(
        "stablehlo.batch_norm_training",
        "Normalises a tensor by its own mean and variance, and returns those too.",
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
        constraints=(
            IN_RANK,
            *formulas("""
                C2: same([baseline_element_type(x) for x in
                    [operand, scale, offset, batch_mean, batch_var, output]])
                    and baseline_element_type(batch_mean) = baseline_element_type(operand)
                    and baseline_element_type(batch_var) = baseline_element_type(operand)
                C3: size(scale) = dim(operand, feature_index)
                C4: size(offset) = dim(operand, feature_index)
                A1: shape(scale) = shape(offset) # see C3 and C4
                C5: shape(batch_mean) = [dim(operand, feature_index)]
                C6: shape(batch_var) = [dim(operand, feature_index)]
                C7: baseline_type(output) = baseline_type(operand)
            """),
        ),
        result_names=("output", "batch_mean", "batch_var"),
        quantized="dequantize",
        work=normalization_work(8),
    ),
    OpDef(
        "stablehlo.sort",
        "Sorts tensors together along one dimension, by a region that compares.",
        operands=(variadic("inputs", ANY_OR_QUANTIZED),),
        attributes=(defaulted("dimension", I64_ATTR, "-1 : i64"), defaulted("is_stable", BOOL_ATTR, "false")),
        regions=(region("comparator"),),
        results=(variadic("results", ANY_OR_QUANTIZED),),
        constraints=formulas("""
            C1: 0 < size(inputs)
            C2: baseline_type(inputs...) = baseline_type(results...)
            C3: same(shape(inputs...) ++ shape(results...))
            C4: -rank(inputs[0]) <= dimension < rank(inputs[0])
            C5: input_types(comparator) = [tensor([], element_type(inputs[floor(i / 2)]))
                for i in range(2 * size(inputs))] and output_types(comparator) = [tensor([], i1)]
        """),
        quantized="own",
        traits=traits("any_terminator"),
        work=sort_work,
    ),
)
