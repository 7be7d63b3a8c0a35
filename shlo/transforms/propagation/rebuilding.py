"""The module that solved variables describe: operations keep their places, functions that are called with
several types become several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np
from msgspec.structs import replace

from shlo.dialects.sdy.attributes import OpShardingRule
from shlo.ir.attributes import Attribute, DenseArrayAttr, StringAttr, SymbolRefAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import UnsupportedTypeError, dtype_of
from shlo.ir.operations import Block, Module, Operation, Region, Signature, ValueTable
from shlo.ir.symbols import free_symbol
from shlo.ir.types import FunctionType, RankedTensorType, Type
from shlo.transforms.propagation.program import FunctionInstance, OpInstance, SizedProgram
from shlo.transforms.propagation.rules import CALLEES
from shlo.transforms.rewriting.rebuild import (
    are_same,
    block_of,
    remade,
    with_blocks,
    with_body,
    with_function_type,
)


class Rebuilding:
    """Builds the module once. `numbers` are constants whose number changes, and the new ones."""

    def __init__(self, program: SizedProgram, numbers: Mapping[OpInstance, Any]) -> None:
        self._program: Final = program
        self._numbers: Final = numbers
        self._types: Final = program.new_types()
        self._signatures: dict[tuple[Any, ...], Signature] = {}
        self._fingerprints: dict[int, tuple[Any, ...]] = {}
        self._variants: dict[str, dict[tuple[Any, ...], str]] = {}
        self._name_variants()

    def module(self) -> tuple[Module, dict[str, str]]:
        """Returns the module, and the functions that are new with those of which they are variants."""
        (block,) = self._program.module.body.blocks
        copies: dict[str, str] = {}
        built = block_of(block, self._operations(block.operations, copies))
        body = self._program.module.body
        return with_body(self._program.module, with_blocks(body, (built,))), copies

    def _operations(
        self, operations: list[Operation], copies: dict[str, str]
    ) -> Iterator[tuple[int, Operation]]:
        instances: dict[str, dict[str, FunctionInstance]] = {}
        for instance in self._program.instances:
            name = self._name(instance)
            instances.setdefault(instance.function.name, {}).setdefault(name, instance)
        for index, operation in enumerate(operations):
            symbol = operation.symbol or ""
            variants = instances.get(symbol, {})
            if not variants or operation is not next(iter(variants.values())).function.operation:
                yield index, operation
                continue
            yield index, self._function(variants[symbol], symbol)
            for name, instance in variants.items():
                if name != symbol:
                    copies[name] = symbol
                    yield index, self._function(instance, name)

    # -- variants --------------------------------------------------------------------------------------------

    def _name_variants(self) -> None:
        names = set(self._program.module.symbols)
        for instance in self._program.instances:
            variants = self._variants.setdefault(instance.function.name, {})
            fingerprint = self._fingerprint(instance)
            if fingerprint not in variants:
                variants[fingerprint] = ""
        for name, variants in self._variants.items():
            kept = next((key for key in variants if not key), next(iter(variants)))
            for fingerprint in variants:
                variants[fingerprint] = name if fingerprint is kept else free_symbol(name, names)
                names.add(variants[fingerprint])

    def _name(self, instance: FunctionInstance) -> str:
        return self._variants[instance.function.name][self._fingerprint(instance)]

    def _fingerprint(self, instance: FunctionInstance) -> tuple[Any, ...]:
        """Returns all that is changed in an instance, nothing where it stays as it is."""
        known = self._fingerprints.get(id(instance))
        if known is None:
            self._fingerprints[id(instance)] = ()  # of one that calls itself
            known = self._fingerprints[id(instance)] = tuple(self._changes(instance))
        return known

    def _changes(self, instance: FunctionInstance) -> Iterator[tuple[Any, ...]]:
        program, sizes = self._program, self._program.sizes
        for number, value in enumerate((*instance.arguments, *instance.results)):
            if (type_ := self._types[value]) is not program.types[value]:
                yield number, type_
        for number, op in enumerate(instance.ops):
            for result in op.results:
                if (type_ := self._types[result]) is not program.types[result]:
                    yield number, type_
            for key, variable in op.parameters.items() if "parameters" in op.__dict__ else ():
                if sizes.is_changed(variable):
                    yield number, key, sizes.now(variable)
            if op in self._numbers:
                yield number, self._numbers[op]
            if op.callee is not None and (inner := self._fingerprint(op.callee)):
                yield number, inner

    # -- operations ------------------------------------------------------------------------------------------

    def _function(self, instance: FunctionInstance, name: str) -> Operation:
        old = instance.function.operation
        if not self._fingerprint(instance):
            return old
        types = [
            tuple(map(self._types.__getitem__, values)) for values in (instance.arguments, instance.results)
        ]
        region = self._region(old.regions[0], iter(instance.ops), instance.base, ValueTable())
        signature = with_function_type(old.signature, FunctionType(*types), sym_name=StringAttr(name))
        return remade(old, signature, regions=(region,))

    def _region(self, region: Region, ops: Iterator[OpInstance], base: int, around: ValueTable) -> Region:
        """Returns a region with the types of now; `around` is the new table of the region around it."""
        table = self._table(region.values, base) if around is not region.values else around
        blocks = tuple(self._block(block, ops, table, region.values) for block in region.blocks)
        return Region(blocks, table)

    def _table(self, table: ValueTable, base: int) -> ValueTable:
        types = self._types[base : base + len(table.types)]
        return table if are_same(types, table.types) else ValueTable(types, table.names)

    def _block(self, block: Block, ops: Iterator[OpInstance], table: ValueTable, old: ValueTable) -> Block:
        return block_of(
            block, enumerate([self._operation(next(ops), ops, table, old) for _ in block.operations])
        )

    def _operation(
        self, op: OpInstance, ops: Iterator[OpInstance], table: ValueTable, old: ValueTable
    ) -> Operation:
        operation = op.operation
        signature = self._signature(op)
        regions = tuple(
            self._nested(region, inner.base, ops, table, old)
            for region, inner in zip(operation.regions, op.regions)
        )
        if signature is operation.signature and are_same(regions, operation.regions):
            return operation
        return remade(operation, signature, regions=regions)

    def _nested(
        self, region: Region, base: int, ops: Iterator[OpInstance], table: ValueTable, old: ValueTable
    ) -> Region:
        new = table if region.values is old else self._table(region.values, base)
        blocks = tuple(self._block(block, ops, new, region.values) for block in region.blocks)
        if new is region.values and are_same(blocks, region.blocks):
            return region
        return Region(blocks, new)

    def _signature(self, op: OpInstance) -> Signature:
        old = op.operation.signature
        operands = tuple(map(self._types.__getitem__, op.operands))
        results = tuple(map(self._types.__getitem__, op.results))
        numbers = self._parameters(op)
        number = self._numbers.get(op)
        callee = self._name(op.callee) if op.callee else None
        key = id(old), operands, results, numbers, number, callee
        known = self._signatures.get(key)
        if known is None:
            known = self._signatures[key] = self._changed(
                op, operands, results, dict(numbers), number, callee
            )
        return known

    def _parameters(self, op: OpInstance) -> tuple[tuple[tuple[str, int], int], ...]:
        if "parameters" not in op.__dict__:
            return ()
        sizes = self._program.sizes
        return tuple((key, sizes.now(one)) for key, one in op.parameters.items() if sizes.is_changed(one))

    def _changed(
        self,
        op: OpInstance,
        operands: tuple[Type, ...],
        results: tuple[Type, ...],
        numbers: Mapping[tuple[str, int], int],
        number: Any,
        callee: str | None,
    ) -> Signature:
        old = op.operation.signature
        properties, attributes = dict(old.properties), dict(old.attributes)
        for (name, index), value in numbers.items():
            holder = properties if name in properties else attributes
            holder[name] = _with_number(holder[name], index, value)
        if callee is not None:
            properties[CALLEES[old.name]] = SymbolRefAttr(callee)
        if op.op_def is not None and op.op_def.has("constant"):
            for name, value in properties.items():
                if isinstance(value, DenseElementsAttr) and isinstance(results[0], RankedTensorType):
                    properties[name] = _refilled(value, results[0], number)
        is_same = (operands, results) == (
            old.operand_types,
            old.result_types,
        ) and properties == old.properties
        if is_same and attributes == old.attributes:
            return old
        return Signature(old.name, operands, results, properties, attributes)


def _with_number(attribute: Attribute, index: int, value: int) -> Attribute:
    """Returns a list of numbers with another one at an index."""
    if isinstance(attribute, DenseArrayAttr):
        return DenseArrayAttr(
            attribute.element_type, (*attribute.values[:index], value, *attribute.values[index + 1 :])
        )
    if isinstance(attribute, OpShardingRule):
        sizes = attribute.factor_sizes
        return replace(attribute, factor_sizes=(*sizes[:index], value, *sizes[index + 1 :]))
    assert isinstance(attribute, DenseElementsAttr)
    array = np.array(attribute.array)
    array.flat[index] = value
    return DenseElementsAttr(attribute.type, array)


def _refilled(value: DenseElementsAttr, type_: RankedTensorType, number: Any) -> DenseElementsAttr:
    """Returns equal elements of another number of them, type or value; listed ones where they still fit. They
    stay what they are where no array can hold the type, as i3.
    """
    if value.type == type_ and number is None:
        return value
    array = value.array
    if array.size and (array.size == 1 or value.is_splat):
        array = np.array(array.flat[0] if number is None else number)
    elif value.type.shape != type_.shape:
        return value
    try:
        return DenseElementsAttr(type_, array.astype(dtype_of(type_.element_type)))
    except UnsupportedTypeError:
        return value
