"""Cards of the operations in which the processes of a grid work together."""

from __future__ import annotations

from shlo.dialects.card import Card, may, operand, region, required, traits, variadic
from shlo.dialects.stablehlo.parts import ANY, ANY_OR_QUANTIZED, CHANNEL_HANDLE

_PROCESS_ID = "0-dimensional tensor of type ui32"
_OPERANDS = (variadic("operands", ANY_OR_QUANTIZED),)
_RESULTS = (variadic("results", ANY_OR_QUANTIZED),)
_REPLICA_GROUPS = required("replica_groups", "any")
_USE_GLOBAL_DEVICE_IDS = may("use_global_device_ids", "unit")
_HAS_DYNAMIC_ROOT = may("has_dynamic_root", "unit")

CARDS = (
    Card(
        "stablehlo.all_gather",
        "Joins the operands of a group's processes along one dimension.",
        operands=_OPERANDS,
        attributes=(
            required("all_gather_dim", "i64"),
            _REPLICA_GROUPS,
            CHANNEL_HANDLE,
            _USE_GLOBAL_DEVICE_IDS,
        ),
        results=_RESULTS,
        section="all_gather",
    ),
    Card(
        "stablehlo.all_reduce",
        "Combines the operands of a group's processes with a region.",
        operands=_OPERANDS,
        attributes=(_REPLICA_GROUPS, CHANNEL_HANDLE, _USE_GLOBAL_DEVICE_IDS),
        regions=(region("computation"),),
        results=_RESULTS,
        section="all_reduce",
    ),
    Card(
        "stablehlo.all_to_all",
        "Splits each process's operands, and gives each process of the group one part of all.",
        operands=_OPERANDS,
        attributes=(
            required("split_dimension", "i64"),
            required("concat_dimension", "i64"),
            required("split_count", "i64"),
            _REPLICA_GROUPS,
            CHANNEL_HANDLE,
        ),
        results=_RESULTS,
        section="all_to_all",
    ),
    Card(
        "stablehlo.collective_broadcast",
        "Gives one process's operands to all processes of its group.",
        operands=_OPERANDS,
        attributes=(_REPLICA_GROUPS, CHANNEL_HANDLE, _HAS_DYNAMIC_ROOT),
        results=_RESULTS,
        section="collective_broadcast",
    ),
    Card(
        "stablehlo.collective_permute",
        "Sends each process's operand to the process that it is paired with.",
        operands=(operand("operand", ANY_OR_QUANTIZED),),
        attributes=(required("source_target_pairs", "elements"), CHANNEL_HANDLE),
        results=(operand("result", ANY_OR_QUANTIZED),),
        section="collective_permute",
    ),
    Card(
        "stablehlo.collective_reduce",
        "Combines the operands of a group's processes with a region, for the group's root.",
        operands=_OPERANDS,
        attributes=(_REPLICA_GROUPS, CHANNEL_HANDLE, _USE_GLOBAL_DEVICE_IDS, _HAS_DYNAMIC_ROOT),
        regions=(region("computation"),),
        results=_RESULTS,
        section="collective_reduce",
    ),
    Card(
        "stablehlo.cross-replica-sum",
        "The sum of the replicas' operands (not in the specification: all_reduce).",
        operands=(operand("operand", ANY),),
        attributes=(required("replica_groups", "elements"),),
        results=(operand("result", ANY),),
    ),
    Card(
        "stablehlo.reduce_scatter",
        "Combines the operands of a group's processes with a region, and gives each process one part.",
        operands=(operand("operand", ANY_OR_QUANTIZED),),
        attributes=(
            required("scatter_dimension", "i64"),
            _REPLICA_GROUPS,
            CHANNEL_HANDLE,
            _USE_GLOBAL_DEVICE_IDS,
        ),
        regions=(region("computation"),),
        results=(operand("result", ANY_OR_QUANTIZED),),
        section="reduce_scatter",
    ),
    Card(
        "stablehlo.async_start",
        "Starts a region that runs beside the program.",
        operands=_OPERANDS,
        regions=(region("body"),),
        results=(operand("result", "future"),),
        traits=traits("isolated", "control_flow"),
        section="async_start",
    ),
    Card(
        "stablehlo.async_done",
        "Waits for what async_start started, and gives its results.",
        operands=(operand("operand", "future"),),
        results=(variadic("results", ANY_OR_QUANTIZED),),
        section="async_done",
    ),
    Card(
        "stablehlo.replica_id",
        "The replica that runs this process.",
        results=(operand("result", _PROCESS_ID),),
        format="attr-dict `:` type(results)",
        section="replica_id",
    ),
    Card(
        "stablehlo.partition_id",
        "The partition that runs this process.",
        results=(operand("result", _PROCESS_ID),),
        format="attr-dict `:` type(results)",
        section="partition_id",
    ),
)
