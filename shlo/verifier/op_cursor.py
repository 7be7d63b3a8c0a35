"""An operation where it is: what is around it and which values it sees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from msgspec import Struct, field

from shlo.dialects import find_op_def, has_trait
from shlo.dialects.op_bindings import ValueOrigin
from shlo.ir.attributes import Attribute, SymbolRefAttr
from shlo.ir.operations import Module, Operation, Region, ValueTable
from shlo.ir.source import Span
from shlo.text.suggest import NameSuggester


class ValueIndex:
    """Where the values of one table come from and what uses them; each is a walk over its operations, once
    it is asked for. `owner` is the outermost operation whose regions define its values."""

    def __init__(self, table: ValueTable, owner: Operation) -> None:
        self._table, self._owner = table, owner

    def origin(self, value: int) -> ValueOrigin | None:
        """Returns where a value comes from, None where nothing defines it."""
        operation = self._defining.get(value)
        if operation is not None:
            return ValueOrigin(operation, operation.results.index(value))
        return self._arguments.get(value)

    @cached_property
    def users(self) -> dict[int, list[Operation]]:
        """The operations that use each value, once for each use."""
        users: dict[int, list[Operation]] = {}
        for operation in self._operations():
            for value in operation.operands:
                users.setdefault(value, []).append(operation)
        return users

    @cached_property
    def _defining(self) -> dict[int, Operation]:
        return {value: operation for operation in self._operations() for value in operation.results}

    @cached_property
    def _arguments(self) -> dict[int, ValueOrigin]:
        return {
            value: ValueOrigin(holder, position, number)
            for holder, number, region in self._regions()
            for block in region.blocks[:1]
            for position, value in enumerate(block.arguments)
        }

    def _operations(self) -> Iterator[Operation]:
        """Yields the operations whose operands and results are values of the table."""
        for _, _, region in self._regions():
            for block in region.blocks:
                yield from block.operations

    def _regions(self) -> Iterator[tuple[Operation, int, Region]]:
        """Yields the regions whose values are of the table, with the operation that has each, and its number
        there."""
        pending = [self._owner]
        while pending:
            holder = pending.pop()
            for number, region in enumerate(holder.regions):
                if region.values is self._table:
                    yield holder, number, region
                    for block in region.blocks:
                        pending += [operation for operation in block.operations if operation.regions]


class Symbols:
    """The operations that symbols name, module by module; each module is looked through once."""

    def __init__(self) -> None:
        self._tables: dict[int, dict[str, Operation]] = {}
        self.nearest = NameSuggester()

    def table(self, module: Operation) -> dict[str, Operation]:
        """What is directly in a module, by name; the first one of each name."""
        symbols = self._tables.get(id(module))
        if symbols is None:
            symbols = self._tables[id(module)] = {}
            for region in module.regions:
                for block in region.blocks:
                    for operation in block.operations:
                        name = operation.symbol
                        if name is not None:
                            symbols.setdefault(name, operation)
        return symbols

    def find(self, module: Operation, symbol: SymbolRefAttr) -> Operation | None:
        """Returns the operation that a symbol names from inside a module."""
        operation = self.table(module).get(symbol.root)
        for name in symbol.nested:
            operation = (
                self.table(operation).get(name) if operation and operation.name == "builtin.module" else None
            )
        return operation


def duplicates(module: Operation) -> Iterator[tuple[int, int, int, str]]:
    """Yields the region, block and index of each operation in a module whose name another one before it has,
    and the name."""
    visible: set[str] = set()
    for number, region in enumerate(module.regions):
        for position, block in enumerate(region.blocks):
            for index, operation in enumerate(block.operations):
                name = operation.symbol
                if name is not None and name in visible:
                    yield number, position, index, name
                elif name is not None:
                    visible.add(name)


class OpCursor(Struct, frozen=True):
    """An operation and its span, at `index` of block `block` of `region`, which `parent` contains; None
    around the module's own operation. It is what members see of their surroundings."""

    operation: Operation
    span: Span
    region: Region | None = None
    block: int = 0
    index: int = 0
    parent: OpCursor | None = None
    symbols: Symbols = field(default_factory=Symbols)
    values: dict[int, ValueIndex] = field(default_factory=dict[int, ValueIndex])

    @staticmethod
    def root(module: Module) -> OpCursor:
        """Returns the module's own operation."""
        return OpCursor(module.operation, Span(module.start, module.start))

    def inner(self, region: Region, block: int, index: int) -> OpCursor:
        """Returns an operation in one of the regions."""
        parent_block = region.blocks[block]
        span = parent_block.span(index, self.span.start)
        return OpCursor(
            parent_block.operations[index], span, region, block, index, self, self.symbols, self.values
        )

    @property
    def container(self) -> Operation | None:
        """The operation that contains this one."""
        return self.parent.operation if self.parent else None

    @property
    def is_last(self) -> bool:
        """Whether it ends its block."""
        return self.region is None or self.index == len(self.region.blocks[self.block].operations) - 1

    def around(self) -> Iterator[OpCursor]:
        """Yields the operations that contain this one, inner ones first."""
        cursor = self.parent
        while cursor is not None:
            yield cursor
            cursor = cursor.parent

    def ancestors(self) -> Iterator[Operation]:
        """Yields the operations that contain this one, inner ones first."""
        return (cursor.operation for cursor in self.around())

    def origin(self, value: int) -> ValueOrigin | None:
        """Returns where a value comes from, None where no operation around defines it."""
        index = self._index()
        return index.origin(value) if index else None

    def users(self, value: int) -> Sequence[Operation]:
        """Returns the operations that use a value, once for each use."""
        index = self._index()
        return index.users.get(value, ()) if index else ()

    def _index(self) -> ValueIndex | None:
        """Returns the index of the value table that the operation's operands are of."""
        if self.region is None:
            return None
        table, owner = self.region.values, self
        if id(table) in self.values:
            return self.values[id(table)]
        while owner.region is not None and owner.region.values is table and owner.parent is not None:
            owner = owner.parent
        self.values[id(table)] = ValueIndex(table, owner.operation)
        return self.values[id(table)]

    def find(self, symbol: SymbolRefAttr) -> Operation | None:
        """Returns the operation that a symbol names from here: one of the innermost module around."""
        for cursor in self.around():
            if cursor.operation.name == "builtin.module":
                return self.symbols.find(cursor.operation, symbol)
        return None

    def nearest_symbol(self, symbol: str) -> str | None:
        """Returns the symbol of the innermost module around that is most like one which it lacks."""
        modules = (cursor.operation for cursor in self.around() if cursor.operation.name == "builtin.module")
        module = next(modules, None)
        return self.symbols.nearest(symbol, self.symbols.table(module)) if module else None

    def constant(self, number: int) -> Attribute | None:
        """Returns what operand `number` is, where the operation that defines it is a constant."""
        origin = self.origin(self.operation.operands[number])
        return None if origin is None or origin.region is not None else constant_value(origin.operation)

    def definition(self, value: int) -> OpCursor | None:
        """Returns the operation that defines a value, None where it is an argument of a block."""
        cursor: OpCursor | None = self
        table = self.region.values if self.region else None
        while cursor is not None and cursor.region is not None and cursor.region.values is table:
            defining = cursor.before(value)
            if defining is not None:
                return defining
            cursor = cursor.parent
        return None

    def before(self, value: int) -> OpCursor | None:
        """Returns the operation that defines a value among those above in the block."""
        assert self.region is not None
        assert self.parent is not None
        operations = self.region.blocks[self.block].operations
        for index in range(self.index - 1, -1, -1):
            if value in operations[index].results:
                return self.parent.inner(self.region, self.block, index)
        return None


def constant_value(operation: Operation) -> Attribute | None:
    """Returns the value that an operation defines where it is a constant."""
    return operation.attribute("value") if has_trait(operation.name, "constant") else None


def is_terminator(operation: Operation) -> bool | None:
    """Returns whether an operation ends blocks; None where that is not known."""
    op_def = find_op_def(operation.name)
    return None if op_def is None else op_def.has("terminator")
