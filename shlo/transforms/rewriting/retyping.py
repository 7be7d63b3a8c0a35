"""Modules with other types, part by part the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from shlo.ir.operations import Block, Module, Operation, Region, Signature, ValueTable
from shlo.ir.recursion import recursive
from shlo.ir.types import FunctionType, FutureType, TupleType, Type
from shlo.transforms.rewriting.rebuild import remade

SignatureRewriter = Callable[[Signature, tuple[Type, ...], tuple[Type, ...]], Signature]
"""Returns what a signature becomes; takes it and the new types of its operands and results."""


class Retyping:
    """Copies modules with other types: operations, blocks and values keep their places. Equal types and
    signatures are rewritten once, and regions that share a table of values share the new one.

    Args:
        type_of: returns what a type becomes that holds no other types; those inside functions, tuples and
            futures are given one by one.
        signature_of: returns what a signature becomes.
    """

    def __init__(self, type_of: Callable[[Type], Type], signature_of: SignatureRewriter) -> None:
        self._type_of: Final = type_of
        self._signature_of: Final = signature_of
        self._types: dict[Type, Type] = {}
        self._signatures: dict[Signature, Signature] = {}
        self._tables: dict[ValueTable, ValueTable] = {}

    @recursive
    def module(self, module: Module) -> Module:
        """Returns the module with other types; it need not be valid, and has no diagnostics."""
        return replace(module, operation=self._operation(module.operation), diagnostics=())

    def type(self, type_: Type) -> Type:
        """Returns what a type becomes; the type itself where nothing changes."""
        retyped = self._types.get(type_)
        if retyped is None:
            retyped = self._types[type_] = self._retyped(type_)
        return retyped

    def _retyped(self, type_: Type) -> Type:
        if isinstance(type_, (TupleType, FutureType)):
            return replace(type_, types=tuple(map(self.type, type_.types)))
        if isinstance(type_, FunctionType):
            return FunctionType(tuple(map(self.type, type_.inputs)), tuple(map(self.type, type_.results)))
        return self._type_of(type_)

    def _operation(self, operation: Operation) -> Operation:
        regions = tuple(map(self._region, operation.regions))
        return remade(operation, self._signature(operation.signature), regions=regions)

    def _region(self, region: Region) -> Region:
        old = region.values
        table = self._tables.get(old)
        if table is None:
            table = self._tables[old] = ValueTable(list(map(self.type, old.types)), old.names)
        return Region(tuple(map(self._block, region.blocks)), table)

    def _block(self, block: Block) -> Block:
        return Block(
            list(map(self._operation, block.operations)),
            block.arguments,
            block.label,
            block.starts,
            block.ends,
            block.argument_locations,
        )

    def _signature(self, signature: Signature) -> Signature:
        retyped = self._signatures.get(signature)
        if retyped is None:
            operands = tuple(map(self.type, signature.operand_types))
            results = tuple(map(self.type, signature.result_types))
            retyped = self._signatures[signature] = self._signature_of(signature, operands, results)
        return retyped
