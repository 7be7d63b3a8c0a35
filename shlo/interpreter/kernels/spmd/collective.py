"""Collective operations, computed by a group of processes together. Specification: "Collective ops".

A collective is planned once for an operation and a grid (`collective_of`). Its function receives a group and
the operands of the group's processes, in the group's order, and returns the results of each; the grid makes
processes wait for each other. An ordinary run is a grid of one process.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, reduce
from typing import Any

import numpy as np
from msgspec import Struct

from shlo.dialects.struct_attributes import ChannelHandle, ReplicaGroupMeshAxes
from shlo.interpreter.kernel_api import KernelError, KernelFn, OpView, Value
from shlo.interpreter.kernels.quantization.arithmetic import Convert, converter, zero_of
from shlo.interpreter.kernels.reduction.combiner import combine_of, combiner_of
from shlo.interpreter.kernels.shapes import as_results, identity, require
from shlo.interpreter.registry import kernel
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.interpreter.topology.groups import (
    GridShape,
    Groups,
    Ids,
    connected,
    cross_replica,
    require_unique,
    strategy_of,
)
from shlo.interpreter.topology.mesh import mesh_groups
from shlo.ir.attributes import DictionaryAttr, IntegerAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.types import RankedTensorType, quantized_type

Values = tuple[Value, ...]
Together = Callable[[tuple[int, ...], Sequence[Values]], Sequence[Values]]
"""From a group and its processes' operands to their results."""


class Collective(Struct, frozen=True, dict=True):
    """Collective operation in a grid. `groups` are the groups of processes, `together` computes the results
    of a group, `alone` those of a process in no group (None: it must be in one)."""

    groups: Groups
    together: Together
    alone: Callable[[Values], Values] | None = None

    @cached_property
    def group_of(self) -> Mapping[int, tuple[int, ...]]:
        """The group of each process that is in one."""
        return {process: group for group in self.groups for process in group}


def collective_of(op: OpView, grid: GridShape) -> Collective:
    """Returns the plan of a collective operation; raises KernelError if it does not fit the grid."""
    name = op.word("call_target_name") if op.name == "stablehlo.custom_call" else op.name
    return _PLANS[name](op, grid)


def channel_of(op: OpView) -> int:
    """Returns the channel of a collective operation, 0 without one."""
    handle = op.get("channel_handle")
    return handle.handle if isinstance(handle, ChannelHandle) else 0


# Groups


def _groups(op: OpView, grid: GridShape) -> Groups:
    ids = ids_of(op, op.get("replica_groups"))
    require_unique(ids)
    if op.name == "stablehlo.cross-replica-sum":
        return cross_replica(ids, grid)
    return strategy_of(op.name, channel_of(op), op.flag("use_global_device_ids"))(ids, grid)


def ids_of(op: OpView, groups: Any) -> Ids:
    """Returns the rows of ids that an attribute holds: a matrix, or axes of a mesh."""
    if isinstance(groups, ReplicaGroupMeshAxes):
        return mesh_groups(groups, op.symbols)
    if isinstance(groups, DenseElementsAttr) and groups.array.ndim == 2:
        return groups.array.tolist()
    raise KernelError(f"needs a matrix of process ids, not {groups}")


def _equal_sizes(groups: Groups) -> int:
    sizes = {len(group) for group in groups}
    require(len(sizes) == 1, "needs groups of one size, not of {}", sorted(sizes))
    return sizes.pop()


# Data movement


def all_gather(op: OpView, grid: GridShape) -> Collective:
    """Joins the operands of a group's processes along a dimension, for every process."""
    axis, groups = op.integer("all_gather_dim"), _groups(op, grid)

    def together(group: tuple[int, ...], operands: Sequence[Values]) -> Sequence[Values]:
        return [tuple(np.concatenate(parts, axis) for parts in zip(*operands))] * len(group)

    return Collective(groups, together)


def all_to_all(op: OpView, grid: GridShape) -> Collective:
    """Splits the operand of every process, and joins the parts for each process along another dimension."""
    split, joined = op.integer("split_dimension"), op.integer("concat_dimension")
    count, groups = op.integer("split_count"), _groups(op, grid)
    require(_equal_sizes(groups) == count, "split_count is {}, but a group has {}", count, len(groups[0]))

    def together(group: tuple[int, ...], operands: Sequence[Values]) -> Sequence[Values]:
        parts = [[_split(value, count, split) for value in values] for values in operands]
        return [
            tuple(
                np.concatenate(pieces, joined)
                for pieces in zip(*([part[to] for part in received] for received in parts))
            )
            for to in range(count)
        ]

    return Collective(groups, together)


def collective_broadcast(op: OpView, grid: GridShape) -> Collective:
    """Copies the operands of the root of a group to its processes. The root is the first process, or for each
    of the other operands the one that the last operand tells."""
    has_root = op.flag("has_dynamic_root")

    def together(group: tuple[int, ...], operands: Sequence[Values]) -> Sequence[Values]:
        roots = _roots(operands, has_root)
        return [tuple(operands[root][index] for index, root in enumerate(roots))] * len(group)

    return Collective(_groups(op, grid), together, _zeros(op))


def collective_permute(op: OpView, grid: GridShape) -> Collective:
    """Copies the operand of each process to its target; zeros for a process without a source."""
    pairs = ids_of(op, op.get("source_target_pairs"))
    joined = strategy_of(op.name, channel_of(op), False)(pairs, grid) if len(pairs) else ()
    sources = {target: source for source, target in joined}
    zeros = _zeros(op)

    def together(group: tuple[int, ...], operands: Sequence[Values]) -> Sequence[Values]:
        by_member = dict(zip(group, operands))
        return [
            by_member[sources[process]] if process in sources else zeros(by_member[process])
            for process in group
        ]

    return Collective(connected(joined), together, zeros)


def ragged_all_to_all(op: OpView, grid: GridShape) -> Collective:
    """Sends a slice of its own size from each process to every process of its group. Operands are the source,
    the array written to, and for each process of the group: where its slice begins, its size, where it goes
    in the result of the other, and the size that is received."""
    config = op.get("backend_config")
    entries = config.as_dict() if isinstance(config, DictionaryAttr) else {}
    channel = entries.get("channel_id")
    number = channel.value if isinstance(channel, IntegerAttr) else 0
    ids = ids_of(op, entries.get("replica_groups"))
    require_unique(ids)
    groups = strategy_of("stablehlo.all_to_all", number, False)(ids, grid)

    def together(group: tuple[int, ...], operands: Sequence[Values]) -> Sequence[Values]:
        results = [np.array(values[1]) for values in operands]
        for sent, _, starts, sizes, places, _ in operands:
            for result, start, size, offset in zip(results, *(x.tolist() for x in (starts, sizes, places))):
                fits = 0 <= start <= start + size <= len(sent) and 0 <= offset <= offset + size <= len(result)
                require(fits, "sends {} rows from {} to {}, which do not exist", size, start, offset)
                result[offset : offset + size] = sent[start : start + size]
        return [(result,) for result in results]

    return Collective(groups, together)


# Reductions


def all_reduce(op: OpView, grid: GridShape) -> Collective:
    """Combines the operands of a group's processes in the group's order, for every process."""
    combine = _combination(op)

    return Collective(_groups(op, grid), lambda group, operands: [combine(operands)] * len(group))


def collective_reduce(op: OpView, grid: GridShape) -> Collective:
    """Combines the operands of a group's processes at its root; the others get zeros."""
    combine, zeros, has_root = _combination(op), _zeros(op), op.flag("has_dynamic_root")

    def together(group: tuple[int, ...], operands: Sequence[Values]) -> Sequence[Values]:
        roots = _roots(operands, has_root)
        data = [values[: len(roots)] for values in operands]
        whole, nothing = combine(data), zeros(data[0])
        return [
            tuple(whole[index] if root == rank else nothing[index] for index, root in enumerate(roots))
            for rank in range(len(group))
        ]

    return Collective(_groups(op, grid), together)


def reduce_scatter(op: OpView, grid: GridShape) -> Collective:
    """Combines the operands of a group's processes and splits the result among them."""
    axis, combine, groups = op.integer("scatter_dimension"), _combination(op), _groups(op, grid)
    count = _equal_sizes(groups)

    def together(group: tuple[int, ...], operands: Sequence[Values]) -> Sequence[Values]:
        return list(zip(*[_split(value, count, axis) for value in combine(operands)]))

    return Collective(groups, together)


def _combination(op: OpView) -> Callable[[Sequence[Values]], Values]:
    """Returns the function that combines the processes' operands in the group's order."""
    conversions, combine = [_promotion(op, index) for index in range(len(op.result_types))], _pairwise(op)

    def combine_all(operands: Sequence[Values]) -> Values:
        columns = zip(conversions, zip(*operands))
        return tuple(reduce(combine, map(convert, values)) for convert, values in columns)

    return combine_all


def _pairwise(op: OpView) -> Callable[[Value, Value], Value]:
    """Returns the region as a function of two arrays, each element being combined as the region says."""
    if op.name == "stablehlo.cross-replica-sum":
        return np.add
    body = op.bodies[0]
    combiner = combiner_of(body)
    if combiner is not None and combiner.wide == combiner.narrow:
        return combiner.function
    combine = combine_of(body)
    return lambda lhs, rhs: combine(np.asarray(lhs), np.asarray(rhs))[0]


def _promotion(op: OpView, index: int) -> Convert:
    """Returns the conversion of an operand to the type that the region combines (`to_destination_type`)."""
    if not op.bodies:
        return identity
    source, target = op.tensor_type(index), op.bodies[0].argument_types[0]
    if quantized_type(source) is not None:
        return converter(source, target) or identity
    dtype = op.result_dtype(index)
    return lambda value: value.astype(dtype, copy=False)


# Parts and zeros


def _roots(operands: Sequence[Values], has_root: bool) -> Sequence[int]:
    """Returns, for each operand, the rank in the group of the process that it is sent from or combined at."""
    if not has_root:
        return [0] * len(operands[0])
    roots = np.asarray(operands[0][-1]).reshape(-1).tolist()
    for values in operands[1:]:
        same = np.array_equal(np.asarray(values[-1]).reshape(-1), roots)
        require(same, "needs the same roots from all processes of a group")
    require(all(0 <= root < len(operands) for root in roots), "has no process {} in the group", roots)
    return roots


def _zeros(op: OpView) -> Callable[[Values], Values]:
    """Returns the function from a process's operands to zeros, for processes that nothing is sent to."""
    zeros = [_zero(op.result_type(index)) for index in range(len(op.result_types))]

    def zeros_like(operands: Values) -> Values:
        return tuple(np.broadcast_to(zero, np.shape(value)) for zero, value in zip(zeros, operands))

    return zeros_like


def _zero(type_: RankedTensorType) -> Array:
    element = quantized_type(type_)
    return np.zeros((), dtype_of(type_.element_type)) if element is None else zero_of(element)


def _split(value: Value, count: int, axis: int) -> list[Array]:
    size = value.shape[axis]
    require(size % count == 0, "cannot split a dimension of size {} into {} parts", size, count)
    step = size // count
    before = (slice(None),) * axis
    return [value[(*before, slice(start * step, (start + 1) * step))] for start in range(count)]


_PLANS: Mapping[str, Callable[[OpView, GridShape], Collective]] = {
    "stablehlo.all_gather": all_gather,
    "stablehlo.all_reduce": all_reduce,
    "stablehlo.all_to_all": all_to_all,
    "stablehlo.collective_broadcast": collective_broadcast,
    "stablehlo.collective_permute": collective_permute,
    "stablehlo.collective_reduce": collective_reduce,
    "stablehlo.cross-replica-sum": all_reduce,
    "stablehlo.reduce_scatter": reduce_scatter,
    "ragged_all_to_all": ragged_all_to_all,
}
"""By the operation's name, or the target of a custom call."""


@kernel(*(name for name in _PLANS if name.startswith("stablehlo.")), needs_context=True)
def collective(op: OpView) -> KernelFn:
    """Computes a collective operation in a process that is a group by itself."""
    plans: dict[GridShape, Collective] = {}

    def evaluate(context: ExecutionContext, *operands: Value) -> Value:
        grid = GridShape(context.replicas, context.partitions)
        try:
            if grid not in plans:
                plans[grid] = collective_of(op, grid)
            process = grid.number(context.replica_id, context.partition_id)
            return as_results(alone(plans[grid], process, operands))
        except KernelError as error:
            if grid.size > 1:
                raise
            raise KernelError(f"{error}; this is one process, --grid or run_grid starts several") from error

    return evaluate


def alone(plan: Collective, process: int, operands: Values) -> Values:
    """Returns the results of a process that needs no other; raises KernelError if it needs one."""
    group = plan.group_of.get(process)
    if group is None:
        if plan.alone is None:
            raise KernelError("names this process in none of its groups")
        return plan.alone(operands)
    if group != (process,):
        raise KernelError("needs a grid of processes, of which one cannot be here alone")
    return plan.together(group, [operands])[0]
