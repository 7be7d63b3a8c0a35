"""What Shardy's verifier asks of the sharding of a value."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from shlo.dialects.attr_constraints import Problem
from shlo.dialects.sdy.attributes import (
    AxisReference,
    DimensionSharding,
    ShardingPerValue,
    ShardyMesh,
    TensorSharding,
)
from shlo.dialects.sdy.axes import Sizes, axis_size, can_merge, end, in_order, is_sorted, merged, start
from shlo.dialects.stablehlo.rules.structs import no_axis
from shlo.ir.suggestions import Advise, LeaveOut, Replace, Suggestion, advise
from shlo.ir.types import MemRefType, RankedTensorType, TupleType, Type, UnrankedTensorType


def sharding_problem(
    sharding: TensorSharding, type_: Type | None, mesh: ShardyMesh, bound: Collection[str] = ()
) -> Problem | None:
    """Returns what is wrong with the sharding of a value.

    Args:
        sharding: the sharding to check.
        type_: the value's type; None for an operation without results, which may have one sharding.
        mesh: the mesh of the sharding.
        bound: the axes that manual computations around the operation are split over.
    """
    if mesh.is_maximal or (type_ is None and sharding.is_replicated):
        return _unsplit_problem(sharding, "over a mesh of one device" if mesh.is_maximal else "of no value")
    if isinstance(type_, TupleType):
        if len(type_.types) != 1:
            message = f"expected a tuple of one element where a tuple has a sharding, got {type_}"
            return Problem(message, (LeaveOut("sharding", words="leave the sharding out"),))
        type_ = type_.types[0]
    if isinstance(type_, UnrankedTensorType):
        return Problem(f"expected a tensor of known rank where it has a sharding, got {type_}")
    rank = rank_of(type_)
    if rank is None:
        return _unsplit_problem(sharding, f"of a value of type {type_}")
    if len(sharding.dimensions) != rank:
        message = f"expected a sharding of {rank} dimensions for {type_}, got {len(sharding.dimensions)}"
        empty = DimensionSharding((), is_closed=True)
        dimensions = (*sharding.dimensions, *(empty,) * rank)[:rank]
        resized = replace(sharding, dimensions=dimensions)
        words = f"write [{', '.join(['{}'] * rank)}]"
        return Problem(message, (Replace(written(sharding), written(resized), words),))
    return _priority_problem(sharding) or _axes_problem(sharding, mesh.sizes, bound)


def rank_of(type_: Type | None) -> int | None:
    """Returns the rank of a tensor or memref, None for other types."""
    if isinstance(type_, RankedTensorType):
        return type_.rank
    shape = type_.shape if isinstance(type_, MemRefType) else None
    return None if shape is None else len(shape)


def _unsplit_problem(sharding: TensorSharding, what: str) -> Problem | None:
    if not (sharding.dimensions or sharding.replicated or sharding.unreduced):
        return None
    message = f"expected a sharding without dimensions and axes {what}, got {sharding}"
    return Problem(message, (Replace(written(sharding), f"<{sharding.mesh}, []>"),))


def _priority_problem(sharding: TensorSharding) -> Problem | None:
    for number, dimension in enumerate(sharding.dimensions):
        if dimension.priority is not None and dimension.is_closed and not dimension.axes:
            message = f"dimension {number} of the sharding is empty and closed, so it has no priority"
            return Problem(message, (LeaveOut(f"p{dimension.priority}", "text"),))
    return None


def _axes_problem(sharding: TensorSharding, sizes: Sizes, bound: Collection[str]) -> Problem | None:
    lists = [*(dimension.axes for dimension in sharding.dimensions), sharding.replicated, sharding.unreduced]
    problem = axes_problem(lists, sizes)
    if problem:
        return problem
    for name, axes in (("replicated", sharding.replicated), ("unreduced", sharding.unreduced)):
        if problem := order_problem(axes, sizes, f"{name} axes"):
            return problem
    split = next((axis.name for axes in lists for axis in axes if axis.name in bound), None)
    if split is None:
        return None
    leave = LeaveOut(f'"{split}"', "text", "leave it out: the values here are the parts along this axis")
    message = f'the axis "{split}" is bound by a sdy.manual_computation around this operation'
    return Problem(message, (leave,))


def order_problem(axes: Sequence[AxisReference], sizes: Sizes, what: str) -> Problem | None:
    """Returns what is wrong with axes that must be in the order of the mesh."""
    if is_sorted(axes, sizes):
        return None
    shown, ordered = _shown(axes), _shown(in_order(axes, sizes))
    message = f"expected {what} in the order of the mesh ({', '.join(sizes)}), got {shown}"
    return Problem(message, (Replace(shown, ordered, "sort them"),))


def axes_problem(lists: Iterable[Sequence[AxisReference]], sizes: Sizes) -> Problem | None:
    """Returns what is wrong with lists of axes that are used together: each axis of the mesh once, parts
    that fit into it and do not overlap, and none that could be merged with the one before it."""
    parts: dict[str, list[AxisReference]] = {}
    for axes in lists:
        for number, axis in enumerate(axes):
            if axis.name not in sizes:
                return no_axis(axis.name, sizes)
            if number and can_merge(axes[number - 1], axis):
                pair = axes[number - 1 : number + 1]
                whole = Replace(_shown(pair), _shown(merged(pair, sizes)), "write them as one")
                return Problem(f"expected parts of an axis to be merged, got {_shown(pair)}", (whole,))
            parts.setdefault(axis.name, []).append(axis)
    return next((problem for value in parts.values() for problem in _parts_problems(value, sizes)), None)


def _parts_problems(parts: list[AxisReference], sizes: Sizes) -> Iterator[Problem]:
    """Yields what is wrong with references to one axis."""
    name, size = parts[0].name, sizes[parts[0].name]
    for axis in parts:
        if axis.part is not None and (
            axis.part[0] < 1 or axis.part[1] < 2 or axis.part[1] == size or size % end(axis, sizes)
        ):
            message = f'"{name}" has size {size}, so ({axis.part[0]}){axis.part[1]} is no part of it'
            advice = Advise(f"take a part of two or more whose end divides {size}")
            yield Problem(message, (advice, LeaveOut(axis_text(axis), "text")))
            return
    ordered = sorted(parts, key=lambda axis: (start(axis), axis_size(axis, sizes)))
    for axis, after in pairwise(ordered):
        if start(after) < end(axis, sizes) or axis == after or None in (axis.part, after.part):
            once = LeaveOut(f'"{name}"', "text", "use it once")
            yield Problem(f'the axis "{name}" is used twice: {_shown((axis, after))}', (once,))
            return


def _shown(axes: Sequence[AxisReference]) -> str:
    return ", ".join(axis_text(axis) for axis in axes)


def _resized(
    shardings: Sequence[TensorSharding], types: Sequence[Type], others: Iterable[TensorSharding]
) -> Iterator[Suggestion]:
    """Yields as many shardings as there are values, over the mesh that others are over."""
    words = f"give {len(types)} shardings"
    mesh = next((sharding.mesh for sharding in (*shardings, *others)), None)
    if mesh is None:
        yield Advise(words)
        return
    new = (*shardings, *(TensorSharding(mesh, _open(type_)) for type_ in types[len(shardings) :]))
    old, wanted = (f"[{', '.join(map(written, listed))}]" for listed in (shardings, new[: len(types)]))
    yield Replace(old, wanted, words)


def _open(type_: Type) -> tuple[DimensionSharding, ...]:
    return (DimensionSharding((), is_closed=True),) * (rank_of(type_) or 0)


def written(sharding: TensorSharding) -> str:
    """Returns a sharding as operations of sdy have it in their text."""
    return str(sharding).removeprefix("#sdy.sharding")


def axis_text(axis: AxisReference) -> str:
    """Returns an axis in words for messages."""
    return f'"{axis.name}"' + (f":({axis.part[0]}){axis.part[1]}" if axis.part else "")


def shardings_problem(
    shardings: Sequence[TensorSharding],
    types: Sequence[Type],
    meshes: Sequence[ShardyMesh],
    bound: Collection[str] = (),
    others: Iterable[TensorSharding] = (),
) -> Problem | None:
    """Returns what is wrong with shardings, one for each value; `meshes` are theirs, `others` those of other
    values of the operation."""
    if not types and len(shardings) == 1 and (meshes[0].is_maximal or shardings[0].is_replicated):
        return sharding_problem(shardings[0], None, meshes[0], bound)
    if len(shardings) != len(types):
        message = f"expected {len(types)} shardings, one for each value, got {len(shardings)}"
        return Problem(message, tuple(_resized(shardings, types, others)))
    for number, (sharding, type_, mesh) in enumerate(zip(shardings, types, meshes)):
        problem = sharding_problem(sharding, type_, mesh, bound)
        if problem:
            where = f"sharding {number}: " if len(types) > 1 else ""
            return Problem(where + problem.message, problem.suggestions)
    return None


def mesh_problem(mesh: ShardyMesh) -> Problem | None:
    """Axes have different names and sizes above zero, and the devices are all numbers up to their count."""
    names = [name for name, _ in mesh.axes]
    sizes = [size for _, size in mesh.axes]
    if len(set(names)) < len(names):
        return Problem(
            f"the names of a mesh's axes must differ, but are {', '.join(names)}", advise("rename one")
        )
    if any(size < 1 for size in sizes):
        message = f"an axis must have at least one device, but the sizes are {sizes}"
        name, size = next((name, size) for name, size in mesh.axes if size < 1)
        words = f"make the size {size} 1 or more"
        return Problem(message, (Replace(f'"{name}"={size}', f'"{name}"=1', words),))
    if any(device < 0 for device in mesh.device_ids):
        message = f"devices must not be negative, but are {list(mesh.device_ids)}"
        return Problem(message, advise("number the devices from 0"))
    if not mesh.axes and len(mesh.device_ids) > 1:
        message = f"expected one device where a mesh has no axes, got {list(mesh.device_ids)}"
        return Problem(message, advise("name the axes of the mesh, or one device"))
    if mesh.axes and mesh.device_ids and sorted(mesh.device_ids) != list(range(len(mesh.device_ids))):
        return _devices_problem(mesh)
    if mesh.axes and mesh.device_ids and len(mesh.device_ids) != math.prod(sizes):
        return _devices_problem(mesh)
    return None


def _devices_problem(mesh: ShardyMesh) -> Problem:
    count = math.prod(size for _, size in mesh.axes)
    shown = list(mesh.device_ids)
    message = f"a mesh of {count} devices must name each from 0 to {count - 1}, not {shown}"
    return Problem(message, (LeaveOut("device_ids", words="leave device_ids out for the devices in order"),))


def inlined_mesh_problem(attribute: TensorSharding | ShardingPerValue) -> Problem | None:
    """Returns what is wrong with a mesh that is written in a sharding."""
    shardings = attribute.shardings if isinstance(attribute, ShardingPerValue) else (attribute,)
    meshes = (sharding.mesh for sharding in shardings)
    problems = (mesh_problem(mesh) for mesh in meshes if isinstance(mesh, ShardyMesh))
    return next((problem for problem in problems if problem), None)
