"""OpDefs of the operations whose shapes are known only at run time."""

from __future__ import annotations

from shlo.dialects.attr_constraints import BOOL_ATTR, I64_ARRAY_ATTR, I64_ATTR, struct_of
from shlo.dialects.opdef import OpDef, StaticForm, constraint, defaulted, formulas, may, operand, required
from shlo.dialects.stablehlo import structs
from shlo.dialects.stablehlo.ops.dot import CONVOLUTION_ATTRIBUTES, CONVOLUTION_INPUTS
from shlo.dialects.stablehlo.ops.parts import (
    ANY_OR_PER_AXIS,
    ANY_OR_QUANTIZED,
    FUNCTIONAL,
    INTEGER,
    INTEGER_VECTOR,
)
from shlo.dialects.stablehlo.rules.convolution import convolution_constraints
from shlo.dialects.stablehlo.rules.indexing import gather_constraints
from shlo.dialects.stablehlo.rules.quantization import (
    BROADCAST,
    QUANTIZED_ALIKE,
    SAME_SCALES,
    unquantized_alike,
)
from shlo.dialects.stablehlo.rules.work import (
    convolution_work,
    gather_work,
    no_work,
    slice_work,
    view_work,
)
from shlo.dialects.type_constraints import INDEX_TYPE, INTEGER_TYPE, SI32_TYPE, quantized_tensor, tensor

_INDICES = tensor(INDEX_TYPE | INTEGER_TYPE, rank=1)

OP_DEFS = (
    OpDef(
        "stablehlo.dynamic_broadcast_in_dim",
        "Broadcasts a tensor to a shape known at run time.",
        operands=(operand("operand", ANY_OR_PER_AXIS), operand("output_dimensions", INTEGER_VECTOR)),
        attributes=(
            required("broadcast_dimensions", I64_ARRAY_ATTR),
            may("known_expanding_dimensions", I64_ARRAY_ATTR),
            may("known_nonexpanding_dimensions", I64_ARRAY_ATTR),
        ),
        results=(operand("result", ANY_OR_PER_AXIS),),
        format="$operand `,` $output_dimensions `,` `dims` `=` $broadcast_dimensions "
        "attr-dict `:` type(function)",
        constraints=(
            *unquantized_alike("C1"),
            *BROADCAST,
            *formulas("""
                C5: all(lambda d: dim(operand, d) = 1
                    or dim(operand, d) = elements(output_dimensions)[broadcast_dimensions[d]], axes(operand))
                    # a shape that is known is the result's
                C7 unenforced: size(output_dimensions) = rank(result)
                C7: shape(result) = value(output_dimensions) # a shape that is known is the result's
                C8: is_unique(given(known_expanding_dimensions, [])
                    ++ given(known_nonexpanding_dimensions, []))
                C9: 0 <= given(known_expanding_dimensions, []) < rank(operand)
                C10: 0 <= given(known_nonexpanding_dimensions, []) < rank(operand)
            """),
        ),
        quantized="storage",
        static_form=StaticForm("stablehlo.broadcast_in_dim"),
    ),
    OpDef(
        "stablehlo.dynamic_conv",
        "Convolves a tensor with padding known at run time.",
        operands=(
            operand("lhs", ANY_OR_QUANTIZED),
            operand("rhs", ANY_OR_QUANTIZED),
            operand("padding", tensor(INTEGER_TYPE, rank=2)),
        ),
        attributes=tuple(spec for spec in CONVOLUTION_ATTRIBUTES if spec.name != "padding"),
        results=(operand("result", ANY_OR_QUANTIZED),),
        inputs=(
            *("lhs", "rhs", "padding", "window_strides", "lhs_dilation", "rhs_dilation", "window_reversal"),
            *CONVOLUTION_INPUTS,
        ),
        constraints=convolution_constraints("value(padding)", knows_result=False),
        quantized="dequantize",
        static_form=StaticForm("stablehlo.convolution", ("padding",)),
        work=convolution_work,
    ),
    OpDef(
        "stablehlo.dynamic_gather",
        "Gathers slices of sizes known at run time.",
        operands=(
            operand("operand", ANY_OR_QUANTIZED),
            operand("start_indices", INTEGER),
            operand("slice_sizes", tensor(INTEGER_TYPE, rank=1, extent="static")),
        ),
        attributes=(
            required("dimension_numbers", struct_of(structs.GATHER)),
            defaulted("indices_are_sorted", BOOL_ATTR, "false"),
        ),
        results=(operand("result", ANY_OR_QUANTIZED),),
        inputs=(
            *("operand", "start_indices", "slice_sizes", "offset_dims", "collapsed_slice_dims"),
            *("operand_batching_dims", "start_indices_batching_dims", "start_index_map"),
            *("index_vector_dim", "indices_are_sorted"),
        ),
        constraints=gather_constraints("elements(slice_sizes)"),
        quantized="storage",
        static_form=StaticForm("stablehlo.gather", ("slice_sizes",)),
        work=gather_work,
    ),
    OpDef(
        "stablehlo.dynamic_iota",
        "Counts from zero along one dimension of a shape known at run time.",
        operands=(operand("output_shape", INTEGER_VECTOR),),
        attributes=(required("iota_dimension", I64_ATTR),),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format="$output_shape `,` `dim` `=` $iota_dimension attr-dict `:` type(function)",
        constraints=formulas("""
            C1: 0 <= iota_dimension < rank(result)
            C2 unenforced: rank(result) = size(output_shape)
            C2: shape(result) = value(output_shape) # a shape that is known is the result's
        """),
        quantized="dequantize",
        static_form=StaticForm("stablehlo.iota"),
    ),
    OpDef(
        "stablehlo.dynamic_pad",
        "Pads a tensor by amounts known at run time.",
        operands=(
            operand("operand", ANY_OR_QUANTIZED),
            operand("padding_value", tensor(rank=0) | quantized_tensor(rank=0)),
            operand("edge_padding_low", INTEGER_VECTOR),
            operand("edge_padding_high", INTEGER_VECTOR),
            operand("interior_padding", INTEGER_VECTOR),
        ),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format=FUNCTIONAL,
        constraints=formulas("""
            A1: identical(type(edge_padding_low), type(edge_padding_high))
                and identical(type(edge_padding_high), type(interior_padding))
                # the MLIR tools want one type for all three
            A2: rank(result) = rank(operand) # see C4
            C1: element_type(operand) = element_type(padding_value) = element_type(result)
            C2: size(edge_padding_low) = size(edge_padding_high) = size(interior_padding) = rank(operand)
            C3: 0 <= value(interior_padding)
            C4: shape(result) = shape(operand) + value(edge_padding_low)
                + max(shape(operand) - 1, 0) * value(interior_padding) + value(edge_padding_high)
        """),
        quantized="storage",
        static_form=StaticForm(
            "stablehlo.pad", ("edge_padding_low", "edge_padding_high", "interior_padding")
        ),
    ),
    OpDef(
        "stablehlo.dynamic_reshape",
        "Reshapes a tensor to a shape known at run time.",
        operands=(operand("operand", ANY_OR_PER_AXIS), operand("output_shape", INTEGER_VECTOR)),
        results=(operand("result", ANY_OR_PER_AXIS),),
        format=FUNCTIONAL,
        constraints=(
            *unquantized_alike("C1"),
            SAME_SCALES,
            constraint("C2", "size(operand) = size(result)"),
            QUANTIZED_ALIKE,
            *formulas("""
                C4: size(output_shape) = rank(result)
                C4: shape(result) = value(output_shape) and size(operand) = product(value(output_shape))
                    # a shape that is known is the result's
            """),
        ),
        quantized="storage",
        static_form=StaticForm("stablehlo.reshape"),
        work=view_work,
    ),
    OpDef(
        "stablehlo.real_dynamic_slice",
        "Slices a tensor between indices known at run time.",
        operands=(
            operand("operand", ANY_OR_QUANTIZED),
            operand("start_indices", _INDICES),
            operand("limit_indices", _INDICES),
            operand("strides", _INDICES),
        ),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format=FUNCTIONAL,
        constraints=formulas("""
            A1: size(start_indices) = size(limit_indices) = size(strides) = rank(operand)
            A2 unenforced: rank(result) = rank(operand)
            A4: identical(type(start_indices), type(limit_indices))
                and identical(type(limit_indices), type(strides))
            A3: element_type(result) = element_type(operand)
            A4 unenforced: shape(result) = ceil((value(limit_indices) - value(start_indices)) /
                value(strides)) # the MLIR tools do not compare the sizes
        """),
        quantized="storage",
        static_form=StaticForm("stablehlo.slice", ("start_indices", "limit_indices", "strides")),
        work=slice_work,
    ),
    OpDef(
        "stablehlo.get_dimension_size",
        "Returns the size of a dimension.",
        operands=(operand("operand", ANY_OR_PER_AXIS),),
        attributes=(required("dimension", I64_ATTR),),
        results=(operand("result", tensor(SI32_TYPE, rank=0)),),
        format="$operand `,` `dim` `=` $dimension attr-dict `:` type(function)",
        constraints=(constraint("C1", "0 <= dimension < rank(operand)"),),
        quantized="own",
        work=no_work,
    ),
    OpDef(
        "stablehlo.set_dimension_size",
        "Sets the size of a dimension within its bound (not in the specification).",
        specified=False,
        operands=(operand("operand", ANY_OR_QUANTIZED), operand("size", tensor(SI32_TYPE, rank=0))),
        attributes=(required("dimension", I64_ATTR),),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format="$operand `,` $size `,` `dim` `=` $dimension attr-dict `:` type(function)",
        constraints=formulas("""
            A1: 0 <= dimension < rank(operand)
            A2: element_type(result) = element_type(operand)
            A3: shape(result) = with_items(shape(operand), [dimension],
                [resized(value(size), dim(operand, dimension))])
        """),
        quantized="storage",
        work=view_work,
    ),
)
