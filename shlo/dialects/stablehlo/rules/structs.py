"""What is wrong with attributes that have fields, wherever they are."""

from __future__ import annotations

from collections.abc import Iterable

from shlo.dialects.attr_constraints import Problem
from shlo.dialects.struct_attributes import Mesh, ReplicaGroupMeshAxes, ResultAccuracy
from shlo.ir.attributes import SymbolRefAttr
from shlo.text.suggest import nearest_name


def accuracy_problem(accuracy: ResultAccuracy) -> Problem | None:
    """Tolerances are not negative, and only the mode TOLERANCE has any."""
    tolerances = {"atol": accuracy.atol, "rtol": accuracy.rtol, "ulps": accuracy.ulps}
    for name, value in tolerances.items():
        if value < 0:
            return Problem(f"{name} must not be negative, but is {value}", f"set {name} to 0 or more")
    given = [f"{name} = {value}" for name, value in tolerances.items() if value != 0]
    if given and accuracy.mode != "TOLERANCE":
        return Problem(
            f"the mode {accuracy.mode} has no tolerances, but {' and '.join(given)} are given",
            f"set the mode to TOLERANCE, or leave {' and '.join(given)} out",
        )
    return None


def no_axis(name: str, known: Iterable[str]) -> Problem:
    """Returns an axis that a mesh does not have."""
    names = list(known)
    close = nearest_name(name, names)
    message = f'the mesh has the axes {", ".join(names) or "none"}, but not "{name}"'
    return Problem(
        message, f'did you mean "{close}"?' if close else "name one of these, or add it to the mesh"
    )


def mesh_axes_problem(groups: ReplicaGroupMeshAxes) -> Problem | None:
    """The mesh is one, or a symbol, and has the axes."""
    mesh = groups.mesh
    if isinstance(mesh, SymbolRefAttr):
        message = f"mesh must be one name, but is {mesh}"
        return Problem(message, f"write @{mesh.nested[-1]}") if mesh.nested else None
    if not isinstance(mesh, Mesh):
        return Problem(f"mesh must be a mesh or the symbol of one, but is {mesh}", "name a mesh: @mesh")
    known = [axis.name for axis in mesh.axes]
    for axis in groups.axes:
        if axis.name not in known:
            return no_axis(axis.name, known)
    return None
