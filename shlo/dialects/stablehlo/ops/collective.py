"""OpDefs of the operations in which the processes of a grid work together."""

from __future__ import annotations

from shlo.dialects.attr_constraints import I64_ATTR, I64_ELEMENTS_ATTR, UNIT_ATTR
from shlo.dialects.opdef import OpDef, constraint, formulas, may, operand, region, required, traits, variadic
from shlo.dialects.stablehlo.ops.parts import ANY_OR_QUANTIZED, CHANNEL_HANDLE, REPLICA_GROUPS
from shlo.dialects.stablehlo.rules.collective import (
    GROUP,
    body_is_asynchronous,
    body_is_one_operation,
    global_ids,
    operation_sees_the_arguments,
    pairs,
    replica_groups,
    scalar_reducer,
)
from shlo.dialects.stablehlo.rules.work import combined_work, elements_work
from shlo.dialects.type_constraints import FUTURE, UI32_TYPE, tensor

_PROCESS_ID = tensor(UI32_TYPE, rank=0)
_OPERANDS = (variadic("operands", ANY_OR_QUANTIZED),)
_RESULTS = (variadic("results", ANY_OR_QUANTIZED),)
_REPLICA_GROUPS = required("replica_groups", REPLICA_GROUPS)
_USE_GLOBAL_DEVICE_IDS = may("use_global_device_ids", UNIT_ATTR)
_HAS_DYNAMIC_ROOT = may("has_dynamic_root", UNIT_ATTR)

DATA_AND_ROOT = formulas("""
    C3: if has_dynamic_root is None then 1 <= size(operands) and type(results...) = type(operands...)
        # operands and a root that the program computes came after the specification of 2024
    C4 (new): if has_dynamic_root is not None then 2 <= size(operands)
        and type(operands[-1]) = tensor([size(operands) - 1], i32)
        and type(results...) = type(operands[:-1]...)
    C5 (new): size(results) = size(operands) - (has_dynamic_root is None ? 0 : 1)
""")

OP_DEFS = (
    OpDef(
        "stablehlo.all_gather",
        "Joins the operands of a group's processes along one dimension.",
        operands=_OPERANDS,
        attributes=(
            required("all_gather_dim", I64_ATTR),
            _REPLICA_GROUPS,
            CHANNEL_HANDLE,
            _USE_GLOBAL_DEVICE_IDS,
        ),
        results=_RESULTS,
        inputs=("operands", "all_gather_dim", "replica_groups", "channel_id", "use_global_device_ids"),
        constraints=(
            constraint("C1", "0 <= all_gather_dim and all(lambda x: all_gather_dim < rank(x), operands)"),
            *replica_groups("C2", "C3", "C4"),
            *global_ids("C5", 0),
            *formulas("""
                C6: size(results) = size(operands)
                    and all(lambda x, y: element_type(x) = element_type(y) and rank(x) = rank(y)
                    and without_items(shape(x), [all_gather_dim]) = without_items(shape(y), [all_gather_dim])
                    and dim(y, all_gather_dim) % dim(x, all_gather_dim) = 0, operands, results)
                    # the size of a group need not be known; 0 cannot be gathered
            """),
            constraint(
                "C6",
                "all(lambda x, y: dim(y, all_gather_dim) = dim(x, all_gather_dim) * group, operands, results)"
                + GROUP,
                enforced=False,
            ),
            constraint("A2", "all(lambda x: dim(x, all_gather_dim) != 0, operands)", erratum="see C6"),
        ),
        quantized="own",
        synchronizes="group",
    ),
    OpDef(
        "stablehlo.all_reduce",
        "Combines the operands of a group's processes with a region.",
        operands=_OPERANDS,
        attributes=(_REPLICA_GROUPS, CHANNEL_HANDLE, _USE_GLOBAL_DEVICE_IDS),
        regions=(region("computation"),),
        results=_RESULTS,
        inputs=("operands", "replica_groups", "channel_id", "use_global_device_ids", "computation"),
        constraints=(
            *replica_groups("C1", "C2", "C3", padded=True),
            *global_ids("C4", 1),
            *scalar_reducer("C5", "operands"),
            *formulas("""
                C6: shape(results...) = shape(operands...)
                C7: element_type(results...) = [element_type(output_types(computation)[0]) for x in operands]
            """),
        ),
        quantized="own",
        synchronizes="group",
        work=combined_work,
    ),
    OpDef(
        "stablehlo.all_to_all",
        "Splits each process's operands, and gives each process of the group one part of all.",
        operands=_OPERANDS,
        attributes=(
            required("split_dimension", I64_ATTR),
            required("concat_dimension", I64_ATTR),
            required("split_count", I64_ATTR),
            _REPLICA_GROUPS,
            CHANNEL_HANDLE,
        ),
        results=_RESULTS,
        inputs=(
            *("operands", "split_dimension", "concat_dimension", "split_count", "replica_groups"),
            "channel_id",
        ),
        constraints=(
            constraint("C1", "0 <= split_dimension and all(lambda x: split_dimension < rank(x), operands)"),
            constraint("C2", "all(lambda x: dim(x, split_dimension) % split_count = 0, operands)"),
            constraint("C3", "0 <= concat_dimension and all(lambda x: concat_dimension < rank(x), operands)"),
            constraint("C4", "0 < split_count"),
            *replica_groups("C5", "C6", "C7"),
            *formulas("""
                C8: if is_tensor_value(replica_groups) then dim(replica_groups, 1) = split_count
                C9: element_type(results...) = element_type(operands...)
                    and shape(results...) = [exchanged(x) for x in operands]
                    where exchanged = lambda x: (split_dimension = concat_dimension ? shape(x)
                    : with_items(shape(x), [split_dimension, concat_dimension],
                    [dim(x, split_dimension) / split_count, dim(x, concat_dimension) * split_count]))
            """),
        ),
        quantized="own",
        synchronizes="group",
    ),
    OpDef(
        "stablehlo.collective_broadcast",
        "Gives one process's operands to all processes of its group.",
        operands=_OPERANDS,
        attributes=(_REPLICA_GROUPS, CHANNEL_HANDLE, _HAS_DYNAMIC_ROOT),
        results=_RESULTS,
        inputs=("operands", "replica_groups", "channel_id", "has_dynamic_root"),
        constraints=(
            *formulas("""
                C1: if is_tensor_value(replica_groups) then rank(replica_groups) = 2
                    and is_unique(flat(replica_groups))
                C2: if is_tensor_value(replica_groups) then all(lambda i: 0 <= i, flat(replica_groups))
            """),
            *DATA_AND_ROOT,
        ),
        quantized="own",
        synchronizes="group",
    ),
    OpDef(
        "stablehlo.collective_permute",
        "Sends each process's operand to the process that it is paired with.",
        operands=(operand("operand", ANY_OR_QUANTIZED),),
        attributes=(required("source_target_pairs", I64_ELEMENTS_ATTR), CHANNEL_HANDLE),
        results=(operand("result", ANY_OR_QUANTIZED),),
        inputs=("operand", "source_target_pairs", "channel_id"),
        constraints=(*pairs(("C1", "C2", "C3", "C4")), constraint("C5", "type(result) = type(operand)")),
        quantized="own",
        synchronizes="group",
    ),
    OpDef(
        "stablehlo.collective_reduce",
        "Combines the operands of a group's processes with a region, for the group's root.",
        operands=_OPERANDS,
        attributes=(_REPLICA_GROUPS, CHANNEL_HANDLE, _USE_GLOBAL_DEVICE_IDS, _HAS_DYNAMIC_ROOT),
        regions=(region("computation"),),
        results=_RESULTS,
        constraints=(
            *replica_groups("C1", "C2", "C3", padded=True, was=("", "", "")),
            *global_ids("A2", 1)[:1],
            *formulas("""
                A5: if has_dynamic_root is None then 1 <= size(operands)
                A6: if has_dynamic_root is not None then 2 <= size(operands)
                    and type(operands[-1]) = tensor([size(operands) - 1], i32)
            """),
            *DATA_AND_ROOT[2:],
            *scalar_reducer("A3", "(has_dynamic_root is None ? operands : operands[:-1])"),
            *formulas("""
                A4: shape(results...) = shape((has_dynamic_root is None ? operands : operands[:-1])...)
            """),
        ),
        quantized="own",
        synchronizes="group",
        work=combined_work,
    ),
    OpDef(
        "stablehlo.cross-replica-sum",
        "Computes the sum of the replicas' operands (not in the specification: all_reduce).",
        specified=False,
        operands=(operand("operand", ANY_OR_QUANTIZED),),
        attributes=(required("replica_groups", I64_ELEMENTS_ATTR),),
        results=(operand("result", ANY_OR_QUANTIZED),),
        constraints=(constraint("A1", "baseline_type(result) = baseline_type(operand)"),),
        quantized="own",
        synchronizes="group",
        work=elements_work,
    ),
    OpDef(
        "stablehlo.reduce_scatter",
        "Combines the operands of a group's processes with a region, and gives each process one part.",
        operands=(operand("operand", ANY_OR_QUANTIZED),),
        attributes=(
            required("scatter_dimension", I64_ATTR),
            _REPLICA_GROUPS,
            CHANNEL_HANDLE,
            _USE_GLOBAL_DEVICE_IDS,
        ),
        regions=(region("computation"),),
        results=(operand("result", ANY_OR_QUANTIZED),),
        inputs=(
            *("operand", "scatter_dimension", "replica_groups", "channel_id", "use_global_device_ids"),
            "computation",
        ),
        constraints=(
            *formulas(f"""
                C1: dim(operand, scatter_dimension) % dim(result, scatter_dimension) = 0
                    # the size of a group need not be known; nothing is scattered into parts of size 0
                C1 unenforced: dim(operand, scatter_dimension) % group = 0{GROUP}
                C2: 0 <= scatter_dimension < rank(operand)
            """),
            *replica_groups("C3", "C4", "C5"),
            *global_ids("C6", 1),
            *scalar_reducer("C7", "[operand]"),
            *formulas(f"""
                C8: rank(result) = rank(operand) and without_items(shape(result), [scatter_dimension])
                    = without_items(shape(operand), [scatter_dimension])
                C8 unenforced: dim(operand, scatter_dimension) = dim(result, scatter_dimension) * group{GROUP}
                C9: element_type(result) = element_type(output_types(computation)[0])
                A2: dim(operand, scatter_dimension) != 0 and dim(result, scatter_dimension) != 0 # see C1
            """),
        ),
        quantized="own",
        synchronizes="group",
        traits=traits("any_terminator"),
        work=combined_work,
    ),
    OpDef(
        "stablehlo.async_start",
        "Starts a region that runs beside the program.",
        operands=_OPERANDS,
        regions=(region("body"),),
        results=(operand("result", FUTURE),),
        traits=traits("isolated"),
        constraints=(
            constraint("C1", "body holds one operation and a return", check=body_is_one_operation),
            constraint("C2", "body holds a collective or a slice", check=body_is_asynchronous),
            constraint("C3", "identical(input_types(body), type(operands...))"),
            constraint(
                "C3", "the operation in body takes body's arguments", check=operation_sees_the_arguments
            ),
            constraint("C4", "identical(future_types(result), output_types(body))"),
        ),
        quantized="own",
        synchronizes="region",
    ),
    OpDef(
        "stablehlo.async_done",
        "Waits for what async_start started, and gives its results.",
        operands=(operand("operand", FUTURE),),
        results=(variadic("results", ANY_OR_QUANTIZED),),
        traits=traits("checked_results"),
        constraints=(constraint("C1", "type(results...) = future_types(operand)"),),
        quantized="own",
        synchronizes="wait",
    ),
    OpDef(
        "stablehlo.replica_id",
        "Computes the replica that runs this process.",
        results=(operand("result", _PROCESS_ID),),
        format="attr-dict `:` type(results)",
    ),
    OpDef(
        "stablehlo.partition_id",
        "Computes the partition that runs this process.",
        results=(operand("result", _PROCESS_ID),),
        format="attr-dict `:` type(results)",
    ),
)
