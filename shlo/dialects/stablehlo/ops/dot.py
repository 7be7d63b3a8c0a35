"""OpDefs of the operations that sum products over common dimensions."""

from __future__ import annotations

from shlo.dialects.attr_constraints import STRING_ATTR, struct_of
from shlo.dialects.opdef import OpDef, constraint, may, operand, required
from shlo.dialects.stablehlo import structs
from shlo.dialects.stablehlo.ops.parts import ANY_OR_PER_AXIS, ANY_OR_QUANTIZED, PRECISION_CONFIG
from shlo.dialects.stablehlo.rules.dot import known_dot_algorithm, precision_of_two, quantized_products

OP_DEFS = (
    OpDef(
        "stablehlo.dot_general",
        "Products of two tensors summed over contracting dimensions, for each index of the batching ones.",
        operands=(operand("lhs", ANY_OR_QUANTIZED), operand("rhs", ANY_OR_PER_AXIS)),
        attributes=(
            required("dot_dimension_numbers", struct_of(structs.DOT)),
            PRECISION_CONFIG,
            may("algorithm", struct_of(structs.DOT_ALGORITHM)),
        ),
        results=(operand("result", ANY_OR_PER_AXIS),),
        format="$lhs `,` $rhs `,` custom(dot_dimension_numbers) custom(precision_config_and_algorithm) "
        "attr-dict `:` type(function)",
        section="dot_general",
        inputs=(
            *("lhs", "rhs", "lhs_batching_dimensions", "rhs_batching_dimensions"),
            *("lhs_contracting_dimensions", "rhs_contracting_dimensions", "precision_config"),
            *("lhs_precision_type", "rhs_precision_type", "accumulation_type", "lhs_component_count"),
            *("rhs_component_count", "num_primitive_operations", "allow_imprecise_accumulation"),
        ),
        constraints=(
            *(
                constraint("C1", "size(lhs_batching_dimensions) = size(rhs_batching_dimensions)"),
                constraint("C2", "size(lhs_contracting_dimensions) = size(rhs_contracting_dimensions)"),
                constraint("C3", "is_unique(lhs_batching_dimensions ++ lhs_contracting_dimensions)"),
                constraint("C4", "is_unique(rhs_batching_dimensions ++ rhs_contracting_dimensions)"),
                constraint("C5", "0 <= lhs_batching_dimensions < rank(lhs)"),
                constraint("C6", "0 <= lhs_contracting_dimensions < rank(lhs)"),
                constraint("C7", "0 <= rhs_batching_dimensions < rank(rhs)"),
                constraint("C8", "0 <= rhs_contracting_dimensions < rank(rhs)"),
                constraint(
                    "C9", "dim(lhs, lhs_batching_dimensions...) = dim(rhs, rhs_batching_dimensions...)"
                ),
                constraint(
                    "C10", "dim(lhs, lhs_contracting_dimensions...) = dim(rhs, rhs_contracting_dimensions...)"
                ),
                precision_of_two("C11"),
            ),
            constraint(
                "C12",
                "shape(result) = dim(lhs, lhs_batching_dimensions...) ++ dim(lhs, lhs_result_dimensions...)"
                " ++ dim(rhs, rhs_result_dimensions...)"
                " where lhs_result_dimensions = [d for d in axes(lhs)"
                " if d not in lhs_batching_dimensions ++ lhs_contracting_dimensions];"
                " rhs_result_dimensions = [d for d in axes(rhs)"
                " if d not in rhs_batching_dimensions ++ rhs_contracting_dimensions]",
            ),
            *(
                constraint(
                    "C13",
                    "if not is_quantized(rhs) then element_type(lhs) = element_type(rhs)",
                    erratum="the MLIR tools take operands of different element types, as dot algorithms do",
                    enforced=False,
                ),
                *quantized_products("C14", "C17", "C18", "C19", "C20", was=("C14", "C15", "C16", "C18", "")),
                constraint("C15", "if is_quantized(rhs) then zero_points(rhs) = 0", was="C17"),
                constraint(
                    "C16",
                    "if is_per_axis_quantized(rhs)"
                    " then quantization_dimension(rhs) not in rhs_contracting_dimensions",
                    was="C19",
                ),
                constraint(
                    "C21",
                    "if algorithm is not None and precision_config is not None"
                    " then all(lambda word: word = DEFAULT, precision_config)",
                    was="",
                ),
                constraint("C22", "if algorithm is not None then 0 < lhs_component_count", was=""),
                constraint("C23", "if algorithm is not None then 0 < rhs_component_count", was=""),
                constraint("C24", "if algorithm is not None then 0 < num_primitive_operations", was=""),
                constraint(
                    "A1",
                    "a dot algorithm that some hardware has",
                    was="",
                    erratum="the specification lists no algorithms; the MLIR tools take those they know",
                    check=known_dot_algorithm,
                ),
            ),
        ),
        quantized="dequantize",
    ),
    OpDef(
        "stablehlo.dot",
        "The product of two matrices or vectors (not in the specification).",
        operands=(operand("lhs", ANY_OR_QUANTIZED), operand("rhs", ANY_OR_PER_AXIS)),
        attributes=(PRECISION_CONFIG,),
        results=(operand("result", ANY_OR_PER_AXIS),),
        format="$lhs `,` $rhs custom(precision_config) attr-dict `:` type(function)",
        constraints=(
            constraint("A1", "rank(lhs) in [1, 2] and rank(rhs) in [1, 2]", was=""),
            constraint("A2", "dim(lhs, -1) = dim(rhs, 0)", was=""),
            constraint("A3", "shape(result) = shape(lhs)[:-1] ++ shape(rhs)[1:]", was=""),
            precision_of_two("A4", was=""),
        ),
        quantized="dequantize",
    ),
    OpDef(
        "stablehlo.einsum",
        "Products of two tensors summed as an equation says (not in the specification).",
        operands=(operand("lhs", ANY_OR_QUANTIZED), operand("rhs", ANY_OR_QUANTIZED)),
        attributes=(required("einsum_config", STRING_ATTR),),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format="$lhs `,` $rhs `,` `config` `=` $einsum_config attr-dict `:` type(function)",
        quantized="dequantize",
    ),
    OpDef(
        "stablehlo.unary_einsum",
        "A tensor's dimensions summed and put in order as an equation says (not in the specification).",
        operands=(operand("operand", ANY_OR_QUANTIZED),),
        attributes=(required("einsum_config", STRING_ATTR),),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format="$operand `,` `config` `=` $einsum_config attr-dict `:` type(function)",
        quantized="dequantize",
    ),
)
