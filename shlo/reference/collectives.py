"""Operations in which the processes of a group meet."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import reduce
from typing import cast

from shlo.dialects.struct_attributes import ChannelHandle
from shlo.reference import grid
from shlo.reference.element import Element, EvaluationError, zero
from shlo.reference.movement import concatenated, split
from shlo.reference.op import Op, elementwise, meaning
from shlo.reference.tensor import Tensor, filled


def _channel(op: Op) -> int:
    handle = op.attribute("channel_handle")
    return handle.handle if isinstance(handle, ChannelHandle) else 0


def _rows(value: object) -> list[list[int]]:
    """Returns the groups that an attribute has; -1 fills up the shorter ones."""
    if not isinstance(value, list):
        raise EvaluationError("expected replica_groups as lists of processes")
    rows = cast("list[list[int]]", value)
    return [[member for member in row if member >= 0] for row in rows]


def _group_of(op: Op, groups: Sequence[grid.Group]) -> grid.Group:
    """Returns the group of the process; without groups, all processes that the operation could name."""
    for group in groups:
        if op.process.number in group:
            return group
    raise EvaluationError(f"expected process {op.process.number} in a group of replica_groups")


def _process_group(op: Op) -> grid.Group:
    """Returns the process group, by the specification's three strategies of grouping."""
    rows = _rows(op.attribute("replica_groups"))
    cells, channel = op.process.grid, _channel(op)
    if op.attribute("use_global_device_ids") is not None and channel > 0:
        return _group_of(op, grid.flattened_ids(rows or [list(range(cells.replicas * cells.partitions))]))
    replicas = rows or [list(range(cells.replicas))]
    if channel > 0:
        return _group_of(op, grid.cross_replica_and_partition(cells, replicas))
    return _group_of(op, grid.cross_replica(cells, replicas))


def _replicas_or_partitions(op: Op) -> grid.Group:
    """Returns the process group of operations that group replicas, or partitions where they have a
    channel."""
    rows, cells = _rows(op.attribute("replica_groups")), op.process.grid
    if _channel(op) > 0:
        return _group_of(op, grid.cross_partition(cells, rows or [list(range(cells.partitions))]))
    return _group_of(op, grid.cross_replica(cells, rows or [list(range(cells.replicas))]))


def _met(op: Op, group: grid.Group, operands: Sequence[Tensor]) -> list[Sequence[Tensor]]:
    """Returns the operands of each process of a group, in the group's order."""
    values = op.process.exchange((op.name, _channel(op)), group, operands)
    return [values[process] for process in group]


@meaning()
def all_gather(op: Op, *operands: Tensor) -> tuple[Tensor, ...]:
    """The operands of the group's processes, one behind the other."""
    met = _met(op, _process_group(op), operands)
    return tuple(concatenated(list(parts), op.attribute("all_gather_dim")) for parts in zip(*met))


def _reduced(op: Op, met: Sequence[Sequence[Tensor]]) -> list[Tensor]:
    """Returns the operands of processes combined element by element, in the group's order."""
    computation = op.combine()

    def total(*elements: Element) -> Element:
        result = elements[0]
        for element in elements[1:]:
            (result,) = computation(result, element)
        return result

    return [elementwise(parts[0].element_type, total, *parts) for parts in zip(*met)]


@meaning("all_reduce", "cross-replica-sum")
def all_reduce(op: Op, *operands: Tensor) -> tuple[Tensor, ...]:
    """The operands of the group's processes combined by a region (a sum, for the old operation without
    one)."""
    met = _met(op, _process_group(op), operands)
    if op.bodies:
        return tuple(_reduced(op, met))
    return tuple(elementwise(parts[0].element_type, _sum_of, *parts) for parts in zip(*met))


def _sum_of(*elements: Element) -> Element:
    return reduce(operator.add, elements)


@meaning()
def reduce_scatter(op: Op, operand: Tensor) -> Tensor:
    """The part of `all_reduce` that belongs to the process."""
    group = _process_group(op)
    (reduced,) = _reduced(op, _met(op, group, [operand]))
    parts = split(reduced, len(group), op.attribute("scatter_dimension"))
    return parts[group.index(op.process.number)]


@meaning()
def all_to_all(op: Op, *operands: Tensor) -> tuple[Tensor, ...]:
    """The parts that the group's processes have for this one, one behind the other."""
    group = _replicas_or_partitions(op)
    receiver = group.index(op.process.number)
    count, split_dimension = op.attribute("split_count"), op.attribute("split_dimension")
    return tuple(
        concatenated(
            [split(operand, count, split_dimension)[receiver] for operand in parts],
            op.attribute("concat_dimension"),
        )
        for parts in zip(*_met(op, group, operands))
    )


def _zeros_like(operand: Tensor) -> Tensor:
    return filled(
        operand.shape, operand.element_type, (zero(operand.element_type) for _ in operand.indices())
    )


@meaning()
def collective_broadcast(op: Op, operand: Tensor) -> Tensor:
    """The operand of the group's first process; zeros in processes that are in no group."""
    _refuse_dynamic_root(op)
    try:
        group = _replicas_or_partitions(op)
    except EvaluationError:
        return _zeros_like(operand)
    return _met(op, group, [operand])[0][0]


@meaning()
def collective_reduce(op: Op, *operands: Tensor) -> tuple[Tensor, ...]:
    """The operands of the group's processes combined by a region, in the group's first process; zeros in
    others."""
    _refuse_dynamic_root(op)
    group = _process_group(op)
    reduced = _reduced(op, _met(op, group, operands))
    return tuple(reduced) if group[0] == op.process.number else tuple(map(_zeros_like, reduced))


def _refuse_dynamic_root(op: Op) -> None:
    if op.attribute("has_dynamic_root") is not None:
        raise EvaluationError("expected the group's first process as the root, got one that an operand tells")


@meaning()
def collective_permute(op: Op, operand: Tensor) -> Tensor:
    """The operand of the process that sends to this one; zeros where none does."""
    cells = op.process.grid
    pairs = _rows(op.attribute("source_target_pairs"))
    groups = grid.cross_partition(cells, pairs) if _channel(op) > 0 else grid.cross_replica(cells, pairs)
    everyone = tuple(range(cells.replicas * cells.partitions))
    values = op.process.exchange((op.name, _channel(op)), everyone, operand)
    for source, target in groups:
        if target == op.process.number:
            return values[source]
    return _zeros_like(operand)


@meaning()
def replica_id(op: Op) -> Tensor:
    """The number of the replica."""
    return filled((), op.result_type(), [Element(op.result_type(), op.process.replica)])


@meaning()
def partition_id(op: Op) -> Tensor:
    """The number of the partition."""
    return filled((), op.result_type(), [Element(op.result_type(), op.process.partition)])
