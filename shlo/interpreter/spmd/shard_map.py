"""Tensors in parts: manual computations, and the calls with which older programs go in and out of them.

Around a manual computation a tensor is the whole one, and every process of a grid holds the same; in it each
holds its part. To go in, a process takes its part out of what it holds. To go out, the processes along the
manual axes meet and put their parts together. A part that several processes hold counts from the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from shlo.dialects.sdy.attributes import ManualAxes, ShardingPerValue, TensorSharding
from shlo.interpreter.kernel_api import KernelError, OpView, Value
from shlo.interpreter.kernels.shapes import require, shape_text
from shlo.interpreter.kernels.spmd.collective import Collective, Together
from shlo.interpreter.program.code import CodeBlock
from shlo.interpreter.spmd.plans import terms_of
from shlo.interpreter.spmd.rendezvous import CollectiveKey, Values
from shlo.interpreter.spmd.sync_points import MANUAL_COMPUTATION, call_target
from shlo.interpreter.topology.frontend_attributes import (
    GLOBAL_TO_LOCAL,
    LOCAL_TO_GLOBAL,
    frontend_attribute,
    is_one_tuple,
    result_types,
)
from shlo.interpreter.topology.groups import GridShape, Groups
from shlo.interpreter.topology.hlo_sharding import HloSharding, read_sharding
from shlo.interpreter.topology.mesh import Axis, DeviceMesh, axes_of, mesh_of, meshes_of
from shlo.ir.attributes import Attribute, StringAttr
from shlo.ir.operations import Operation
from shlo.ir.types import RankedTensorType, Type


@dataclass(frozen=True, slots=True)
class ShardLayout:
    """A tensor in parts: how many along each dimension, and which each process holds. Where `summand` tells
    numbers, the parts of processes with different ones add up, and all but number 0 are zero at first.
    """

    counts: tuple[int, ...]
    tiles: Mapping[int, tuple[int, ...]]
    summand: Mapping[int, int] = field(default_factory=dict[int, int])

    @property
    def is_whole(self) -> bool:
        """Whether each process holds all of it."""
        return all(count == 1 for count in self.counts) and not self.summand

    def part(self, value: Value, process: int) -> Value:
        """What a process holds of a tensor."""
        if self.is_whole:
            return value
        part = np.asarray(value)[self._place(np.shape(value), process)]
        return np.zeros_like(part) if self.summand.get(process, 0) else part

    def whole(self, processes: Sequence[int], parts: Sequence[Value]) -> Value:
        """The tensor whose parts these processes hold."""
        if self.is_whole:
            return parts[0]
        shape = tuple(size * count for size, count in zip(np.shape(parts[0]), self.counts))
        made = np.zeros(shape, parts[0].dtype)
        seen: set[tuple[object, ...]] = set()
        for process, part in zip(processes, parts):
            key = (self.tiles[process], self.summand.get(process, 0))
            if key not in seen:
                seen.add(key)
                place = self._place(shape, process)
                made[place] = made[place] + part if self.summand else part
        return made

    def _place(self, shape: Sequence[int], process: int) -> tuple[slice, ...]:
        places: list[slice] = []
        for size, count, tile in zip(shape, self.counts, self.tiles[process]):
            require(
                size % count == 0,
                "cannot split a tensor of shape {} into {} parts",
                tuple(shape),
                self.counts,
            )
            step = size // count
            places.append(slice(tile * step, (tile + 1) * step))
        return tuple(places)


# Manual computations


@dataclass(frozen=True, slots=True)
class ManualComputation:
    """A manual computation over a mesh: how its operands and results are split, and who works together."""

    mesh: DeviceMesh
    operands: tuple[ShardLayout, ...]
    results: tuple[ShardLayout, ...]
    groups: Groups


def manual_computation(op: OpView, shape: GridShape | None = None) -> ManualComputation:
    """Reads an `sdy.manual_computation`, or the call that begins or ends one in XLA's round-trip form (see
    round_trip.py), for a grid or else for one process for each device of its mesh.
    """
    target = op.word("call_target_name", "")
    before = () if target == LOCAL_TO_GLOBAL else _shardings(op, "in_shardings", len(op.operand_types))
    after = () if target == GLOBAL_TO_LOCAL else _shardings(op, "out_shardings", len(result_types(op)))
    manual = _shardy_attribute(op, "manual_axes")
    names = manual.axes if isinstance(manual, ManualAxes) else ()
    mesh = _mesh_of((*before, *after), names, op)
    grid = shape or GridShape(1, mesh.size)
    devices = _devices(mesh, grid)
    axes = [Axis(name) for name in mesh.names if name in names]
    groups = tuple(
        tuple(devices[replica][device] for device in group)
        for group in mesh.groups(axes)
        for replica in range(len(devices))
    )
    tilings = [[_tiling(sharding, mesh, names, devices) for sharding in side] for side in (before, after)]
    return ManualComputation(mesh, tuple(tilings[0]), tuple(tilings[1]), groups)


def _shardy_attribute(op: OpView, name: str) -> Attribute:
    return op.require(name, Attribute) if op.name == MANUAL_COMPUTATION else frontend_attribute(op, name)


def _shardings(op: OpView, name: str, count: int) -> tuple[TensorSharding, ...]:
    attribute = _shardy_attribute(op, name)
    shardings = attribute.shardings if isinstance(attribute, ShardingPerValue) else ()
    require(
        len(shardings) == count,
        "expected a sharding for each of {} values in {}, got {}",
        count,
        name,
        len(shardings),
    )
    return shardings


def _mesh_of(shardings: Sequence[TensorSharding], axes: Sequence[str], op: OpView) -> DeviceMesh:
    """The mesh of the shardings, where those over a mesh without axes go with any; without shardings the one
    mesh of the program that has the manual axes, or one device where the program has no mesh."""
    if shardings:
        meshes = {mesh_of(sharding.mesh, op.symbols): None for sharding in shardings}
        meshes = {mesh: None for mesh in meshes if mesh.names} or meshes
    else:
        known = meshes_of(op.symbols) or {"": DeviceMesh.of(())}
        meshes = {mesh: None for mesh in known.values() if set(axes) <= set(mesh.names)}
    require(len(meshes) == 1, "expected values over one mesh, got {} meshes", len(meshes))
    return next(iter(meshes))


def _devices(mesh: DeviceMesh, grid: GridShape) -> list[dict[int, int]]:
    """Which process stands for which device: one mesh over the grid, or one over each replica's
    partitions.
    """
    if mesh.size == grid.size:
        return [{device: device for device in mesh.devices}]
    message = "is for a mesh of {} devices, but the grid is {}x{}"
    require(mesh.size == grid.partitions, message, mesh.size, grid.replicas, grid.partitions)
    return [
        {device: grid.number(replica, device) for device in mesh.devices} for replica in range(grid.replicas)
    ]


def _tiling(
    sharding: TensorSharding, mesh: DeviceMesh, manual: Sequence[str], devices: list[dict[int, int]]
) -> ShardLayout:
    """The tiling that a sharding's manual axes make."""
    by_dimension = [
        [axis for axis in axes_of(dim.axes) if axis.name in manual] for dim in sharding.dimensions
    ]
    positions = [mesh.positions(axes) for axes in by_dimension]
    unreduced = [axis for axis in axes_of(sharding.unreduced) if axis.name in manual]
    summands = mesh.positions(unreduced)
    tiles = {
        process: tuple(position[device] for position in positions)
        for numbers in devices
        for device, process in numbers.items()
    }
    summand = {process: summands[device] for numbers in devices for device, process in numbers.items()}
    counts = tuple(mesh.count(axes) for axes in by_dimension)
    return ShardLayout(counts, tiles, summand if unreduced else {})


def manual_plan(code: CodeBlock, index: int, shape: GridShape) -> tuple[Collective, CollectiveKey]:
    """Plans how the processes of a grid put the results of a manual computation together, or the operands of
    the call that ends one.
    """
    op = code.bound_kernel(index).op_view
    manual = manual_computation(op, shape)
    return Collective(manual.groups, _gathering(manual.results, is_one_tuple(op))), terms_of(op)


def _gathering(tilings: Sequence[ShardLayout], in_a_tuple: bool = False) -> Together:
    def together(group: tuple[int, ...], operands: Sequence[Values]) -> Sequence[Values]:
        whole = tuple(tiling.whole(group, parts) for tiling, parts in zip(tilings, zip(*operands)))
        return [(whole,) if in_a_tuple else whole] * len(group)

    return together


# Calls of older programs


def gather_plan(code: CodeBlock, index: int, shape: GridShape) -> tuple[Collective, CollectiveKey]:
    """Plans a call that puts the parts of a tensor together (`SPMDShardToFullShape`)."""
    op = code.bound_kernel(index).op_view
    sharding = _sharding_of(code.instructions[index].operation)
    tiling = _hlo_tiling(sharding, op.operand_types[0], op.result_types[0], shape)
    groups = tuple(
        tuple(shape.number(replica, partition) for partition in range(shape.partitions))
        for replica in range(shape.replicas)
    )
    return Collective(groups, _gathering([tiling])), terms_of(op)


def operand_tilings(code: CodeBlock, index: int, shape: GridShape) -> tuple[ShardLayout, ...]:
    """How the operands of a manual computation are split, or those of a call that takes parts of tensors."""
    operation = code.instructions[index].operation
    if operation.name == MANUAL_COMPUTATION or call_target(operation) == GLOBAL_TO_LOCAL:
        return manual_computation(code.bound_kernel(index).op_view, shape).operands
    return (_shard_tiling(code, index, shape),)


def _shard_tiling(code: CodeBlock, index: int, shape: GridShape) -> ShardLayout:
    """The tiling of a call's operand (`SPMDFullToShardShape`), as the call that made it tells."""
    operation = code.instructions[index].operation
    defined = code.defined_at.get(operation.operands[0], -1)
    sharding = _sharding_of(code.instructions[defined].operation) if defined >= 0 else HloSharding()
    return _hlo_tiling(sharding, operation.result_types[0], operation.operand_types[0], shape)


def _sharding_of(operation: Operation) -> HloSharding:
    attribute = operation.attribute("mhlo.sharding")
    return read_sharding(attribute.value) if isinstance(attribute, StringAttr) else HloSharding()


def _hlo_tiling(sharding: HloSharding, part: Type, whole: Type, shape: GridShape) -> ShardLayout:
    """A sharding as a tiling; dimensions in which part and whole are of one size are not split."""
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
            place if ratio != 1 else 0 for place, ratio in zip(sharding.tiles[partition], ratios)
        )
        for replica, partition in product(range(shape.replicas), range(shape.partitions))
    }
    return ShardLayout(tuple(ratios), tiles)
