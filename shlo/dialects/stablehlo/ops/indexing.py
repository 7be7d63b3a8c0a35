"""OpDefs of the operations that read or write parts of a tensor."""

from __future__ import annotations

from shlo.dialects.attr_constraints import BOOL_ATTR, I64_ARRAY_ATTR, I64_ATTR, struct_of
from shlo.dialects.opdef import (
    Combined,
    OpDef,
    defaulted,
    formulas,
    operand,
    region,
    required,
    traits,
    variadic,
)
from shlo.dialects.stablehlo import structs
from shlo.dialects.stablehlo.ops.parts import ANY_OR_QUANTIZED, FUNCTIONAL, INTEGER, INTEGER_SCALAR
from shlo.dialects.stablehlo.rules.indexing import SCATTER_CONSTRAINTS, gather_constraints
from shlo.dialects.stablehlo.rules.work import (
    dynamic_slice_work,
    dynamic_update_slice_work,
    gather_work,
    scatter_work,
    slice_work,
)
from shlo.dialects.type_constraints import ANY_INTEGER_TYPE, tensor

OP_DEFS = (
    OpDef(
        "stablehlo.slice",
        "Takes a part of a tensor, between fixed indices and with fixed steps.",
        operands=(operand("operand", ANY_OR_QUANTIZED),),
        attributes=(
            required("start_indices", I64_ARRAY_ATTR),
            required("limit_indices", I64_ARRAY_ATTR),
            required("strides", I64_ARRAY_ATTR),
        ),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format="$operand custom(slice_ranges) attr-dict `:` type(function)",
        constraints=formulas("""
            C1: element_type(operand) = element_type(result)
            C2: size(start_indices) = size(limit_indices) = size(strides) = rank(operand)
            C3: 0 <= start_indices <= limit_indices <= shape(operand)
            C4: 0 < strides
            C5: shape(result) = ceil((limit_indices - start_indices) / strides)
        """),
        quantized="storage",
        work=slice_work,
    ),
    OpDef(
        "stablehlo.dynamic_slice",
        "Takes a part of fixed size of a tensor, from indices known at run time.",
        operands=(operand("operand", ANY_OR_QUANTIZED), variadic("start_indices", INTEGER_SCALAR)),
        attributes=(required("slice_sizes", I64_ARRAY_ATTR),),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format="$operand `,` [ $start_indices `,` ]? `sizes` `=` $slice_sizes attr-dict `:` type(function)",
        constraints=formulas("""
            C1: element_type(operand) = element_type(result)
            C2: size(start_indices) = size(slice_sizes) = rank(operand)
            C3: same(type(start_indices...))
            C4: 0 <= slice_sizes <= shape(operand)
            C5: shape(result) = slice_sizes
        """),
        quantized="storage",
        work=dynamic_slice_work,
    ),
    OpDef(
        "stablehlo.dynamic_update_slice",
        "Replaces a part of a tensor, from indices known at run time.",
        operands=(
            operand("operand", ANY_OR_QUANTIZED),
            operand("update", ANY_OR_QUANTIZED),
            variadic("start_indices", INTEGER_SCALAR),
        ),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format=FUNCTIONAL,
        constraints=formulas("""
            C1: type(operand) = type(result)
            C2: element_type(update) = element_type(operand)
            C3: rank(update) = rank(operand)
            C4: size(start_indices) = rank(operand)
            C5: same(type(start_indices...))
            C6: 0 <= shape(update) <= shape(operand)
        """),
        quantized="storage",
        work=dynamic_update_slice_work,
    ),
    OpDef(
        "stablehlo.gather",
        "Gathers slices of a tensor from places given by a tensor of indices.",
        operands=(operand("operand", ANY_OR_QUANTIZED), operand("start_indices", INTEGER)),
        attributes=(
            required("dimension_numbers", struct_of(structs.GATHER)),
            required("slice_sizes", I64_ARRAY_ATTR),
            defaulted("indices_are_sorted", BOOL_ATTR, "false"),
        ),
        results=(operand("result", ANY_OR_QUANTIZED),),
        inputs=(
            *("operand", "start_indices", "offset_dims", "collapsed_slice_dims", "operand_batching_dims"),
            *("start_indices_batching_dims", "start_index_map", "index_vector_dim", "slice_sizes"),
            "indices_are_sorted",
        ),
        constraints=gather_constraints("slice_sizes"),
        quantized="storage",
        work=gather_work,
    ),
    OpDef(
        "stablehlo.scatter",
        "Combines updates into slices of tensors at places given by a tensor of indices.",
        operands=(
            variadic("inputs", ANY_OR_QUANTIZED),
            operand("scatter_indices", tensor(ANY_INTEGER_TYPE)),
            variadic("updates", ANY_OR_QUANTIZED),
        ),
        attributes=(
            required("scatter_dimension_numbers", struct_of(structs.SCATTER)),
            defaulted("indices_are_sorted", BOOL_ATTR, "false"),
            defaulted("unique_indices", BOOL_ATTR, "false"),
        ),
        regions=(region("update_computation"),),
        results=(variadic("results", ANY_OR_QUANTIZED),),
        inputs=(
            *("inputs", "scatter_indices", "updates", "update_window_dims", "inserted_window_dims"),
            *("input_batching_dims", "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"),
            *("index_vector_dim", "indices_are_sorted", "unique_indices", "update_computation"),
        ),
        constraints=SCATTER_CONSTRAINTS,
        quantized=Combined(("inputs", "updates")),
        traits=traits("any_terminator"),
        work=scatter_work,
    ),
    OpDef(
        "stablehlo.torch_index_select",
        "Takes slices along one dimension by indices (not in the specification).",
        specified=False,
        operands=(operand("operand", ANY_OR_QUANTIZED), operand("index", ANY_OR_QUANTIZED)),
        attributes=(required("dim", I64_ATTR), required("batch_dims", I64_ATTR)),
        results=(operand("result", ANY_OR_QUANTIZED),),
        quantized="storage",
    ),
)
