"""Operations of the process grid, as far as one process runs them. Specification: "Parallel execution"."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shlo.interpreter.kernel_api import Body, KernelFn, OpView, UnaryFn, Value
from shlo.interpreter.kernels.shapes import as_results, require
from shlo.interpreter.registry import kernel
from shlo.interpreter.runtime.channels import Channels
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.attributes import ArrayAttr


@kernel("stablehlo.replica_id", needs_context=True)
def replica_id(op: OpView) -> UnaryFn:
    """Returns the process's index among the replicas; specification: "replica_id"."""
    return lambda context: np.uint32(context.replica_id)


@kernel("stablehlo.partition_id", needs_context=True)
def partition_id(op: OpView) -> UnaryFn:
    """Returns the process's index among the partitions; specification: "partition_id"."""
    return lambda context: np.uint32(context.partition_id)


@kernel("stablehlo.async_start")
def async_start(op: OpView) -> KernelFn:
    """Runs the region and returns its results as one value; one process computes nothing meanwhile."""
    return op.bodies[0].on_scalars


@kernel("stablehlo.async_done")
def async_done(op: OpView) -> UnaryFn:
    """Returns the results of async_start."""
    count = len(op.result_types)
    return lambda future: future if count != 1 else future[0]


Values = tuple[Value, ...]


@kernel("interpreter.run_parallel", needs_context=True)
def run_parallel(op: OpView) -> KernelFn:
    """Runs a grid of programs and returns the results of all processes, one after the other. The operands are
    the processes' arguments in this order. The functions of `infeed` return the items of one infeed."""
    rows = op.require("programs", ArrayAttr).values
    (count,) = {len(row.values) for row in rows if isinstance(row, ArrayAttr)}
    shape = GridShape(len(rows), count)
    infeed = op.get("infeed")
    fed = len(infeed.values) if isinstance(infeed, ArrayAttr) else 0
    require(len(op.callees) == shape.size + fed, "names a function that the program does not have")
    programs, feeds = op.callees[: shape.size], op.callees[shape.size :]
    takes = sum(len(program.argument_types) for program in programs)
    gives = sum(len(program.result_types) for program in programs)
    require(takes == len(op.operand_types), "has {} operands for {} arguments", len(op.operand_types), takes)
    require(gives == len(op.result_types), "has {} results for {}", len(op.result_types), gives)

    def evaluate(context: ExecutionContext, *operands: Value) -> Value:
        queues = Channels.fed(feed.on_scalars() for feed in feeds)
        contexts = [context.of_process(shape, number, queues) for number in range(shape.size)]
        results = context.run_grid(programs, contexts, shape, _shared_out(programs, operands))
        return as_results(tuple(value for values in results for value in values))

    return evaluate


def _shared_out(programs: Sequence[Body], operands: Values) -> list[Values]:
    """Returns the operands, shared out to the processes that take them."""
    shares: list[Values] = []
    for program in programs:
        count = len(program.argument_types)
        shares.append(operands[:count])
        operands = operands[count:]
    return shares
