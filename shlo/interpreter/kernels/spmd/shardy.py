"""Shardy: annotations, which change no value of the whole tensor, and manual computations."""

from __future__ import annotations

from shlo.interpreter.kernel_api import KernelFn, OpView, Value
from shlo.interpreter.kernels.shapes import as_results, identity
from shlo.interpreter.kernels.spmd.shard_map import ManualComputation, manual_computation
from shlo.interpreter.registry import kernel
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.interpreter.topology.mesh import grid_shape


@kernel(
    "sdy.sharding_constraint",
    "sdy.reshard",
    "sdy.propagation_barrier",
    "sdy.data_flow_edge",
    "sdy.func_data_flow_edge",
    "sdy.all_gather",
    "sdy.all_slice",
    "sdy.all_to_all",
    "sdy.collective_permute",
    "sdy.all_reduce",
    "sdy.reduce_scatter",
    "sdy.sharded_to_unreduced",
    "sdy.replicated_to_unreduced",
)
def annotation(op: OpView) -> KernelFn:
    """Returns the operand unchanged."""
    return identity


@kernel("sdy.sharding_group")
def sharding_group(op: OpView) -> KernelFn:
    """Returns nothing: the operand is only named as one of a group."""
    return lambda *operands: None


@kernel("sdy.named_computation")
def named_computation(op: OpView) -> KernelFn:
    """Runs the region and returns its results."""
    return lambda *operands: as_results(op.bodies[0].on_scalars(*operands))


@kernel("sdy.manual_computation", needs_context=True)
def manual(op: OpView) -> KernelFn:
    """Runs the region on a grid of a process per device of the mesh; splits operands and joins results."""
    computation = manual_computation(op)
    shape = grid_shape(1, computation.mesh.size, op.symbols)

    def evaluate(context: ExecutionContext, *operands: Value) -> Value:
        contexts = [
            context.of_process(shape, number, context.channels.sharing_channels())
            for number in range(shape.size)
        ]
        parts = [
            tuple(tiling.part(value, number) for tiling, value in zip(computation.operands, operands))
            for number in range(shape.size)
        ]
        results = context.run_grid([op.bodies[0]] * shape.size, contexts, shape, parts)
        return _whole(computation, results)

    return evaluate


def _whole(computation: ManualComputation, results: list[tuple[Value, ...]]) -> Value:
    """Returns whole results from the parts of the first group of processes along the manual axes."""
    group = computation.groups[0]
    parts = zip(*[results[number] for number in group])
    whole = tuple(tiling.whole(group, part) for tiling, part in zip(computation.results, parts))
    return as_results(whole)
