"""Keys: numbers that are equal for what is alike in two programs.

The signature key of an operation is that of its name, attributes and types. Its cone key is that of all that
its results depend on, too: two operations with one cone key compute the same. Names of values and locations
are in neither; a symbol means what both programs call alike.
"""

from __future__ import annotations

from collections.abc import Mapping

from shlo.ir.attributes import ArrayAttr, Attribute, SymbolRefAttr
from shlo.ir.operations import SYMBOL_NAME, Block, Operation, Region, Signature, ValueTable


class Numbers:
    """Numbers for hashable keys; equal keys have one number."""

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}

    def __call__(self, key: object) -> int:
        """Returns the number of a key."""
        return self._numbers.setdefault(key, len(self._numbers))


class Keys:
    """The keys of one program's operations. `symbols` are what names of symbols mean."""

    def __init__(self, numbers: Numbers, symbols: Mapping[str, int]) -> None:
        self._number = numbers
        self._symbols = symbols
        self._signatures: dict[Signature, int] = {}
        self._values: dict[int, list[int]] = {}
        self._cones: dict[int, list[int]] = {}

    def signature(self, operation: Operation) -> int:
        """Returns the key of an operation's name, attributes and types."""
        signature = operation.signature
        key = self._signatures.get(signature)
        if key is None:
            key = self._signatures[signature] = self._number(self._parts(signature))
        return key

    def region(self, region: Region, level: int = 0) -> int:
        """Returns the key of a region that is `level` regions deep in one that uses nothing from outside."""
        return self._number(tuple([self._block(region, index, level) for index in range(len(region.blocks))]))

    def cones(self, block: Block) -> list[int]:
        """Returns the cone keys of a block's operations, once `region` was asked for the region around it."""
        return self._cones[id(block)]

    def meaning(self, attribute: Attribute) -> object:
        """Returns an attribute with the meaning of symbols in place of their names."""
        if isinstance(attribute, SymbolRefAttr):
            return "symbol", self._symbols.get(attribute.root, attribute.root), attribute.nested
        if isinstance(attribute, ArrayAttr) and any(isinstance(item, SymbolRefAttr) for item in attribute):
            return tuple(map(self.meaning, attribute))
        return attribute

    def _parts(self, signature: Signature) -> object:
        attributes = [
            tuple(
                (name, self.meaning(value))
                for name, value in sorted(attributes.items())
                if name != SYMBOL_NAME
            )
            for attributes in (signature.properties, signature.attributes)
        ]
        return signature.name, signature.operand_types, signature.result_types, *attributes

    def _block(self, region: Region, index: int, level: int) -> int:
        block, number = region.blocks[index], self._number
        values = self._table(region.values)
        for position, argument in enumerate(block.arguments):
            values[argument] = number(("argument", level, index, position, region.values.types[argument]))
        cones: list[int] = []
        for operation in block.operations:
            operands = tuple([values[operand] for operand in operation.operands])
            successors = tuple(
                [(to, *[values[operand] for operand in operands]) for to, operands in operation.successors]
            )
            regions = tuple(
                [
                    self.region(inner, level + 1 if inner.values is region.values else 0)
                    for inner in operation.regions
                ]
            )
            cone = number((self.signature(operation), operands, regions, successors))
            cones.append(cone)
            for position, result in enumerate(operation.results):
                values[result] = number((cone, position))
        self._cones[id(block)] = cones
        return number(tuple(cones))

    def _table(self, table: ValueTable) -> list[int]:
        values = self._values.get(id(table))
        if values is None:
            values = self._values[id(table)] = [-1] * len(table.types)
        return values
