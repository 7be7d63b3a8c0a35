"""What is wrong with attributes that have fields, wherever they stand."""

from __future__ import annotations

from shlo.dialects.stablehlo.attributes import Mesh, ReplicaGroupMeshAxes, ResultAccuracy
from shlo.ir.attributes import SymbolRefAttr


def accuracy_problem(accuracy: ResultAccuracy) -> str | None:
    """Tolerances are not negative, and only the mode TOLERANCE has any."""
    tolerances = {"atol": accuracy.atol, "rtol": accuracy.rtol, "ulps": accuracy.ulps}
    for name, value in tolerances.items():
        if value < 0:
            return f"{name} must not be negative, but is {value}"
    given = [f"{name} = {value}" for name, value in tolerances.items() if value != 0]
    if given and accuracy.mode != "TOLERANCE":
        return f"the mode {accuracy.mode} has no tolerances, but {' and '.join(given)} are given"
    return None


def mesh_axes_problem(groups: ReplicaGroupMeshAxes) -> str | None:
    """The mesh is one, or a symbol, and has the axes."""
    mesh = groups.mesh
    if isinstance(mesh, SymbolRefAttr):
        return f"mesh must be one name, but is {mesh}" if mesh.nested else None
    if not isinstance(mesh, Mesh):
        return f"mesh must be a mesh or the symbol of one, but is {mesh}"
    known = [axis.name for axis in mesh.axes]
    for axis in groups.axes:
        if axis.name not in known:
            return f'the mesh has the axes {", ".join(known)}, but no "{axis.name}"'
    return None
