"""Symbols that attributes name: found, and replaced by others."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from itertools import chain, count
from typing import Any, Final, cast

from msgspec import Struct
from msgspec.structs import asdict, replace

from shlo.ir.attributes import (
    Attribute,
    DenseArrayAttr,
    EnumAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    UnitAttr,
)
from shlo.ir.operations import Block, Operation, Region, Signature

_LEAVES: Final = (IntegerAttr, FloatAttr, StringAttr, TypeAttr, UnitAttr, EnumAttr, DenseArrayAttr)
"""Frequent attributes that hold no others."""


def free_symbol(name: str, symbols: Container[str]) -> str:
    """Returns a name that none of the symbols has: `name`, else `name_0`, `name_1`, ..."""
    names = chain((name,), (f"{name}_{number}" for number in count()))
    return next(name for name in names if name not in symbols)


def symbols_in(operation: Operation) -> Iterator[str]:
    """Yields the root of each symbol that an operation, or one inside it, names."""
    visited: set[int] = set()
    for signature in _signatures(operation):
        if id(signature) not in visited:
            visited.add(id(signature))
            yield from symbols_of(signature)


def symbols_of(signature: Signature) -> Iterator[str]:
    """Yields the root of each symbol in the attributes of an operation."""
    for attributes in (signature.properties, signature.attributes):
        for attribute in attributes.values():
            yield from _roots(attribute)


def _signatures(operation: Operation) -> Iterator[Signature]:
    yield operation.signature
    for region in operation.regions:
        for block in region.blocks:
            for inner in block.operations:
                if inner.regions:
                    yield from _signatures(inner)
                else:
                    yield inner.signature


def _roots(value: Any) -> Iterator[str]:
    """Yields the roots of the symbols in an attribute, or in a tuple that holds attributes."""
    if isinstance(value, SymbolRefAttr):
        yield value.root
    elif isinstance(value, tuple):
        for item in cast("tuple[Any, ...]", value):
            yield from _roots(item)
    elif isinstance(value, Attribute) and not isinstance(value, _LEAVES):
        for _, part in _parts(value):
            yield from _roots(part)


def _parts(attribute: Attribute) -> Iterator[tuple[str, Any]]:
    """Yields the fields of an attribute that may hold other ones."""
    if isinstance(attribute, Struct):
        for name, value in asdict(attribute).items():
            if isinstance(value, (Attribute, tuple)):
                yield name, value


def with_renamed_symbols(operation: Operation, rename: Callable[[str], str]) -> Operation:
    """Returns an operation in which each symbol that it, or an operation inside it, names has the name that
    `rename` returns for it; the operation itself where none changes. Names that are defined stay."""
    return _Renamer(rename).operation(operation)


class _Renamer:
    """Renames symbols, once for each signature; what does not change is shared."""

    def __init__(self, rename: Callable[[str], str]) -> None:
        self._rename = rename
        self._signatures: dict[int, tuple[Signature, Signature]] = {}

    def operation(self, operation: Operation) -> Operation:
        signature = self._signature(operation.signature)
        regions = tuple(map(self._region, operation.regions))
        if signature is operation.signature and all(map(_is_same, regions, operation.regions)):
            return operation
        return Operation(
            signature,
            operation.operands,
            operation.results,
            regions,
            operation.successors,
            operation.location,
        )

    def _region(self, region: Region) -> Region:
        blocks = tuple(map(self._block, region.blocks))
        return region if all(map(_is_same, blocks, region.blocks)) else Region(blocks, region.values)

    def _block(self, block: Block) -> Block:
        operations = [self.operation(operation) for operation in block.operations]
        if all(map(_is_same, operations, block.operations)):
            return block
        return Block(
            operations, block.arguments, block.label, block.starts, block.ends, block.argument_locations
        )

    def _signature(self, signature: Signature) -> Signature:
        symbols = self._signatures.get(id(signature))
        if symbols is None:
            symbols = self._signatures[id(signature)] = signature, self._renamed(signature)
        return symbols[1]

    def _renamed(self, signature: Signature) -> Signature:
        properties, attributes = self._entries(signature.properties), self._entries(signature.attributes)
        if properties is signature.properties and attributes is signature.attributes:
            return signature
        return Signature(
            signature.name, signature.operand_types, signature.result_types, properties, attributes
        )

    def _entries(self, entries: Mapping[str, Attribute]) -> Mapping[str, Attribute]:
        new = {name: self._attribute(value) for name, value in entries.items()}
        return entries if all(new[name] is entries[name] for name in new) else new

    def _attribute(self, attribute: Attribute) -> Attribute:
        if isinstance(attribute, SymbolRefAttr):
            root = self._rename(attribute.root)
            return attribute if root == attribute.root else SymbolRefAttr(root, attribute.nested)
        if isinstance(attribute, _LEAVES):
            return attribute
        changed = {name: new for name, old in _parts(attribute) if not _is_same(new := self._value(old), old)}
        return replace(cast("Any", attribute), **changed) if changed else attribute

    def _value(self, value: Any) -> Any:
        if isinstance(value, Attribute):
            return self._attribute(value)
        if isinstance(value, tuple):
            old = cast("tuple[Any, ...]", value)
            new = tuple(map(self._value, old))
            return old if all(map(_is_same, new, old)) else new
        return value


def _is_same(new: object, old: object) -> bool:
    return new is old
