"""An operation where it is: what is around it and which values it sees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from shlo.dialects import find_op_def
from shlo.dialects.op_bindings import ValueOrigin
from shlo.ir.attributes import Attribute, SymbolRefAttr
from shlo.ir.operations import Module, Operation, Region
from shlo.ir.source import Span
from shlo.verifier.symbols import Symbols
from shlo.verifier.value_index import ValueIndex


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
        each = region.blocks[block]
        span = each.span(index, self.span.start)
        return OpCursor(each.operations[index], span, region, block, index, self, self.symbols, self.values)

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
        return index.origins.get(value) if index else None

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
        self.values[id(table)] = ValueIndex.of(table, owner.operation)
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
        found = next(modules, None)
        return self.symbols.nearest(symbol, self.symbols.table(found)) if found else None

    def constant(self, number: int) -> Attribute | None:
        """Returns what operand `number` is, where the operation that defines it is a constant."""
        origin = self.origin(self.operation.operands[number])
        return None if origin is None or origin.region is not None else constant_value(origin.operation)

    def definition(self, value: int) -> OpCursor | None:
        """Returns the operation that defines a value, None where it is an argument of a block."""
        cursor: OpCursor | None = self
        table = self.region.values if self.region else None
        while cursor is not None and cursor.region is not None and cursor.region.values is table:
            found = cursor.before(value)
            if found is not None:
                return found
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
    op_def = find_op_def(operation.name)
    return operation.attribute("value") if op_def and op_def.has("constant") else None


def is_terminator(operation: Operation) -> bool | None:
    """Returns whether an operation ends blocks; None where that is not known."""
    op_def = find_op_def(operation.name)
    return None if op_def is None else op_def.has("terminator")
