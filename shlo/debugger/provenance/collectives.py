"""Collective operations: from which process, and which element there, an element of a result came."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec import Struct

from shlo.debugger.provenance.contributions import Index, Role, positions_in
from shlo.dialects import find_op_def
from shlo.interpreter.kernel_api import OpView, Value
from shlo.interpreter.kernels.spmd.collective import collective_of
from shlo.interpreter.program.sync_points import COLLECTIVE_CALLS
from shlo.interpreter.topology.groups import GridShape
from shlo.runner.statistics import index_at, wide

Values = tuple[Value, ...]


class CollectiveSource(Struct, frozen=True):
    """An element of an operand in a process, and what it adds."""

    process: int
    operand: int
    index: Index
    role: Role = "value"
    amount: float | complex | None = None


def collective_sources(
    op: OpView, shape: GridShape, process: int, operands: Mapping[int, Values], result: int, index: Index
) -> list[CollectiveSource] | None:
    """Returns where an element of a result of a collective came from; None where that is not known.

    Args:
        op: The operation.
        shape: The grid's.
        process: Whose result it is.
        operands: By process, the operands of the operation in each that takes part.
        result: The number of the result.
        index: The element's index in it.
    """
    name = op.word("call_target_name") if op.name == "stablehlo.custom_call" else op.name
    op_def = find_op_def(name)
    is_collective = op_def is not None and op_def.synchronizes == "group"
    if not is_collective and name not in COLLECTIVE_CALLS:
        return None
    collective = collective_of(op, shape)
    group = collective.group_of.get(process, (process,))
    if any(member not in operands for member in group):
        return None
    if op_def is not None and op_def.combines_processes:
        return _combined(op, name, group, process, operands, result, index)
    if process not in collective.group_of:
        return []
    data = range(len(operands[process])) if name != "ragged_all_to_all" else range(2)
    numbered: list[Values] = []
    starts: list[tuple[int, int, int]] = []  # first number, process, operand
    following = 1  # 0 is what was sent from nowhere
    for member in group:
        values = list(operands[member])
        for operand in data:
            if op_def is not None and operand >= len(op.result_types):
                continue  # the root of a collective_broadcast
            array = np.asarray(values[operand])
            values[operand] = following + positions_in(array.shape)
            starts.append((following, member, operand))
            following += array.size
        numbered.append(tuple(values))
    received = collective.together(group, numbered)[group.index(process)][result]
    number = int(np.asarray(received)[index])
    if not number:
        return []
    first, member, operand = max(start for start in starts if start[0] <= number)
    return [CollectiveSource(member, operand, index_at(number - first, np.shape(operands[member][operand])))]


def _combined(
    op: OpView,
    name: str,
    group: tuple[int, ...],
    process: int,
    operands: Mapping[int, Values],
    result: int,
    index: Index,
) -> list[CollectiveSource]:
    rank = group.index(process)
    if name == "stablehlo.reduce_scatter":
        axis = op.integer("scatter_dimension")
        size = op.result_type(result).shape[axis] or 0
        index = (*index[:axis], index[axis] + rank * size, *index[axis + 1 :])
    if name == "stablehlo.collective_reduce":
        root = (
            int(np.asarray(operands[process][-1]).reshape(-1)[result]) if op.flag("has_dynamic_root") else 0
        )
        if rank != root:
            return []
    return [
        CollectiveSource(member, result, index, "term", wide(operands[member][result])[index].item())
        for member in group
    ]
