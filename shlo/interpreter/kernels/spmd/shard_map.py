"""Layouts of sharded tensors, and the shard_map bodies (manual computations) that work on shards.

Outside of a manual computation a value is the whole tensor, equal in every process of a grid; inside, each
process holds its shard.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct, field

from shlo.dialects.sdy.attributes import ManualAxes, ShardingPerValue, TensorSharding
from shlo.dialects.stablehlo.custom_call_targets import GLOBAL_TO_LOCAL, LOCAL_TO_GLOBAL
from shlo.interpreter.kernel_api import OpView, Value
from shlo.interpreter.kernels.shapes import require
from shlo.interpreter.program.sync_points import MANUAL_COMPUTATION
from shlo.interpreter.topology.frontend_attributes import frontend_attribute, result_types
from shlo.interpreter.topology.groups import GridShape, Groups
from shlo.interpreter.topology.mesh import Axis, DeviceMesh, axes_of, mesh_of, meshes_of
from shlo.ir.attributes import Attribute


class ShardLayout(Struct, frozen=True):
    """Layout of a sharded tensor: the number of shards along each dimension, and the one that each process
    holds. Where `summand` has numbers, the shards of processes with different ones add up, and all but number
    0 are zero at first."""

    counts: tuple[int, ...]
    tiles: Mapping[int, tuple[int, ...]]
    summand: Mapping[int, int] = field(default_factory=dict[int, int])

    @property
    def is_whole(self) -> bool:
        """Whether each process holds the whole tensor."""
        return all(count == 1 for count in self.counts) and not self.summand

    def part(self, value: Value, process: int) -> Value:
        """Returns the shard of a tensor that a process holds."""
        if self.is_whole:
            return value
        part = np.asarray(value)[self._place(np.shape(value), process)]
        return np.zeros_like(part) if self.summand.get(process, 0) else part

    def whole(self, processes: Sequence[int], parts: Sequence[Value]) -> Value:
        """Returns the tensor whose shards these processes hold."""
        if self.is_whole:
            return parts[0]
        shape = tuple(size * count for size, count in zip(np.shape(parts[0]), self.counts))
        result = np.zeros(shape, parts[0].dtype)
        seen: set[tuple[object, ...]] = set()
        for process, part in zip(processes, parts):
            key = (self.tiles[process], self.summand.get(process, 0))
            if key not in seen:
                seen.add(key)
                position = self._place(shape, process)
                result[position] = result[position] + part if self.summand else part
        return result

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


class ManualComputation(Struct, frozen=True):
    """Manual computation over a mesh: the layouts of operands and results, and the groups of processes."""

    mesh: DeviceMesh
    operands: tuple[ShardLayout, ...]
    results: tuple[ShardLayout, ...]
    groups: Groups


def manual_computation(op: OpView, shape: GridShape | None = None) -> ManualComputation:
    """Reads an `sdy.manual_computation`, or the call that begins or ends one in XLA's round-trip form. It is
    read for a grid, or else for one process for each device of its mesh; see round_trip.py."""
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
    layouts = [[_tiling(sharding, mesh, names, devices) for sharding in side] for side in (before, after)]
    return ManualComputation(mesh, tuple(layouts[0]), tuple(layouts[1]), groups)


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
    """Returns the mesh of the shardings, where those over a mesh without axes go with any. Without shardings
    it is the one mesh of the program that has the manual axes, or one device if the program has no mesh."""
    if shardings:
        meshes = {mesh_of(sharding.mesh, op.symbols): None for sharding in shardings}
        meshes = {mesh: None for mesh in meshes if mesh.names} or meshes
    else:
        known = meshes_of(op.symbols) or {"": DeviceMesh.of(())}
        meshes = {mesh: None for mesh in known.values() if set(axes) <= set(mesh.names)}
    require(len(meshes) == 1, "expected values over one mesh, got {} meshes", len(meshes))
    return next(iter(meshes))


def _devices(mesh: DeviceMesh, grid: GridShape) -> list[dict[int, int]]:
    """Returns the process of each device: one mesh over the grid, or one over each replica's partitions."""
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
    """Returns the layout that a sharding's manual axes make."""
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
