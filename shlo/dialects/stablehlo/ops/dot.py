"""OpDefs of the operations that sum products: contractions and the convolution."""

from __future__ import annotations

from shlo.dialects.attr_constraints import (
    BOOL_ARRAY_ATTR,
    I64_ARRAY_ATTR,
    I64_ATTR,
    I64_ELEMENTS_ATTR,
    STRING_ATTR,
    struct_of,
)
from shlo.dialects.op_bindings import Broken, OpBindings
from shlo.dialects.opdef import OpDef, constraint, formulas, may, operand, required
from shlo.dialects.stablehlo import structs
from shlo.dialects.stablehlo.ops.parts import ANY_OR_PER_AXIS, ANY_OR_QUANTIZED, PRECISION_CONFIG
from shlo.dialects.stablehlo.rules.convolution import convolution_constraints
from shlo.dialects.stablehlo.rules.work import (
    convolution_work,
    dot_general_work,
    dot_work,
    einsum_work,
    unary_einsum_work,
)
from shlo.dialects.struct_attributes import DotAlgorithm
from shlo.ir.suggestions import LeaveOut
from shlo.ir.types import FloatType, Type

_F8 = tuple(
    FloatType(f"f8{name}")
    for name in ("E3M4", "E4M3", "E4M3FN", "E5M2", "E4M3FNUZ", "E4M3B11FNUZ", "E5M2FNUZ")
)
_ALGORITHMS: frozenset[tuple[str, str, int]] = frozenset(
    (
        *(("f16", accumulation, 1) for accumulation in ("f16", "f32")),
        ("bf16", "bf16", 1),
        *(("bf16", "f32", count) for count in (1, 3, 6, 9)),
        *(("tf32", "f32", count) for count in (1, 3)),
        *(("f32", "f32", 1), ("f64", "f64", 1)),
    )
)
"""The precision of both operands, the accumulation type, how many primitive operations."""


def known_dot_algorithm(bindings: OpBindings) -> Broken | None:
    """Some hardware has the algorithm."""
    algorithm = bindings.signature.properties.get("algorithm")
    if not isinstance(algorithm, DotAlgorithm) or _is_known(algorithm):
        return None
    message = f"no hardware is known to have the algorithm {algorithm}"
    words = "leave algorithm out, or take f32 for all three types and 1 for all three counts, for instance"
    return Broken(message, ("algorithm",), (LeaveOut("algorithm", words=words),))


def _is_known(algorithm: DotAlgorithm) -> bool:
    types = algorithm.lhs_precision_type, algorithm.rhs_precision_type
    count = algorithm.num_primitive_operations
    if (algorithm.lhs_component_count, algorithm.rhs_component_count) != (1, 1):
        return False
    if all(type_ in _F8 for type_ in types):
        return algorithm.accumulation_type == FloatType("f32") and count == 1
    names = _name(types[0]), _name(algorithm.accumulation_type), count
    return types[0] == types[1] and not algorithm.allow_imprecise_accumulation and names in _ALGORITHMS


def _name(type_: Type) -> str:
    return type_.name if isinstance(type_, FloatType) else ""


CONVOLUTION_ATTRIBUTES = (
    may("window_strides", I64_ARRAY_ATTR),
    may("padding", I64_ELEMENTS_ATTR),
    may("lhs_dilation", I64_ARRAY_ATTR),
    may("rhs_dilation", I64_ARRAY_ATTR),
    may("window_reversal", BOOL_ARRAY_ATTR),
    required("dimension_numbers", struct_of(structs.CONV)),
    required("feature_group_count", I64_ATTR),
    required("batch_group_count", I64_ATTR),
    PRECISION_CONFIG,
)
CONVOLUTION_INPUTS = (
    *("input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions"),
    *("kernel_input_feature_dimension", "kernel_output_feature_dimension"),
    *("kernel_spatial_dimensions", "output_batch_dimension", "output_feature_dimension"),
    *("output_spatial_dimensions", "feature_group_count", "batch_group_count", "precision_config"),
)
"""The inputs behind the window's, in the specification's order."""

OP_DEFS = (
    OpDef(
        "stablehlo.dot_general",
        "Sums products of two tensors over contracting dimensions, for each index of the batching ones.",
        operands=(operand("lhs", ANY_OR_QUANTIZED), operand("rhs", ANY_OR_PER_AXIS)),
        attributes=(
            required("dot_dimension_numbers", struct_of(structs.DOT)),
            PRECISION_CONFIG,
            may("algorithm", struct_of(structs.DOT_ALGORITHM)),
        ),
        results=(operand("result", ANY_OR_PER_AXIS),),
        format="$lhs `,` $rhs `,` custom(dot_dimension_numbers) custom(precision_config_and_algorithm) "
        "attr-dict `:` type(function)",
        inputs=(
            *("lhs", "rhs", "lhs_batching_dimensions", "rhs_batching_dimensions"),
            *("lhs_contracting_dimensions", "rhs_contracting_dimensions", "precision_config"),
            *("lhs_precision_type", "rhs_precision_type", "accumulation_type", "lhs_component_count"),
            *("rhs_component_count", "num_primitive_operations", "allow_imprecise_accumulation"),
        ),
        constraints=(
            *formulas("""
                C1: size(lhs_batching_dimensions) = size(rhs_batching_dimensions)
                C2: size(lhs_contracting_dimensions) = size(rhs_contracting_dimensions)
                C3: is_unique(lhs_batching_dimensions ++ lhs_contracting_dimensions)
                C4: is_unique(rhs_batching_dimensions ++ rhs_contracting_dimensions)
                C5: 0 <= lhs_batching_dimensions < rank(lhs)
                C6: 0 <= lhs_contracting_dimensions < rank(lhs)
                C7: 0 <= rhs_batching_dimensions < rank(rhs)
                C8: 0 <= rhs_contracting_dimensions < rank(rhs)
                C9: dim(lhs, lhs_batching_dimensions...) = dim(rhs, rhs_batching_dimensions...)
                C10: dim(lhs, lhs_contracting_dimensions...) = dim(rhs, rhs_contracting_dimensions...)
                C11: if precision_config is not None then size(precision_config) <= 2
                    # one that is not given is DEFAULT
                C12: shape(result) = dim(lhs, lhs_batching_dimensions...)
                    ++ dim(lhs, lhs_result_dimensions...) ++ dim(rhs, rhs_result_dimensions...)
                    where lhs_result_dimensions = [d for d in axes(lhs)
                    if d not in lhs_batching_dimensions ++ lhs_contracting_dimensions];
                    rhs_result_dimensions = [d for d in axes(rhs)
                    if d not in rhs_batching_dimensions ++ rhs_contracting_dimensions]
                C13 unenforced: if not is_quantized(rhs) then element_type(lhs) = element_type(rhs)
                    # the MLIR tools take operands of different element types, as dot algorithms do
                C14: if is_quantized(lhs) or is_quantized(rhs) or is_quantized(result)
                    then is_quantized(lhs) = is_quantized(result) and is_quantized(rhs)
                C17 (C15): if is_quantized(lhs) and is_quantized(rhs)
                    then storage_type(lhs) = storage_type(rhs)
                C18 (C16): if is_quantized(lhs) and is_quantized(rhs)
                    then expressed_type(lhs) = expressed_type(rhs) = expressed_type(result)
                C19 (C18): if is_quantized(lhs) and is_per_tensor_quantized(rhs)
                    then is_per_tensor_quantized(result)
                C20 (new): if is_quantized(rhs) and not is_quantized(lhs)
                    then element_type(lhs) = expressed_type(rhs) = element_type(result)
                C15 (C17): if is_quantized(rhs) then zero_points(rhs) = 0
                C16 (C19): if is_per_axis_quantized(rhs)
                    then quantization_dimension(rhs) not in rhs_contracting_dimensions
                C21 (new): if algorithm is not None and precision_config is not None
                    then all(lambda word: word = DEFAULT, precision_config)
                C22 (new): if algorithm is not None then 0 < lhs_component_count
                C23 (new): if algorithm is not None then 0 < rhs_component_count
                C24 (new): if algorithm is not None then 0 < num_primitive_operations
            """),
            constraint(
                "A1",
                "a dot algorithm that some hardware has",
                erratum="the specification lists no algorithms; the MLIR tools take those they know",
                check=known_dot_algorithm,
            ),
        ),
        quantized="dequantize",
        work=dot_general_work,
    ),
    OpDef(
        "stablehlo.dot",
        "Computes the product of two matrices or vectors (not in the specification).",
        specified=False,
        operands=(operand("lhs", ANY_OR_QUANTIZED), operand("rhs", ANY_OR_PER_AXIS)),
        attributes=(PRECISION_CONFIG,),
        results=(operand("result", ANY_OR_PER_AXIS),),
        format="$lhs `,` $rhs custom(precision_config) attr-dict `:` type(function)",
        constraints=formulas("""
            A1: rank(lhs) in [1, 2] and rank(rhs) in [1, 2]
            A2: dim(lhs, -1) = dim(rhs, 0)
            A3: shape(result) = shape(lhs)[:-1] ++ shape(rhs)[1:]
            A4: if precision_config is not None then size(precision_config) <= 2
                # one that is not given is DEFAULT
        """),
        quantized="dequantize",
        work=dot_work,
    ),
    OpDef(
        "stablehlo.einsum",
        "Sums products of two tensors as an equation says (not in the specification).",
        specified=False,
        operands=(operand("lhs", ANY_OR_QUANTIZED), operand("rhs", ANY_OR_QUANTIZED)),
        attributes=(required("einsum_config", STRING_ATTR),),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format="$lhs `,` $rhs `,` `config` `=` $einsum_config attr-dict `:` type(function)",
        quantized="dequantize",
        work=einsum_work,
    ),
    OpDef(
        "stablehlo.unary_einsum",
        "Sums and reorders a tensor's dimensions as an equation says (not in the specification).",
        specified=False,
        operands=(operand("operand", ANY_OR_QUANTIZED),),
        attributes=(required("einsum_config", STRING_ATTR),),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format="$operand `,` `config` `=` $einsum_config attr-dict `:` type(function)",
        quantized="dequantize",
        work=unary_einsum_work,
    ),
    OpDef(
        "stablehlo.convolution",
        "Sums products of windows of a tensor with a kernel.",
        operands=(operand("lhs", ANY_OR_QUANTIZED), operand("rhs", ANY_OR_PER_AXIS)),
        attributes=CONVOLUTION_ATTRIBUTES,
        results=(operand("result", ANY_OR_PER_AXIS),),
        format="`(` operands `)` `dim_numbers` `=` custom(convolution_dimensions) `,` `window` `=` `{` "
        "custom(window_attributes) `}` attr-dict `:` type(function)",
        inputs=(
            *("lhs", "rhs", "window_strides", "padding", "lhs_dilation", "rhs_dilation", "window_reversal"),
            *CONVOLUTION_INPUTS,
        ),
        constraints=convolution_constraints("padding"),
        quantized="dequantize",
        work=convolution_work,
    ),
)
