"""Targets of custom calls that annotate values: memory spaces, layouts, shardings."""

from __future__ import annotations

from typing import Final

GLOBAL_TO_LOCAL: Final = "xla.sdy.GlobalToLocalShape"
LOCAL_TO_GLOBAL: Final = "xla.sdy.LocalToGlobalShape"
SHARDING_CALLS: Final = frozenset(
    {"SPMDFullToShardShape", "SPMDShardToFullShape", GLOBAL_TO_LOCAL, LOCAL_TO_GLOBAL}
)
"""Each turns a whole tensor into the part that a device holds, or such parts into the tensor."""

ANNOTATIONS: Final = (
    "Sharding",
    "annotate_device_placement",
    "LayoutConstraint",
    "MoveToHost",
    "MoveToDevice",
    "PinToDevice",
    "PinToDeviceSram",
    "InspectSharding",
    "xla.sdy.FuncResultSharding",
    "xla.sdy.PropagationBarrier",
    "xla.sdy.ShardingGroup",
)
"""Each returns its operands, or nothing."""

OPERAND_WRAPPER: Final = "stablehlo.shape_refinement_operand_wrapper"
"""Returns an argument with the type that its uses expect; the second operand is its shape."""

CUSTOM_PARTITIONING: Final = "CustomSPMDPartitioning"
"""Calls a function of `jax.experimental.custom_partitioning`, of the process that lowered the program."""
