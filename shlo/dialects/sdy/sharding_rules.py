"""What is wrong with meshes of devices and with layouts over them, as the MLIR tools check it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from shlo.dialects.card import Problem
from shlo.dialects.sdy.attributes import (
    AxisReference,
    DimensionSharding,
    ShardingPerValue,
    ShardyMesh,
    TensorSharding,
)
from shlo.dialects.stablehlo.struct_rules import no_axis
from shlo.ir.types import RankedTensorType, Type


def mesh_problem(mesh: ShardyMesh) -> Problem | None:
    """Axes have different names and sizes above zero, and the devices are all numbers up to their count."""
    names = [name for name, _ in mesh.axes]
    sizes = [size for _, size in mesh.axes]
    if len(set(names)) < len(names):
        return Problem(f"the names of a mesh's axes must differ, but are {', '.join(names)}", "rename one")
    if any(size < 1 for size in sizes):
        message = f"an axis must have at least one device, but the sizes are {sizes}"
        return Problem(message, f"make the size {min(sizes)} 1 or more")
    if any(device < 0 for device in mesh.device_ids):
        message = f"devices must not be negative, but are {list(mesh.device_ids)}"
        return Problem(message, "number the devices from 0")
    if not mesh.axes and len(mesh.device_ids) > 1:
        message = f"expected one device where a mesh has no axes, got {list(mesh.device_ids)}"
        return Problem(message, "name the axes of the mesh, or one device")
    if mesh.axes and mesh.device_ids and sorted(mesh.device_ids) != list(range(math.prod(sizes))):
        count = math.prod(sizes)
        shown = list(mesh.device_ids)
        message = f"a mesh of {count} devices must name each from 0 to {count - 1}, not {shown}"
        return Problem(message, "leave device_ids out for the devices in order")
    return None


def sharding_problem(sharding: TensorSharding, type_: Type, mesh: ShardyMesh) -> Problem | None:
    """The layout speaks of the tensor's dimensions and of the mesh's axes, of each once."""
    if isinstance(type_, RankedTensorType) and len(sharding.dimensions) != type_.rank:
        message = f"the layout has {len(sharding.dimensions)} dimensions, but {type_} has {type_.rank}"
        return Problem(message, f"give the layout {type_.rank}: [{', '.join(['{}'] * type_.rank)}]")
    for number, dimension in enumerate(sharding.dimensions):
        if dimension.priority is not None and dimension.is_closed and not dimension.axes:
            message = f"dimension {number} of the layout is empty and closed, so it has no priority"
            return Problem(message, f"leave p{dimension.priority} out")
    return axes_problem(_axes(sharding), mesh)


def _axes(sharding: TensorSharding) -> Iterator[AxisReference]:
    for dimension in sharding.dimensions:
        yield from dimension.axes
    yield from sharding.replicated
    yield from sharding.unreduced


def axes_problem(axes: Iterable[AxisReference], mesh: ShardyMesh) -> Problem | None:
    """The mesh has the axes, and no part of one is there twice."""
    sizes = dict(mesh.axes)
    taken: dict[str, list[tuple[int, int]]] = {}
    for axis in axes:
        size = sizes.get(axis.name)
        if size is None:
            return no_axis(axis.name, sizes)
        start, end = (1, size) if axis.part is None else (axis.part[0], axis.part[0] * axis.part[1])
        if axis.part is not None and (axis.part[1] == size or start < 1 or size % max(end, 1)):
            message = f'"{axis.name}" has size {size}, so ({axis.part[0]}){axis.part[1]} is no part of it'
            return Problem(message, f"take a part whose product with what is before it divides {size}")
        others = taken.setdefault(axis.name, [])
        if any(
            (start < other_end and other_start < end) or (start, end) == (other_start, other_end)
            for other_start, other_end in others
        ):
            return Problem(f'the axis "{axis.name}" stands twice in the layout', "let it stand once")
        others.append((start, end))
    return None


def local_shape(
    type_: RankedTensorType, sharding: TensorSharding, manual: Sequence[str], mesh: ShardyMesh
) -> tuple[int | None, ...] | None:
    """The sizes of the part that a device holds along the manual axes; None where they do not divide."""
    sizes = dict(mesh.axes)
    found: list[int | None] = []
    for size, dimension in zip(type_.shape, sharding.dimensions):
        parts = _parts(dimension, manual, sizes)
        if size is not None and size % parts:
            return None
        found.append(size if size is None else size // parts)
    return tuple(found)


def _parts(dimension: DimensionSharding, manual: Sequence[str], sizes: dict[str, int]) -> int:
    return math.prod(
        axis.part[1] if axis.part else sizes.get(axis.name, 1)
        for axis in dimension.axes
        if axis.name in manual
    )


def shardings_of(attribute: object) -> tuple[TensorSharding, ...]:
    """The layouts that an attribute holds."""
    if isinstance(attribute, TensorSharding):
        return (attribute,)
    return attribute.shardings if isinstance(attribute, ShardingPerValue) else ()
