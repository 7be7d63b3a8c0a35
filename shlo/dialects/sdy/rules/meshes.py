"""What Shardy's verifier asks of meshes, and of attributes that hold one."""

from __future__ import annotations

import math

from shlo.dialects.attr_constraints import Problem
from shlo.dialects.sdy.attributes import ShardingPerValue, ShardyMesh, TensorSharding
from shlo.ir.suggestions import LeaveOut, Replace, advise


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
