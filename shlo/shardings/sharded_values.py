"""Values of a program that have a sharding of Shardy or XLA, and the part of each that every device holds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from shlo.dialects.sdy.attributes import TensorSharding
from shlo.dialects.sdy.value_shardings import SHARDING, shardings_of
from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.program.code import program_of
from shlo.interpreter.topology.groups import require_possible
from shlo.interpreter.topology.hlo_sharding import read_sharding
from shlo.interpreter.topology.mesh import axes_of, mesh_of
from shlo.ir.attributes import ArrayAttr, Attribute, DictionaryAttr, IntegerAttr, StringAttr
from shlo.ir.operations import Function, Module, Operation, Region
from shlo.ir.types import RankedTensorType, Type

HLO_SHARDING: Final = "mhlo.sharding"
Role = Literal["argument", "result", "value"]


class Layout(Struct, frozen=True):
    """Into how many parts each dimension of a tensor is split, and the part that each device holds, as its
    place along the dimensions. The last parts of a dimension that does not divide evenly are smaller, or
    empty.
    """

    shape: tuple[int, ...]
    counts: tuple[int, ...]
    places: Mapping[int, tuple[int, ...]]

    def bounds(self, dimension: int, part: int) -> tuple[int, int]:
        """Returns the first index of a part along a dimension, and the one behind its last."""
        size = self.shape[dimension]
        step = -(-size // self.counts[dimension])
        return min(part * step, size), min((part + 1) * step, size)

    def index(self, device: int) -> tuple[tuple[int, int], ...]:
        """Returns the bounds of what a device holds, for each dimension."""
        return tuple(self.bounds(dimension, part) for dimension, part in enumerate(self.places[device]))


def shardy_layout(
    sharding: TensorSharding, shape: tuple[int, ...], symbols: Mapping[str, Operation]
) -> Layout:
    """Returns the layout that a sharding of Shardy describes; raises KernelError."""
    mesh = mesh_of(sharding.mesh, symbols)
    axes = [axes_of(dimension.axes) for dimension in sharding.dimensions]
    if len(axes) != len(shape):
        raise KernelError(f"a sharding of {len(axes)} dimensions does not fit a tensor of {len(shape)}")
    positions = [mesh.positions(along) for along in axes]
    places = {device: tuple(coordinates[device] for coordinates in positions) for device in mesh.devices}
    return Layout(shape, tuple(map(mesh.count, axes)), dict(sorted(places.items())))


def hlo_layout(text: str, shape: tuple[int, ...], devices: int) -> Layout:
    """Returns the layout that a sharding of XLA describes; `devices` is how many the program runs on. Raises
    KernelError."""
    whole = (1,) * len(shape)
    tiling = read_sharding(text)
    if tiling.is_manual:
        raise KernelError("is split by hand")
    if tiling.only_device is not None:
        return Layout(shape, whole, {tiling.only_device: (0,) * len(shape)})
    if not tiling.counts and not tiling.tiles:
        require_possible(devices)
        return Layout(shape, whole, {device: (0,) * len(shape) for device in range(devices)})
    if len(tiling.counts) != len(shape):
        raise KernelError(
            f"a sharding of {len(tiling.counts)} dimensions does not fit a tensor of {len(shape)}"
        )
    return Layout(shape, tiling.counts, dict(enumerate(tiling.tiles)))


def part_count(layout: Layout) -> int:
    """Returns into how many parts a tensor is split."""
    return math.prod(layout.counts)


class ShardedValue(Struct, frozen=True):
    """A value with its sharding as the program writes it: an argument or a result of a function by number,
    or a value inside of it by name. `layout` is None where `problem` says why it has none.
    """

    function: str
    role: Role
    number: int
    name: str
    type: Type
    sharding: str
    layout: Layout | None = None
    problem: str = ""


def sharded_values(module: Module) -> Iterator[ShardedValue]:
    """Yields the values of a program that have a sharding, function by function in the order of the text."""
    symbols = program_of(module).symbols
    replicas, partitions = (
        attribute.value if isinstance(attribute, IntegerAttr) else 1
        for attribute in map(module.operation.attribute, ("mhlo.num_replicas", "mhlo.num_partitions"))
    )
    for function in module.functions.values():
        for value, sharding in _annotated(function):
            yield _with_layout(value, sharding, symbols, replicas * partitions)


def _with_layout(
    value: ShardedValue, sharding: Attribute, symbols: Mapping[str, Operation], devices: int
) -> ShardedValue:
    type_ = value.type
    if not isinstance(type_, RankedTensorType):
        return replace(value, problem="is no tensor with a rank")
    shape = tuple(size for size in type_.shape if size is not None)
    if len(shape) != len(type_.shape):
        return replace(value, problem="has a size that is not known")
    try:
        if isinstance(sharding, TensorSharding):
            return replace(value, layout=shardy_layout(sharding, shape, symbols))
        return replace(value, layout=hlo_layout(value.sharding, shape, devices))
    except KernelError as error:
        return replace(value, problem=str(error))


def _annotated(function: Function) -> Iterator[tuple[ShardedValue, Attribute]]:
    """Yields the values that have a sharding, without their layouts, and the attribute that says it."""
    operation, type_ = function.operation, function.type
    sides: tuple[tuple[Role, str, Sequence[Type]], ...] = (
        ("argument", "arg_attrs", type_.inputs),
        ("result", "res_attrs", type_.results),
    )
    for role, name, types in sides:
        attributes = operation.attribute(name)
        entries = attributes.values if isinstance(attributes, ArrayAttr) else ()
        for number, (entry, value_type) in enumerate(zip(entries, types)):
            written = entry.as_dict() if isinstance(entry, DictionaryAttr) else {}
            sharding = written.get(SHARDING, written.get(HLO_SHARDING))
            if isinstance(sharding, (TensorSharding, StringAttr)):
                yield _sharded(function, role, number, "", value_type, sharding)
    for region in operation.regions:
        yield from _in_region(function, region)


def _in_region(function: Function, region: Region) -> Iterator[tuple[ShardedValue, Attribute]]:
    for block in region.blocks:
        for operation in block.operations:
            names, types = region.values.names, region.values.types
            for value, sharding in _of_results(operation):
                yield _sharded(function, "value", value, names[value], types[value], sharding)
            for inner in operation.regions:
                yield from _in_region(function, inner)


def _sharded(
    function: Function, role: Role, number: int, name: str, type_: Type, sharding: Attribute
) -> tuple[ShardedValue, Attribute]:
    text = sharding.value if isinstance(sharding, StringAttr) else str(sharding)
    return ShardedValue(function.name, role, number, name, type_, text), sharding


def _of_results(operation: Operation) -> Iterator[tuple[int, Attribute]]:
    """Yields the values that an operation annotates, with what it says of each."""
    names = ("sharding", "out_sharding", "out_shardings") if operation.name.startswith("sdy.") else ()
    for name in (SHARDING, *names):
        shardings: Sequence[Attribute] = shardings_of(operation.attribute(name))
        yield from zip(operation.results, shardings)
    text = operation.attribute(HLO_SHARDING)
    if isinstance(text, StringAttr) and len(operation.results) == 1:
        yield operation.results[0], text
