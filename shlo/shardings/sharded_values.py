"""Values of a program that have a sharding: arguments, results, and what operations annotate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from shlo.dialects.sdy.attributes import TensorSharding
from shlo.dialects.sdy.value_shardings import SHARDING, shardings_of
from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.program.code import program_of
from shlo.ir.attributes import ArrayAttr, Attribute, DictionaryAttr, IntegerAttr, StringAttr
from shlo.ir.operations import Function, Module, Operation, Region
from shlo.ir.types import RankedTensorType, Type
from shlo.shardings.layout import Layout, hlo_layout, shardy_layout

HLO_SHARDING: Final = "mhlo.sharding"
Role = Literal["argument", "result", "value"]


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


class _Annotated(Struct, frozen=True):
    role: Role
    number: int
    name: str
    type: Type
    sharding: Attribute


def sharded_values(module: Module) -> Iterator[ShardedValue]:
    """Yields the values of a program that have a sharding, function by function in the order of the text."""
    symbols = program_of(module).symbols
    replicas, partitions = (
        attribute.value if isinstance(attribute, IntegerAttr) else 1
        for attribute in map(module.operation.attribute, ("mhlo.num_replicas", "mhlo.num_partitions"))
    )
    for function in module.functions.values():
        for found in _annotated(function):
            yield _with_layout(function.name, found, symbols, replicas * partitions)


def _with_layout(
    function: str, found: _Annotated, symbols: Mapping[str, Operation], devices: int
) -> ShardedValue:
    sharding = found.sharding
    text = sharding.value if isinstance(sharding, StringAttr) else str(sharding)
    value = ShardedValue(function, found.role, found.number, found.name, found.type, text)
    type_ = found.type
    if not isinstance(type_, RankedTensorType):
        return replace(value, problem="is no tensor with a rank")
    shape = tuple(size for size in type_.shape if size is not None)
    if len(shape) != len(type_.shape):
        return replace(value, problem="has a size that is not known")
    try:
        if isinstance(sharding, TensorSharding):
            return replace(value, layout=shardy_layout(sharding, shape, symbols))
        return replace(value, layout=hlo_layout(text, shape, devices))
    except KernelError as error:
        return replace(value, problem=str(error))


def _annotated(function: Function) -> Iterator[_Annotated]:
    operation, type_ = function.operation, function.type
    sides: tuple[tuple[Role, str, Sequence[Type]], ...] = (
        ("argument", "arg_attrs", type_.inputs),
        ("result", "res_attrs", type_.results),
    )
    for role, name, types in sides:
        attributes = operation.attribute(name)
        entries = attributes.values if isinstance(attributes, ArrayAttr) else ()
        for number, (entry, each) in enumerate(zip(entries, types)):
            written = entry.as_dict() if isinstance(entry, DictionaryAttr) else {}
            sharding = written.get(SHARDING, written.get(HLO_SHARDING))
            if isinstance(sharding, (TensorSharding, StringAttr)):
                yield _Annotated(role, number, "", each, sharding)
    for region in operation.regions:
        yield from _in_region(region)


def _in_region(region: Region) -> Iterator[_Annotated]:
    for block in region.blocks:
        for operation in block.operations:
            names, types = region.values.names, region.values.types
            for value, sharding in _of_results(operation):
                yield _Annotated("value", value, names[value], types[value], sharding)
            for inner in operation.regions:
                yield from _in_region(inner)


def _of_results(operation: Operation) -> Iterator[tuple[int, Attribute]]:
    """Yields the values that an operation annotates, with what it says of each."""
    names = ("sharding", "out_sharding", "out_shardings") if operation.name.startswith("sdy.") else ()
    for name in (SHARDING, *names):
        shardings: Sequence[Attribute] = shardings_of(operation.attribute(name))
        yield from zip(operation.results, shardings)
    text = operation.attribute(HLO_SHARDING)
    if isinstance(text, StringAttr) and len(operation.results) == 1:
        yield operation.results[0], text
