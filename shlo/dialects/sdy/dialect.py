"""OpDefs of the sdy dialect (Shardy), with which JAX says how tensors are laid out over a mesh of devices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shlo.dialects.attr_constraints import (
    ELEMENTS_ATTR,
    I64_ATTR,
    STRING_ATTR,
    SYMBOL_NAME_ATTR,
    AttrDef,
    EnumDef,
    Problem,
    enum_number_of,
    struct_of,
)
from shlo.dialects.func.rules import own
from shlo.dialects.opdef import (
    AttributeDef,
    Constraint,
    OpDef,
    constraint,
    defaulted,
    dialect_of,
    formulas,
    may,
    operand,
    region,
    required,
    traits,
    variadic,
)
from shlo.dialects.sdy import attributes
from shlo.dialects.sdy.rules import collective as collective_rules
from shlo.dialects.sdy.rules import computations as computation_rules
from shlo.dialects.sdy.rules import edges as edge_rules
from shlo.dialects.sdy.rules.collective import resharding_keeps_reduction
from shlo.dialects.sdy.rules.edges import blocks_something
from shlo.dialects.sdy.rules.shardings import inlined_mesh_problem, mesh_problem
from shlo.dialects.type_constraints import ANY_RANKED_TENSOR, ANY_SHAPED, ANY_STATIC_TENSOR, ANY_TYPE
from shlo.ir.attributes import Attribute
from shlo.ir.types import I32

PROPAGATION_DIRECTION = EnumDef(
    "sdy", "PropagationDirection", "propagation_direction", ("NONE", "FORWARD", "BACKWARD", "BOTH")
)
REDUCTION_OP = EnumDef("sdy", "ReductionOp", "reduction_op", ("sum", "max", "min"))
ENUMS = (PROPAGATION_DIRECTION, REDUCTION_OP)


def _attr(
    mnemonic: str,
    cls: Callable[..., Attribute],
    snippet: str = "<«»>",
    check: Callable[[Any], Problem | None] | None = None,
    custom: str | None = None,
) -> AttrDef:
    return AttrDef("sdy", mnemonic, cls, custom=custom or mnemonic, check=check, snippet=snippet)


MESH = _attr("mesh", attributes.ShardyMesh, '<[«"x"=2»]>', mesh_problem, "shardy_mesh")
SHARDING = _attr("sharding", attributes.TensorSharding, "<@«mesh», [«{}»]>", inlined_mesh_problem)
SHARDING_PER_VALUE = _attr(
    "sharding_per_value", attributes.ShardingPerValue, "<[<@«mesh», [«{}»]>]>", inlined_mesh_problem
)
MANUAL_AXES = _attr("manual_axes", attributes.ManualAxes, "{«»}")
AXIS_REF_LIST = _attr("axis_ref_list", attributes.AxisReferences, '{«"x"»}')
LIST_OF_AXIS_REF_LISTS = _attr("list_of_axis_ref_lists", attributes.AxisReferenceLists, '[{«"x"»}]')
ALL_TO_ALL_PARAM_LIST = _attr("all_to_all_param_list", attributes.AllToAllParameters, '[{«"x"»}: «0->1»]')
STRUCTS = (
    *(MESH, SHARDING, SHARDING_PER_VALUE, MANUAL_AXES),
    *(AXIS_REF_LIST, LIST_OF_AXIS_REF_LISTS, ALL_TO_ALL_PARAM_LIST),
    _attr("op_sharding_rule", attributes.OpShardingRule),
    _attr("axis_ref", attributes.AxisReference),
    _attr("dimension_sharding", attributes.DimensionSharding),
    _attr("all_to_all_param", attributes.AllToAllParameter),
    _attr("propagation_edges", attributes.PropagationEdges, check=edge_rules.edges_problem),
    _attr("propagation_one_step", attributes.PropagationStep),
    _attr("axis_to_propagation_details", attributes.AxisPropagation),
    _attr("edge_value_ref", attributes.EdgeValue),
)

_ANY = ANY_TYPE
_SHAPED = ANY_SHAPED
_RANKED = ANY_RANKED_TENSOR
_OUT_SHARDING = required("out_sharding", struct_of(SHARDING))
_REDUCTION_OP = defaulted("reduction_op", enum_number_of(REDUCTION_OP, I32), "0 : i32")
_OUT_FORMAT = "`out_sharding` `` `=` `` $out_sharding attr-dict `:` type(results)"
_PER_VALUE = struct_of(SHARDING_PER_VALUE, body_only=True)
_IN_FORMAT = "`in_shardings` `` `=` `` $in_shardings"
_OUT_SHARDINGS_FORMAT = "`out_shardings` `` `=` `` $out_shardings"


def _same(operand_name: str) -> tuple[Constraint, ...]:
    return (constraint("A1", f"identical(type(result), type({operand_name}))"),)


def _collective(
    name: str,
    summary: str,
    rules: tuple[Constraint, ...],
    *attributes: AttributeDef,
    format_: str = "",
) -> OpDef:
    return OpDef(
        f"sdy.{name}",
        summary,
        operands=(operand("tensor", _SHAPED),),
        attributes=(*attributes, _OUT_SHARDING),
        results=(operand("result", _SHAPED),),
        quantized="own",
        format=f"{format_} $tensor {_OUT_FORMAT}".strip(),
        constraints=(*_same("tensor"), *rules),
    )


def _resharding(name: str, summary: str) -> OpDef:
    return OpDef(
        f"sdy.{name}",
        summary,
        operands=(operand("input", _ANY),),
        attributes=(required("sharding", struct_of(SHARDING)),),
        results=(operand("result", _ANY),),
        traits=traits("annotation"),
        quantized="own",
        format="$input $sharding attr-dict `:` type(results)",
        constraints=(
            *_same("input"),
            own(
                "A2",
                "axes that stay unreduced keep their reduction",
                resharding_keeps_reduction,
                "sharding",
                needs_context=True,
            ),
        ),
    )


ANNOTATIONS = (
    OpDef(
        "sdy.mesh",
        "Defines a mesh of devices: its axes and their sizes.",
        attributes=(required("sym_name", SYMBOL_NAME_ATTR), required("mesh", struct_of(MESH))),
        format="$sym_name `=` $mesh attr-dict",
        traits=traits("symbol"),
    ),
    _resharding("sharding_constraint", "Returns its operand and states how it must be laid out."),
    _resharding("reshard", "Lays its operand out in another way."),
    OpDef(
        "sdy.sharding_group",
        "Adds a tensor to a group whose tensors must be laid out alike.",
        operands=(operand("input", _RANKED),),
        attributes=(required("group_id", I64_ATTR),),
        format="$input `group_id` `` `=` `` $group_id attr-dict `:` type(operands)",
        quantized="own",
    ),
    OpDef(
        "sdy.propagation_barrier",
        "Returns its operand and limits the directions in which layouts spread.",
        operands=(operand("input", _RANKED),),
        attributes=(required("allowed_direction", enum_number_of(PROPAGATION_DIRECTION, I32)),),
        results=(operand("result", _RANKED),),
        format="$input `allowed_direction` `` `=` `` $allowed_direction attr-dict `:` type(operands)",
        constraints=(
            *_same("input"),
            own("A2", "allowed_direction is not BOTH", blocks_something, "allowed_direction"),
        ),
        quantized="own",
    ),
    OpDef(
        "sdy.data_flow_edge",
        "Returns its operand and marks a place where layouts meet.",
        operands=(operand("input", _SHAPED),),
        attributes=(may("sharding", struct_of(SHARDING)),),
        results=(operand("result", _SHAPED),),
        quantized="own",
        format="$input [ `sharding` `` `=` `` $sharding ]? attr-dict `:` type(results)",
        constraints=(*_same("input"), *edge_rules.DATA_FLOW_EDGE),
    ),
    OpDef(
        "sdy.func_data_flow_edge",
        "Returns its operand and marks a place where layouts of a function's arguments or results meet.",
        operands=(operand("operand", _SHAPED),),
        results=(operand("result", _SHAPED),),
        quantized="own",
        format="$operand attr-dict `:` type(results)",
        constraints=(*_same("operand"), *edge_rules.FUNCTION_EDGE),
    ),
    OpDef(
        "sdy.constant",
        "Makes a tensor of elements written in the program.",
        attributes=(required("value", ELEMENTS_ATTR),),
        results=(operand("output", ANY_STATIC_TENSOR),),
        format="custom(constant)",
        traits=traits("constant"),
        constraints=formulas("""
            A1: shape(value) = shape(output) and element_type(value)
                = (is_quantized(output) and not is_quantized(value) ? storage_type(output)
                : element_type(output))
        """),
        quantized="own",
    ),
)

REGIONS = (
    OpDef(
        "sdy.manual_computation",
        "Runs a region on the parts of tensors that one device holds.",
        operands=(variadic("tensors", _ANY),),
        attributes=(
            required("in_shardings", _PER_VALUE),
            required("out_shardings", _PER_VALUE),
            required("manual_axes", struct_of(MANUAL_AXES)),
        ),
        regions=(region("body"),),
        results=(variadic("results", _ANY),),
        format=f"`(` operands `)` {_IN_FORMAT} {_OUT_SHARDINGS_FORMAT} `manual_axes` `` `=` `` $manual_axes "
        "custom(region_with_arguments) attr-dict `:` type(function)",
        traits=traits("closed"),
        constraints=computation_rules.MANUAL,
        quantized="own",
        synchronizes="wait",
    ),
    OpDef(
        "sdy.named_computation",
        "Runs a region that has a name.",
        operands=(variadic("operands", _ANY),),
        attributes=(
            required("name", STRING_ATTR),
            may("in_shardings", _PER_VALUE),
            may("out_shardings", _PER_VALUE),
        ),
        regions=(region("body"),),
        results=(variadic("results", _ANY),),
        format="`<` $name `>` `` `(` $operands `)` "
        f"[ {_IN_FORMAT} ]? [ {_OUT_SHARDINGS_FORMAT} ]? "
        "custom(region_with_arguments) attr-dict `:` type(function)",
        traits=traits("closed"),
        constraints=computation_rules.NAMED,
        quantized="own",
        synchronizes="region",
    ),
    OpDef(
        "sdy.return",
        "Ends a region and returns its results.",
        operands=(variadic("results", _ANY),),
        format="attr-dict [ $results `:` type(operands) ]?",
        traits=traits("terminator"),
        synchronizes="wait",
    ),
)

COLLECTIVES = (
    _collective(
        "all_gather",
        "Gathers the parts along some axes of the mesh.",
        collective_rules.ALL_GATHER,
        required("gathering_axes", struct_of(LIST_OF_AXIS_REF_LISTS)),
        format_="$gathering_axes",
    ),
    _collective(
        "all_slice",
        "Keeps one part along each of some axes of the mesh.",
        collective_rules.ALL_SLICE,
        required("slicing_axes", struct_of(LIST_OF_AXIS_REF_LISTS)),
        format_="$slicing_axes",
    ),
    _collective(
        "all_to_all",
        "Moves axes of the mesh from one dimension to another.",
        collective_rules.ALL_TO_ALL,
        required("params", struct_of(ALL_TO_ALL_PARAM_LIST)),
        format_="$params",
    ),
    _collective(
        "collective_permute", "Permutes the parts among the devices.", collective_rules.COLLECTIVE_PERMUTE
    ),
    _collective(
        "all_reduce",
        "Combines the parts along some axes of the mesh.",
        collective_rules.ALL_REDUCE,
        required("reduction_axes", struct_of(AXIS_REF_LIST)),
        _REDUCTION_OP,
        format_="[ $reduction_op ]? $reduction_axes",
    ),
    _collective(
        "reduce_scatter",
        "Combines the parts along some axes of the mesh, and keeps one part of that.",
        collective_rules.REDUCE_SCATTER,
        required("reduce_scatter_axes", struct_of(LIST_OF_AXIS_REF_LISTS)),
        _REDUCTION_OP,
        format_="[ $reduction_op ]? $reduce_scatter_axes",
    ),
    _collective(
        "sharded_to_unreduced",
        "Makes parts along some axes of the mesh summands of the whole.",
        collective_rules.SHARDED_TO_UNREDUCED,
        required("axes", struct_of(LIST_OF_AXIS_REF_LISTS)),
        format_="$axes",
    ),
    _collective(
        "replicated_to_unreduced",
        "Makes copies along some axes of the mesh summands of the whole.",
        collective_rules.REPLICATED_TO_UNREDUCED,
        required("axes", struct_of(AXIS_REF_LIST)),
        format_="$axes",
    ),
)

DIALECT = dialect_of(
    "sdy",
    ANNOTATIONS + REGIONS + COLLECTIVES,
    ENUMS,
    STRUCTS,
    region_end="sdy.return",
    kernels=(
        "shlo.interpreter.kernels.spmd.shardy",
        "shlo.interpreter.kernels.movement.creation",
    ),
)
