"""Who defines a value and where it is used: the module knows by number, the text of a few operations says
where the names are.

What the regions of a broken operation use and nothing defines may be arguments that its own text names. The
regions of a broken function or module have a table of their own; so do others in it, whose names are looked
up around.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from msgspec import Struct

from shlo.ir.op_path import OpPath
from shlo.ir.operations import BROKEN, Block, ValueTable
from shlo.ir.source import Span
from shlo.ir.types import UNKNOWN, Type
from shlo.language.index.op_names import NameInText, names_of
from shlo.language.index.scope import TableScope, ValueOwner, operands_of


class Value(Struct, frozen=True, eq=False):
    """What a value's name refers to: one value, all values of a pack, or the arguments of several regions
    that one name defines; none for an argument of a broken operation that nothing uses. `owner` and
    `definition` (the name's place) are None for what nothing defines."""

    name: str
    scope: TableScope
    values: tuple[int, ...]
    owner: ValueOwner | None = None
    definition: Span | None = None

    def type(self, number: str = "") -> Type:
        """Returns the type of the value, or of that number of a pack."""
        names, wanted = self.scope.table.names, f"{self.name}#{number}"
        if not self.values:
            return UNKNOWN
        value = next((value for value in self.values if names[value] == wanted), self.values[0])
        return self.scope.table.types[value]

    @property
    def first(self) -> int:
        """The first of the values, -1 if there is none."""
        return self.values[0] if self.values else -1

    @property
    def types(self) -> tuple[Type, ...]:
        """The types of all values of a pack, or the one type."""
        many = len(self.values) if self.is_multi_result else min(len(self.values), 1)
        return tuple(self.scope.table.types[value] for value in self.values[:many])

    @property
    def is_multi_result(self) -> bool:
        """Returns whether one name names several results (`%0:2`)."""
        return bool(self.values) and "#" in self.scope.table.names[self.values[0]]

    @property
    def is_argument(self) -> bool:
        """Returns whether the value is an argument of a block."""
        return self.owner is not None and self.owner.region is not None

    @property
    def position(self) -> tuple[Block, int] | None:
        """The block of an argument, and its number there; None for a result, and for an argument that only
        the text of a broken operation names, which may have no such region or block."""
        op_path, number, position = self.owner or (None, None, None)
        if op_path is None or number is None:
            return None
        for region in op_path.operation.regions[number : number + 1]:
            for block in region.blocks[position or 0 :][:1]:
                if self.first in block.arguments:
                    return block, block.arguments.index(self.first)
        return None


class Values:
    """The values of a program. `scope_in` finds scopes, each of which is built once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._scopes: dict[int, TableScope] = {}
        self._names: dict[tuple[int, int], list[NameInText]] = {}

    def names(self, op_path: OpPath) -> list[NameInText]:
        """Returns the names in an operation's own text; a function's, whose header may be long, are kept."""
        if op_path.operation.name not in ("func.func", BROKEN):
            return names_of(self.text, op_path)
        key = id(op_path.operation), op_path.start
        names = self._names.get(key)
        if names is None:
            names = self._names[key] = names_of(self.text, op_path)
        return names

    def scope_of(self, op_path: OpPath) -> TableScope | None:
        """Returns the scope whose values an operation uses, None for the outermost operation."""
        holder = holder_of(op_path)
        return None if holder is None else self.scope_in(holder, op_path.values)

    def scope_in(self, op_path: OpPath, table: ValueTable) -> TableScope:
        """Returns the scope of a table that belongs to regions of an operation."""
        scope = self._scopes.get(id(table))
        if scope is None:
            scope = self._scopes.setdefault(id(table), TableScope(op_path, table))
        return scope

    def named(self, op_path: OpPath, name: NameInText) -> Value | None:
        """Returns what a name in an operation's own text refers to."""
        if name.role == "result":
            return self._result(op_path, name)
        if name.role == "argument":
            return self._argument(op_path, name)
        scope = self.scope_of(op_path)
        operands = operands_of(op_path.operation)
        for value in operands:
            if scope is not None and scope.table.names[value].partition("#")[0] == name.name:
                used = self.value(scope, value, op_path)
                return used if used.owner else self._argument_around(op_path, name.name) or used
        return self.lookup(op_path, name.name)

    def lookup(self, op_path: OpPath, name: str) -> Value | None:
        """Returns what a name refers to that an operation uses, found by the name alone.

        The regions of a broken operation see what surrounds it. Each round of the loop is further outside.
        """
        inside: OpPath | None = op_path
        while inside is not None and (holder := holder_of(inside)) is not None:
            scope = self.scope_in(holder, inside.values)
            around = {(id(outer.parent.operation), outer.region) for outer in inside.around() if outer.parent}
            owners = [(value, scope.owners.get(value)) for value in scope.by_name.get(name, ())]
            visible = [(value, owner) for value, owner in owners if owner and visible_in(owner, around)]
            if visible:  # of several the first in the text: numbers depend on what was edited
                value, owner = min(
                    visible,
                    key=lambda candidate: (
                        candidate[1].place.start,
                        candidate[1][1:] != (None, None),
                        candidate[0],
                    ),
                )
                return self._owned(scope, value, owner)
            visible = self._argument_around(inside, name)
            if visible is not None:
                return visible
            inside = holder if is_broken(holder) else None
        return None

    def _argument_around(self, op_path: OpPath, name: str) -> Value | None:
        """What a name means that is in the text of a broken operation around as an argument's."""
        for outer in op_path.around():
            if outer is not op_path and is_broken(outer) and outer.operation.regions:
                for argument in self.names(outer):
                    if argument.role == "argument" and argument.name == name:
                        return self._broken_argument(outer, argument)
        return None

    def value(self, scope: TableScope, value: int, near: OpPath | None = None) -> Value:
        """Returns the value of that number in a scope, with all that share its name's definition; quick where
        that is not far before an operation that uses it."""
        owner = scope.owners.get(value) if near is None else scope.owner(value, near)
        if owner is not None:
            return self._owned(scope, value, owner)
        name = scope.table.names[value].partition("#")[0]
        outer = self._outside(scope, name) if is_broken(scope.place) else None
        return outer or Value(name, scope, (value,))

    def _owned(self, scope: TableScope, value: int, owner: ValueOwner) -> Value:
        name = scope.table.names[value].partition("#")[0]
        role = "result" if owner.region is None else "argument"
        for candidate in self.names(owner.place):
            if candidate.role == role and candidate.name == name and candidate.block in (None, owner.block):
                defined = self.named(owner.place, candidate)
                if defined is not None and value in defined.values:
                    return defined
        return Value(name, scope, (value,), owner)

    def _result(self, op_path: OpPath, name: NameInText) -> Value | None:
        scope = self.scope_of(op_path)
        if scope is None:
            return None
        values = _named(scope.table, op_path.operation.results, name.name)
        return Value(name.name, scope, values, ValueOwner(op_path), name.span) if values else None

    def _argument(self, op_path: OpPath, name: NameInText) -> Value | None:
        regions = op_path.operation.regions
        for table in {id(region.values): region.values for region in regions}.values():
            arguments = [
                value
                for number, region in enumerate(regions)
                for position, block in enumerate(region.blocks)
                if region.values is table and _defines(name, number, position, block)
                for value in block.arguments
            ]
            if values := _named(table, arguments, name.name):
                scope = self._scope_inside(op_path, table)
                owner = _argument_owner(op_path, values[0])
                return Value(name.name, scope, values, owner, name.span)
        return self._broken_argument(op_path, name) if is_broken(op_path) else None

    def _broken_argument(self, op_path: OpPath, name: NameInText) -> Value | None:
        """Returns an argument in the text of a broken operation: the parser knows its uses only."""
        for number, region in enumerate(op_path.operation.regions):
            scope = self._scope_inside(op_path, region.values)
            values = scope.unowned(name.name)
            if values or number + 1 == len(op_path.operation.regions):
                return Value(name.name, scope, values, ValueOwner(op_path, number, 0), name.span)
        return None

    def _scope_inside(self, op_path: OpPath, table: ValueTable) -> TableScope:
        shared = self.scope_of(op_path)
        return shared if shared is not None and shared.table is table else self.scope_in(op_path, table)

    def _outside(self, scope: TableScope, name: str) -> Value | None:
        """What a name means that a broken operation's regions use without defining it."""
        for candidate in self.names(scope.place):
            if candidate.role == "argument" and candidate.name == name:
                return self._broken_argument(scope.place, candidate)
        return self.lookup(scope.place, name)

    def occurrences(self, value: Value) -> Iterator[tuple[NameInText, OpPath]]:
        """Yields every place of a value's name with the operation around it, the definition first."""
        if value.owner is not None:
            for name in self.names(value.owner.place):
                if name.span == value.definition:
                    yield name, value.owner.place
        yield from self._uses(value.scope, value)

    def _uses(self, scope: TableScope, value: Value) -> Iterator[tuple[NameInText, OpPath]]:
        scopes, seen = [scope], {id(scope.table)}
        while scopes:
            scope = scopes.pop()
            numbers = (
                frozenset(value.values) if scope is value.scope else frozenset(scope.unowned(value.name))
            )
            for op_path in scope.users(numbers):
                if is_broken(op_path):
                    yield from self._broken_uses(op_path, value)
                    for table in self._tables_inside(op_path, value):
                        if id(table) not in seen:
                            seen.add(id(table))
                            scopes.append(self.scope_in(op_path, table))
                else:
                    for name in self.names(op_path):
                        if name.role == "use" and name.name == value.name:
                            yield name, op_path

    def _broken_uses(self, op_path: OpPath, value: Value) -> Iterator[tuple[NameInText, OpPath]]:
        for name in self.names(op_path):
            if name.name == value.name and name.role == "use":
                used = self.lookup(op_path, name.name)
                if used is not None and same(used, value):
                    yield name, op_path

    def _tables_inside(self, op_path: OpPath, value: Value) -> Iterator[ValueTable]:
        """Yields the tables of a broken operation's regions in which a name means a value from outside."""
        names = self.names(op_path)
        if any(other.name == value.name and other.role == "argument" for other in names):
            return
        tables = {id(region.values): region.values for region in op_path.operation.regions}
        inner_tables = [
            table for table in tables.values() if table not in (value.scope.table, op_path.values)
        ]
        used = self.lookup(op_path, value.name) if inner_tables else None
        if used is not None and same(used, value):
            yield from inner_tables


def _argument_owner(op_path: OpPath, value: int) -> ValueOwner | None:
    """Returns the block of an operation that has a value as its argument."""
    for number, region in enumerate(op_path.operation.regions):
        for position, block in enumerate(region.blocks):
            if value in block.arguments:
                return ValueOwner(op_path, number, position)
    return None


def same(one: Value, other: Value) -> bool:
    """Returns whether two names refer to the same."""
    return (
        one.scope.table is other.scope.table
        and (one.values, one.name) == (other.values, other.name)
        and (bool(one.values) or one.definition == other.definition)
    )


def holder_of(op_path: OpPath) -> OpPath | None:
    """Returns the operation to whose regions the table belongs that an operation uses; None for the outermost
    operation."""
    holder, table = op_path.parent, op_path.values
    while holder is not None and holder.parent is not None and holder.values is table:
        holder = holder.parent
    return holder


def is_broken(op_path: OpPath) -> bool:
    """Returns whether an operation could not be read."""
    return op_path.operation.name == BROKEN


def _named(table: ValueTable, values: Iterable[int], name: str) -> tuple[int, ...]:
    """Returns the values among these that the name, or a number of the name, refers to."""
    count, names = len(table.names), table.names
    return tuple(value for value in values if value < count and names[value].partition("#")[0] == name)


def _defines(name: NameInText, region: int, position: int, block: Block) -> bool:
    """Returns whether an argument's name in an operation's own text speaks of this block."""
    return not block.label if name.block is None else (name.region, name.block) == (region, position)


def visible_in(owner: ValueOwner, regions: Container[tuple[int, int]]) -> bool:
    """Returns whether a value is visible in one of some regions: (operation's id, number)."""
    if owner.region is not None:
        return (id(owner.place.operation), owner.region) in regions
    parent = owner.place.parent
    return (id(parent.operation) if parent else 0, owner.place.region) in regions
