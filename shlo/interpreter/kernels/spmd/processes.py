"""Operations of the process grid, as far as one process runs them. Specification: "Parallel execution"."""

from __future__ import annotations

import numpy as np

from shlo.interpreter.kernel_api import KernelFn, OpView, UnaryFn, Value
from shlo.interpreter.registry import kernel
from shlo.interpreter.runtime.context import ExecutionContext


@kernel("stablehlo.replica_id", needs_context=True)
def replica_id(op: OpView) -> KernelFn:
    """Returns the process's index among the replicas; specification: "replica_id"."""

    def evaluate(context: ExecutionContext) -> Value:
        return np.uint32(context.replica_id)

    return evaluate


@kernel("stablehlo.partition_id", needs_context=True)
def partition_id(op: OpView) -> KernelFn:
    """Returns the process's index among the partitions; specification: "partition_id"."""

    def evaluate(context: ExecutionContext) -> Value:
        return np.uint32(context.partition_id)

    return evaluate


@kernel("stablehlo.async_start")
def async_start(op: OpView) -> KernelFn:
    """Runs the region and returns its results as one value; one process computes nothing meanwhile."""
    return op.bodies[0].on_scalars


@kernel("stablehlo.async_done")
def async_done(op: OpView) -> UnaryFn:
    """Returns the results of async_start."""
    count = len(op.result_types)
    return lambda future: future if count != 1 else future[0]
