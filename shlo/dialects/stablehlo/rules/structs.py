"""What is wrong with attributes that have fields, wherever they are."""

from __future__ import annotations

from collections.abc import Iterable

from shlo.dialects.attr_constraints import Problem
from shlo.dialects.struct_attributes import AxisRef, Mesh, ReplicaGroupMeshAxes, ResultAccuracy
from shlo.ir.attributes import SymbolRefAttr
from shlo.ir.suggestions import Advise, LeaveOut, Rename, Replace, WriteAttribute, advise
from shlo.text.suggest import nearest_name


def accuracy_problem(accuracy: ResultAccuracy) -> Problem | None:
    """Tolerances are not negative, and only the mode TOLERANCE has any."""
    tolerances = {"atol": accuracy.atol, "rtol": accuracy.rtol, "ulps": accuracy.ulps}
    for name, value in tolerances.items():
        if value < 0:
            suggestion = WriteAttribute(
                name, "0" if name == "ulps" else "0.0", words=f"set {name} to 0 or more"
            )
            return Problem(f"{name} must not be negative, but is {value}", (suggestion,))
    entries = {name: f"{name} = {value}" for name, value in tolerances.items() if value != 0}
    if entries and accuracy.mode != "TOLERANCE":
        return Problem(
            f"the mode {accuracy.mode} has no tolerances, but {' and '.join(entries.values())} are given",
            (
                Advise("set the mode to TOLERANCE"),
                *(LeaveOut(name, words=f"leave {entry} out") for name, entry in entries.items()),
            ),
        )
    return None


def no_axis(name: str, axis_names: Iterable[str]) -> Problem:
    """Returns an axis that a mesh does not have."""
    names = list(axis_names)
    close = nearest_name(name, names)
    message = f'the mesh has the axes {", ".join(names) or "none"}, but not "{name}"'
    if close:
        return Problem(message, (Rename(f'"{name}"', f'"{close}"'),))
    advice = Advise("name one of these, or add it to the mesh")
    return Problem(message, (advice, LeaveOut(f'"{name}"', "text")))


def mesh_axes_problem(groups: ReplicaGroupMeshAxes) -> Problem | None:
    """The mesh is one, or a symbol, and has the axes."""
    mesh = groups.mesh
    if isinstance(mesh, SymbolRefAttr):
        message = f"mesh must be one name, but is {mesh}"
        return Problem(message, (Replace(str(mesh), f"@{mesh.nested[-1]}"),)) if mesh.nested else None
    if not isinstance(mesh, Mesh):
        return Problem(
            f"mesh must be a mesh or the symbol of one, but is {mesh}", advise("name a mesh: @mesh")
        )
    axis_names = [axis.name for axis in mesh.axes]
    for axis in groups.axes:
        if not isinstance(axis, AxisRef):  # pyright: ignore[reportUnnecessaryIsInstance] # any may be written
            message = f"expected axes of a mesh (#stablehlo.axis_ref), got {axis}"
            return Problem(message, advise("name an axis: #stablehlo.axis_ref<name = ...>"))
        if axis.name not in axis_names:
            return no_axis(axis.name, axis_names)
    return None
