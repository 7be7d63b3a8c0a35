"""Meshes of devices: axes with names and sizes, and which device is where.

A mesh is what `sdy.mesh` and `#stablehlo.mesh` describe. Devices are numbers; without a list of them they
count up in row-major order. Part of an axis, `"x":(1)2`, is what is before it and its size.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np
from msgspec import Struct

from shlo.dialects.sdy.attributes import AxisReference, ShardyMesh
from shlo.dialects.struct_attributes import AxisRef, Mesh, ReplicaGroupMeshAxes
from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.topology.groups import GridShape, require_possible
from shlo.ir.attributes import ArrayAttr, Attribute, DictionaryAttr, IntegerAttr, StringAttr, SymbolRefAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.operations import Operation
from shlo.text.escape import sanitized
from shlo.text.shortening import fitted


class Axis(Struct, frozen=True):
    """An axis of a mesh, or the part of it between `before` positions and those within the part."""

    name: str
    before: int = 1
    size: int | None = None


class DeviceMesh(Struct, frozen=True):
    """Axes and their sizes, and the devices in row-major order."""

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    devices: tuple[int, ...]

    @staticmethod
    def of(axes: Iterable[tuple[str, int]], devices: Sequence[int] = ()) -> DeviceMesh:
        """Returns a mesh of these axes; raises KernelError where it has another number of devices."""
        pairs = tuple(axes)
        sizes = tuple(size for _, size in pairs)
        require_possible(math.prod(sizes))
        numbers = tuple(devices) or tuple(range(math.prod(sizes)))
        if len(numbers) != math.prod(sizes) or len(set(numbers)) != len(numbers):
            raise KernelError(f"a mesh of {math.prod(sizes)} devices lists {len(numbers)} of them")
        return DeviceMesh(tuple(name for name, _ in pairs), sizes, numbers)

    @property
    def size(self) -> int:
        """How many devices there are."""
        return len(self.devices)

    def axis_size(self, axis: Axis) -> int:
        """Returns how many positions an axis or a part of it has."""
        return self.sizes[self._index(axis)] if axis.size is None else axis.size

    def count(self, axes: Sequence[Axis]) -> int:
        """Returns how many positions axes have together."""
        return math.prod(self.axis_size(axis) for axis in axes)

    def positions(self, axes: Sequence[Axis]) -> dict[int, int]:
        """Returns where each device is along axes, the first of which is the major one."""
        coordinates = np.unravel_index(np.arange(self.size), self.sizes) if self.sizes else ()
        position = np.zeros(self.size, np.int64)
        for axis in axes:
            size, whole = self.axis_size(axis), self.sizes[self._index(axis)]
            if axis.before < 1 or size < 1 or whole % (axis.before * size):
                part = f'"{axis.name}":({axis.before}){size}'
                raise KernelError(f"an axis of {whole} devices has no part {part}")
            minor = whole // (axis.before * size)
            position = position * size + coordinates[self._index(axis)] // minor % size
        return {device: int(position) for device, position in zip(self.devices, position)}

    def groups(self, axes: Sequence[Axis]) -> tuple[tuple[int, ...], ...]:
        """Returns the devices that differ along these axes only, in the order of their positions there."""
        along = self.positions(axes)
        rest = self.positions(self._others(axes))
        groups: dict[int, dict[int, int]] = {}
        for device in self.devices:
            groups.setdefault(rest[device], {})[along[device]] = device
        return tuple(
            tuple(group[position] for position in sorted(group)) for _, group in sorted(groups.items())
        )

    def _others(self, axes: Sequence[Axis]) -> list[Axis]:
        """Returns the axes, and the parts of axes, that these are not."""
        rest: list[Axis] = []
        for name, whole in zip(self.names, self.sizes):
            parts = sorted((axis.before, self.axis_size(axis)) for axis in axes if axis.name == name)
            start = 1
            for before, size in [*parts, (whole, 1)]:
                if before > start:
                    rest.append(Axis(name, start, before // start))
                start = before * size
        return rest

    def _index(self, axis: Axis) -> int:
        if axis.name not in self.names:
            raise KernelError(f'the mesh has no axis "{axis.name}"')
        return self.names.index(axis.name)


LONGEST_NAME = 16
"""How many characters of an axis's name are shown."""


class MeshGridShape(GridShape):
    """The shape of a grid that a mesh is laid over: processes are called by its axes, `(data=1, model=2)`."""

    mesh: DeviceMesh

    def __new__(cls, replicas: int, partitions: int, mesh: DeviceMesh) -> MeshGridShape:
        """Returns the shape; the mesh has as many devices as there are processes, or partitions."""
        self = super().__new__(cls, replicas, partitions)
        self.mesh = mesh
        return self

    @property
    def axes(self) -> tuple[tuple[str, int], ...]:
        """The axes of the mesh, replicas before them where each has a mesh of its own."""
        return self._axes

    @property
    def in_order(self) -> Sequence[int]:
        """The processes in row-major order of the axes."""
        return self._in_order

    @cached_property
    def _axes(self) -> tuple[tuple[str, int], ...]:
        names = (_shown_name(name) for name in self.mesh.names)
        axes = tuple(zip(names, self.mesh.sizes))
        return axes if self.mesh.size == self.size else (("replica", self.replicas), *axes)

    @property
    def has_axis_names(self) -> bool:
        """Whether messages call a process by the names of axes."""
        return True

    @cached_property
    def _in_order(self) -> list[int]:
        copies = self.size // self.mesh.size
        return [copy * self.mesh.size + device for copy in range(copies) for device in self.mesh.devices]

    @cached_property
    def _places(self) -> dict[int, int]:
        return {process: position for position, process in enumerate(self._in_order)}

    def coordinates(self, process: int) -> tuple[int, ...]:
        """Returns where a process is along the axes."""
        coordinates_: list[int] = []
        position = self._places[process]
        for _, size in reversed(self._axes):
            position, along = divmod(position, size)
            coordinates_.append(along)
        return tuple(reversed(coordinates_))

    def label(self, process: int) -> str:
        """Returns how messages call a process: `(data=1, model=2)`."""
        pairs = zip(self._axes, self.coordinates(process))
        return f"({', '.join(f'{name}={number}' for (name, _), number in pairs)})"


def _shown_name(name: str) -> str:
    shown = sanitized(name)
    return fitted(shown, LONGEST_NAME)


def grid_shape(replicas: int, partitions: int, symbols: Mapping[str, Operation]) -> GridShape:
    """Returns the shape of a grid: with the names of a mesh among what a program names, if one has as many
    devices as the grid has processes, or partitions, numbered from 0.
    """
    shape = GridShape(replicas, partitions)
    try:
        meshes = [mesh for mesh in meshes_of(symbols).values() if mesh.names]
    except KernelError:
        return shape  # the operation that uses the mesh says what is wrong with it
    for size in (shape.size, partitions):
        for mesh in meshes:
            if mesh.size == size > 1 and max(mesh.devices) == size - 1:
                return MeshGridShape(replicas, partitions, mesh)
    return shape


def mesh_of(attribute: Attribute, symbols: Mapping[str, Operation]) -> DeviceMesh:
    """Returns the mesh that an attribute is, or names."""
    if isinstance(attribute, SymbolRefAttr):
        return _named_mesh(attribute.root, symbols)
    if isinstance(attribute, ShardyMesh):
        return DeviceMesh.of(attribute.axes, attribute.device_ids)
    if isinstance(attribute, Mesh):
        axes = [(axis.name, axis.size) for axis in attribute.axes]
        return DeviceMesh.of(axes, _numbers(attribute.device_ids))
    if isinstance(attribute, DictionaryAttr):
        return _mesh_of_dictionary(attribute)
    raise KernelError(f"{attribute} is no mesh")


def meshes_of(symbols: Mapping[str, Operation]) -> dict[str, DeviceMesh]:
    """Returns the meshes among what a program names."""
    return {
        name: mesh_of(attribute, symbols)
        for name, operation in symbols.items()
        if (attribute := _mesh_attribute(operation)) is not None
    }


def axes_of(references: Sequence[AxisReference | AxisRef]) -> list[Axis]:
    """Axes that an attribute refers to."""
    return [_axis(reference) for reference in references]


def mesh_groups(
    attribute: ReplicaGroupMeshAxes, symbols: Mapping[str, Operation]
) -> tuple[tuple[int, ...], ...]:
    """Returns the rows of replica groups that are given as axes of a mesh."""
    return mesh_of(attribute.mesh, symbols).groups(axes_of(attribute.axes))


def _axis(reference: AxisReference | AxisRef) -> Axis:
    if isinstance(reference, AxisReference):
        return Axis(reference.name, *(reference.part or ()))
    part = reference.sub_axis_info
    return Axis(reference.name) if part is None else Axis(reference.name, part.pre_size, part.size)


def _named_mesh(name: str, symbols: Mapping[str, Operation]) -> DeviceMesh:
    operation = symbols.get(name)
    attribute = None if operation is None else _mesh_attribute(operation)
    if attribute is None:
        raise KernelError(f"the program has no mesh @{name}")
    return mesh_of(attribute, symbols)


def _mesh_attribute(operation: Operation) -> Attribute | None:
    attributes = (operation.attribute(name) for name in ("mesh", "stablehlo.mesh"))
    return next((attribute for attribute in attributes if attribute is not None), None)


def _mesh_of_dictionary(attribute: DictionaryAttr) -> DeviceMesh:
    """`{axes = [{name = "x", size = 2 : i64}], device_ids = dense<...>}`, as programs carry it along."""
    entries = attribute.as_dict()
    axes = entries.get("axes")
    parts = axes.values if isinstance(axes, ArrayAttr) else ()
    sizes = [_named_size(part.as_dict()) for part in parts if isinstance(part, DictionaryAttr)]
    return DeviceMesh.of(sizes, _numbers(entries.get("device_ids")))


def _named_size(entries: dict[str, Attribute]) -> tuple[str, int]:
    name, size = entries.get("name"), entries.get("size")
    if isinstance(name, StringAttr) and isinstance(size, IntegerAttr):
        return name.value, size.value
    raise KernelError("an axis of a mesh needs a name and a size")


def _numbers(attribute: Attribute | None) -> tuple[int, ...]:
    if not isinstance(attribute, DenseElementsAttr):
        return ()
    return tuple(int(number) for number in attribute.array.reshape(-1))
