"""Plans of how the shards of tensors are put together, and of the calls of older programs.

Around a manual computation a tensor is the whole one, and every process of a grid holds the same; in it each
holds its part. To go in, a process takes its part out of what it holds. To go out, the processes along the
manual axes meet and put their parts together. A part that several processes hold counts from the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from shlo.dialects.stablehlo.custom_call_targets import GLOBAL_TO_LOCAL, LOCAL_TO_GLOBAL
from shlo.interpreter.engine.binding import bound_kernel
from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.kernels.shapes import require, shape_text
from shlo.interpreter.kernels.spmd.collective import Collective, Together
from shlo.interpreter.kernels.spmd.shard_map import ShardLayout, manual_computation
from shlo.interpreter.program.code import CodeBlock
from shlo.interpreter.program.sync_points import MANUAL_COMPUTATION, call_target
from shlo.interpreter.spmd.plans import key_of
from shlo.interpreter.spmd.rendezvous import CollectiveKey, Values
from shlo.interpreter.topology.frontend_attributes import is_one_tuple
from shlo.interpreter.topology.groups import GridShape, Groups
from shlo.interpreter.topology.hlo_sharding import HloSharding, read_sharding
from shlo.ir.attributes import StringAttr
from shlo.ir.operations import Operation
from shlo.ir.types import RankedTensorType, Type


def shard_map_plan(code: CodeBlock, index: int, shape: GridShape) -> tuple[Collective, CollectiveKey]:
    """Plans how the processes of a grid put the results of a manual computation together, or the operands of
    the call that ends one.
    """
    op = bound_kernel(code, index).op_view
    shard_map = manual_computation(op, shape)
    return Collective(shard_map.groups, _gathering(shard_map.results, is_one_tuple(op))), key_of(op)


def _gathering(layouts: Sequence[ShardLayout], in_a_tuple: bool = False) -> Together:
    def together(group: tuple[int, ...], operands: Sequence[Values]) -> Sequence[Values]:
        whole = tuple(layout.whole(group, parts) for layout, parts in zip(layouts, zip(*operands)))
        return [(whole,) if in_a_tuple else whole] * len(group)

    return together


# Calls of older programs


def gather_plan(code: CodeBlock, index: int, shape: GridShape) -> tuple[Collective, CollectiveKey]:
    """Plans a call that puts the parts of a tensor together (`SPMDShardToFullShape`)."""
    layout = _result_layout(code, index, shape)
    return Collective(_replicas(shape), _gathering([layout])), key_of(bound_kernel(code, index).op_view)


def _replicas(shape: GridShape) -> Groups:
    """Returns the processes of each replica."""
    return tuple(
        tuple(shape.number(replica, partition) for partition in range(shape.partitions))
        for replica in range(shape.replicas)
    )


def _result_layout(code: CodeBlock, index: int, shape: GridShape) -> ShardLayout:
    """Returns the layout of a call's result (`SPMDShardToFullShape`)."""
    operation = code.instructions[index].operation
    return _hlo_layout(_sharding_of(operation), operation.operand_types[0], operation.result_types[0], shape)


def operand_layouts(code: CodeBlock, index: int, shape: GridShape) -> tuple[ShardLayout, ...]:
    """Returns how the operands of a manual computation are split, or those of a call that takes parts of
    tensors."""
    operation = code.instructions[index].operation
    if operation.name == MANUAL_COMPUTATION or call_target(operation) == GLOBAL_TO_LOCAL:
        return manual_computation(bound_kernel(code, index).op_view, shape).operands
    return (_operand_layout(code, index, shape),)


def result_layouts(
    code: CodeBlock, index: int, shape: GridShape
) -> tuple[tuple[ShardLayout, ...], Mapping[int, tuple[int, ...]]]:
    """Returns how the results of a manual computation are split, or those of a call that puts parts of
    tensors together, and by process the group that does."""
    operation = code.instructions[index].operation
    if operation.name == MANUAL_COMPUTATION or call_target(operation) == LOCAL_TO_GLOBAL:
        shard_map = manual_computation(bound_kernel(code, index).op_view, shape)
        layouts, groups = shard_map.results, shard_map.groups
    else:
        layouts, groups = (_result_layout(code, index, shape),), _replicas(shape)
    return layouts, {process: group for group in groups for process in group}


def _operand_layout(code: CodeBlock, index: int, shape: GridShape) -> ShardLayout:
    """Returns the layout of a call's operand (`SPMDFullToShardShape`), as the call that defines it tells."""
    operation = code.instructions[index].operation
    defined = code.defined_at.get(operation.operands[0], -1)
    sharding = _sharding_of(code.instructions[defined].operation) if defined >= 0 else HloSharding()
    return _hlo_layout(sharding, operation.result_types[0], operation.operand_types[0], shape)


def _sharding_of(operation: Operation) -> HloSharding:
    attribute = operation.attribute("mhlo.sharding")
    return read_sharding(attribute.value) if isinstance(attribute, StringAttr) else HloSharding()


def _hlo_layout(sharding: HloSharding, part: Type, whole: Type, shape: GridShape) -> ShardLayout:
    """Returns a sharding as a layout; dimensions in which part and whole are of one size are not split."""
    if (
        not isinstance(part, RankedTensorType)
        or not isinstance(whole, RankedTensorType)
        or part.rank != whole.rank
    ):
        raise KernelError(f"cannot take {part} for a part of {whole}")
    ratios = [
        whole_size // part_size if part_size else 1
        for part_size, whole_size in zip(part.static_shape, whole.static_shape)
    ]
    counts = sharding.counts or (1,) * part.rank
    fits = len(counts) == part.rank and all(ratio in (1, count) for ratio, count in zip(ratios, counts))
    words = shape_text(part.static_shape), shape_text(whole.static_shape)
    require(fits, "{} is no part of {} as it is sharded", *words)
    if not sharding.counts:
        return ShardLayout(counts, dict.fromkeys(range(shape.size), counts))
    require(len(sharding.tiles) == shape.partitions, "is sharded over {} devices", len(sharding.tiles))
    tiles = {
        shape.number(replica, partition): tuple(
            position if ratio != 1 else 0 for position, ratio in zip(sharding.tiles[partition], ratios)
        )
        for replica, partition in product(range(shape.replicas), range(shape.partitions))
    }
    return ShardLayout(tuple(ratios), tiles)
