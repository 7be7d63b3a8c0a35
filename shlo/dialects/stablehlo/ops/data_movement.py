"""OpDefs of the operations that move elements and leave them as they are."""

from __future__ import annotations

from shlo.dialects.attr_constraints import I64_ARRAY_ATTR, I64_ATTR
from shlo.dialects.opdef import OpDef, constraint, formulas, operand, required, variadic
from shlo.dialects.stablehlo.ops.parts import ANY_OR_PER_AXIS, ANY_OR_QUANTIZED, FUNCTIONAL
from shlo.dialects.stablehlo.rules.quantization import (
    BROADCAST,
    QUANTIZED_ALIKE,
    STATIC_RESULT,
    same_but_quantization,
    same_but_scales,
)
from shlo.dialects.stablehlo.rules.work import elements_work, view_work
from shlo.dialects.type_constraints import quantized_tensor, tensor

OP_DEFS = (
    OpDef(
        "stablehlo.bitcast_convert",
        "Reads the bits of the elements as elements of another type.",
        operands=(operand("operand", ANY_OR_PER_AXIS),),
        results=(operand("result", ANY_OR_PER_AXIS),),
        format=FUNCTIONAL,
        constraints=formulas("""
            C1: bitwidth(result) = bitwidth(operand) ? all(lambda r, o: r = o, shape(result), shape(operand))
                : bitwidth(result) < bitwidth(operand)
                ? rank(result) = rank(operand) + 1 and shape(result)[:-1] = shape(operand)
                and dim(result, -1) * bitwidth(result) = bitwidth(operand)
                : rank(result) + 1 = rank(operand) and shape(result) = shape(operand)[:-1]
                and dim(operand, -1) * bitwidth(operand) = bitwidth(result)
                # the MLIR tools compare the dimensions that both shapes have
            C1 unenforced: shape(result) = (bitwidth(result) = bitwidth(operand) ? shape(operand)
                : bitwidth(result) < bitwidth(operand)
                ? shape(operand) ++ [bitwidth(operand) / bitwidth(result)] : shape(operand)[:-1])
                # the ranks too, which the MLIR tools leave out
            C2: is_complex(operand) = is_complex(result)
        """),
        quantized="own",
        work=elements_work,
    ),
    OpDef(
        "stablehlo.broadcast",
        "Repeats a tensor along new leading dimensions.",
        operands=(operand("operand", ANY_OR_QUANTIZED),),
        attributes=(required("broadcast_sizes", I64_ARRAY_ATTR),),
        results=(operand("result", ANY_OR_PER_AXIS),),
        format="$operand `,` `sizes` `=` $broadcast_sizes attr-dict `:` type(function)",
        constraints=formulas("""
            A1: 0 <= broadcast_sizes
            A2: shape(result) = broadcast_sizes ++ shape(operand)
            A3: identical(element_type(result), element_type(operand))
        """),
        quantized="storage",
    ),
    OpDef(
        "stablehlo.broadcast_in_dim",
        "Repeats a tensor along new dimensions and those of size one.",
        operands=(operand("operand", ANY_OR_PER_AXIS),),
        attributes=(required("broadcast_dimensions", I64_ARRAY_ATTR),),
        results=(operand("result", ANY_OR_PER_AXIS),),
        format="$operand `,` `dims` `=` $broadcast_dimensions attr-dict `:` type(function)",
        constraints=(same_but_scales("C1"), *BROADCAST, STATIC_RESULT),
        quantized="storage",
    ),
    OpDef(
        "stablehlo.concatenate",
        "Joins tensors along one dimension.",
        operands=(variadic("inputs", ANY_OR_QUANTIZED),),
        attributes=(required("dimension", I64_ATTR),),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format="[ $inputs `,` ]? `dim` `=` $dimension attr-dict `:` type(function)",
        constraints=formulas("""
            C1: same(element_type(inputs...))
            C2: same(rank(inputs...)) and same([with_items(shape(x), [dimension], [0]) for x in inputs])
            C3: 0 < size(inputs)
            C4: 0 <= dimension < rank(inputs[0])
            C5: element_type(result) = element_type(inputs[0])
            C6: shape(result) = with_items(shape(inputs[0]), [dimension], [sum(dim(inputs..., dimension))])
        """),
        quantized="storage",
    ),
    OpDef(
        "stablehlo.pad",
        "Puts padding around a tensor and between its elements, or cuts its edges.",
        operands=(
            operand("operand", ANY_OR_QUANTIZED),
            operand("padding_value", tensor(rank=0) | quantized_tensor(rank=0)),
        ),
        attributes=(
            required("edge_padding_low", I64_ARRAY_ATTR),
            required("edge_padding_high", I64_ARRAY_ATTR),
            required("interior_padding", I64_ARRAY_ATTR),
        ),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format="$operand `,` $padding_value `,` `low` `=` $edge_padding_low `,` "
        "`high` `=` $edge_padding_high `,` `interior` `=` $interior_padding attr-dict `:` type(function)",
        constraints=formulas("""
            C1: baseline_element_type(operand) = baseline_element_type(padding_value)
                = baseline_element_type(result)
            C2: size(edge_padding_low) = size(edge_padding_high) = size(interior_padding) = rank(operand)
            C3: 0 <= interior_padding
            C4: shape(result) = sizes and 0 <= sizes where sizes = shape(operand) + edge_padding_low
                + max(shape(operand) - 1, 0) * interior_padding + edge_padding_high
        """),
        quantized="storage",
    ),
    OpDef(
        "stablehlo.reshape",
        "Gives the elements, in the same order, another shape.",
        operands=(operand("operand", ANY_OR_PER_AXIS),),
        results=(operand("result", ANY_OR_PER_AXIS),),
        format=FUNCTIONAL,
        constraints=(
            same_but_quantization("C1"),
            constraint("C2", "size(operand) = size(result)"),
            QUANTIZED_ALIKE,
            STATIC_RESULT,
        ),
        quantized="storage",
        work=view_work,
    ),
    OpDef(
        "stablehlo.reverse",
        "Reverses the order of elements along some dimensions.",
        operands=(operand("operand", ANY_OR_QUANTIZED),),
        attributes=(required("dimensions", I64_ARRAY_ATTR),),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format="$operand `,` `dims` `=` $dimensions attr-dict `:` type(same)",
        constraints=formulas("""
            C1: type(operand) = type(result)
            C2: is_unique(dimensions)
            C3: 0 <= dimensions < rank(result)
        """),
        quantized="storage",
    ),
    OpDef(
        "stablehlo.transpose",
        "Reorders the dimensions.",
        operands=(operand("operand", ANY_OR_PER_AXIS),),
        attributes=(required("permutation", I64_ARRAY_ATTR),),
        results=(operand("result", ANY_OR_PER_AXIS),),
        format="$operand `,` `dims` `=` $permutation attr-dict `:` type(function)",
        constraints=(
            same_but_quantization("C1"),
            *formulas("""
                C2: is_permutation(permutation, rank(operand))
                C3: shape(result) = dim(operand, permutation...)
                C4: if is_per_axis_quantized(result) and is_per_axis_quantized(operand)
                    then quantization_dimension(operand) = permutation[quantization_dimension(result)]
            """),
        ),
        quantized="storage",
    ),
)
