"""Who defines a value and where it is used: the module knows by number, the text of a few operations says
where the names are.

What the regions of a broken operation use and nothing defines may be arguments that its own text names. The
regions of a broken function or module have a table of their own; so do others in it, whose names are looked
up around.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from shlo.ir.collector import collector_paused
from shlo.ir.op_path import OpPath, children_in
from shlo.ir.operations import BROKEN, Block, Operation, ValueTable
from shlo.ir.source import Span
from shlo.ir.types import Type
from shlo.language.index.op_names import Name, names_of


class Owner(NamedTuple):
    """What defines a value: an operation (its result), or a block of its region (an argument)."""

    place: OpPath
    region: int | None = None
    block: int | None = None


class Scope:
    """The values of one table: of the regions of `place`, and of all inside that share it."""

    def __init__(self, place: OpPath, table: ValueTable) -> None:
        self.place, self.table = place, table
        self.owners: dict[int, Owner] = {}
        self.operations: list[OpPath] = []
        with collector_paused():
            self._collect(place)
        self._by_name: dict[str, list[int]] | None = None

    def _collect(self, place: OpPath) -> None:
        owners, add = self.owners, self.operations.append
        for number, region in enumerate(place.operation.regions):
            if region.values is not self.table:
                continue
            for position, block in enumerate(region.blocks):
                for value in block.arguments:
                    owners[value] = Owner(place, number, position)
            for child in children_in(place, number, region):
                add(child)
                for value in child.operation.results:
                    owners[value] = Owner(child)
                if child.operation.regions:
                    self._collect(child)

    @property
    def by_name(self) -> dict[str, list[int]]:
        """The values by their names; all of a pack by the pack's."""
        if self._by_name is None:
            self._by_name = {}
            for value, name in enumerate(self.table.names):
                self._by_name.setdefault(name.partition("#")[0], []).append(value)
        return self._by_name


@dataclass(frozen=True, eq=False)
class Value:
    """What a value's name refers to: one value, all values of a pack, or the arguments of several regions
    that one name defines. `owner` and `definition` (the name's place) are None for what nothing defines."""

    name: str
    scope: Scope
    values: tuple[int, ...]
    owner: Owner | None = None
    definition: Span | None = None

    def type(self, number: str = "") -> Type:
        """Returns the type of the value, or of that number of a pack."""
        names, wanted = self.scope.table.names, f"{self.name}#{number}"
        value = next((value for value in self.values if names[value] == wanted), self.values[0])
        return self.scope.table.types[value]

    @property
    def types(self) -> tuple[Type, ...]:
        """The types of all values of a pack, or the one type."""
        many = len(self.values) if self.is_multi_result else 1
        return tuple(self.scope.table.types[value] for value in self.values[:many])

    @property
    def is_multi_result(self) -> bool:
        """Returns whether one name names several results (`%0:2`)."""
        return "#" in self.scope.table.names[self.values[0]]

    @property
    def is_argument(self) -> bool:
        """Returns whether the value is an argument of a block."""
        return self.owner is not None and self.owner.region is not None


class Values:
    """The values of a program. `scope_in` finds scopes, each of which is built once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._scopes: dict[int, Scope] = {}

    def scope_of(self, place: OpPath) -> Scope | None:
        """Returns the scope whose values an operation uses, None for the outermost operation."""
        holder = place.parent
        if holder is None:
            return None
        table = place.values
        while holder.parent is not None and holder.values is table:
            holder = holder.parent
        return self.scope_in(holder, table)

    def scope_in(self, place: OpPath, table: ValueTable) -> Scope:
        """Returns the scope of a table that belongs to regions of an operation."""
        scope = self._scopes.get(id(table))
        if scope is None:
            scope = self._scopes[id(table)] = Scope(place, table)
        return scope

    def named(self, place: OpPath, name: Name) -> Value | None:
        """Returns what a name in an operation's own text refers to."""
        if name.role == "result":
            return self._result(place, name)
        if name.role == "argument":
            return self._argument(place, name)
        scope = self.scope_of(place)
        operands = operands_of(place.operation)
        for value in operands:
            if scope is not None and scope.table.names[value].partition("#")[0] == name.name:
                found = self.value(scope, value)
                return found if found.owner else self._argument_around(place, name.name) or found
        return self.lookup(place, name.name)

    def lookup(self, place: OpPath, name: str) -> Value | None:
        """Returns what a name refers to that an operation uses, found by the name alone."""
        scope = self.scope_of(place)
        if scope is None:
            return None
        around = {(id(each.parent.operation), each.region) for each in place.around() if each.parent}
        for value in scope.by_name.get(name, ()):
            owner = scope.owners.get(value)
            if owner is not None and visible_in(owner, around):
                return self.value(scope, value)
        found = self._argument_around(place, name)
        return found or (self._outside(scope, name) if is_broken(scope.place) else None)

    def _argument_around(self, place: OpPath, name: str) -> Value | None:
        """What a name means that is in the text of a broken operation around as an argument's."""
        for each in place.around():
            if each is not place and is_broken(each) and each.operation.regions:
                for argument in names_of(self.text, each):
                    if argument.role == "argument" and argument.name == name:
                        return self._broken_argument(each, argument)
        return None

    def value(self, scope: Scope, value: int) -> Value:
        """Returns the value of that number in a scope, with all that share its name's definition."""
        name = scope.table.names[value].partition("#")[0]
        owner = scope.owners.get(value)
        if owner is None:
            found = self._outside(scope, name) if is_broken(scope.place) else None
            return found or Value(name, scope, (value,))
        role = "result" if owner.region is None else "argument"
        for each in names_of(self.text, owner.place):
            if each.role == role and each.name == name and each.block in (None, owner.block):
                found = self.named(owner.place, each)
                if found is not None and value in found.values:
                    return found
        return Value(name, scope, (value,), owner)

    def _result(self, place: OpPath, name: Name) -> Value | None:
        scope = self.scope_of(place)
        if scope is None:
            return None
        values = _named(scope.table, place.operation.results, name.name)
        return Value(name.name, scope, values, Owner(place), name.span) if values else None

    def _argument(self, place: OpPath, name: Name) -> Value | None:
        regions = place.operation.regions
        for table in {id(region.values): region.values for region in regions}.values():
            arguments = [
                value
                for number, region in enumerate(regions)
                for position, block in enumerate(region.blocks)
                if region.values is table and _defines(name, number, position, block)
                for value in block.arguments
            ]
            if values := _named(table, arguments, name.name):
                scope = self._scope_inside(place, table)
                return Value(name.name, scope, values, scope.owners[values[0]], name.span)
        return self._broken_argument(place, name) if is_broken(place) else None

    def _broken_argument(self, place: OpPath, name: Name) -> Value | None:
        """Returns an argument in the text of a broken operation: the parser knows its uses only."""
        for number, region in enumerate(place.operation.regions):
            scope = self._scope_inside(place, region.values)
            values = tuple(value for value in scope.by_name.get(name.name, ()) if value not in scope.owners)
            if values:
                return Value(name.name, scope, values, Owner(place, number, 0), name.span)
        return None

    def _scope_inside(self, place: OpPath, table: ValueTable) -> Scope:
        shared = self.scope_of(place)
        return shared if shared is not None and shared.table is table else self.scope_in(place, table)

    def _outside(self, scope: Scope, name: str) -> Value | None:
        """What a name means that a broken operation's regions use without defining it."""
        for each in names_of(self.text, scope.place):
            if each.role == "argument" and each.name == name:
                return self._broken_argument(scope.place, each)
        around = self.scope_of(scope.place)
        return None if around is None or around.table is scope.table else self.lookup(scope.place, name)

    def occurrences(self, value: Value) -> Iterator[tuple[Name, OpPath]]:
        """Yields every place of a value's name with the operation around it, the definition first."""
        if value.owner is not None:
            for name in names_of(self.text, value.owner.place):
                if name.span == value.definition:
                    yield name, value.owner.place
        yield from self._uses(value.scope, value)

    def _uses(self, scope: Scope, value: Value) -> Iterator[tuple[Name, OpPath]]:
        own = frozenset(value.values) if scope is value.scope else _unowned(scope, value.name)
        for place in scope.operations:
            operation = place.operation
            if operation.name == BROKEN:
                yield from self._broken_uses(place, value)
            elif not own.isdisjoint(operation.operands) or (
                operation.successors and not own.isdisjoint(operands_of(operation))
            ):
                for name in names_of(self.text, place):
                    if name.role == "use" and name.name == value.name:
                        yield name, place

    def _broken_uses(self, place: OpPath, value: Value) -> Iterator[tuple[Name, OpPath]]:
        for name in names_of(self.text, place):
            if name.name != value.name or name.role not in ("use", "argument"):
                continue
            if name.role == "argument":
                return
            found = self.lookup(place, name.name)
            if found is not None and same(found, value):
                yield name, place
        found = self.lookup(place, value.name)
        if found is None or not same(found, value):
            return
        tables = {id(region.values): region.values for region in place.operation.regions}
        for table in tables.values():
            if table is not value.scope.table and table is not place.values:
                yield from self._uses(self.scope_in(place, table), value)


def same(one: Value, other: Value) -> bool:
    """Returns whether two names refer to the same."""
    return one.scope.table is other.scope.table and one.values == other.values


def operands_of(operation: Operation) -> tuple[int, ...]:
    """Returns the values that an operation uses, with those that it passes to blocks."""
    passed = tuple(value for _, values in operation.successors for value in values)
    return operation.operands + passed


def is_broken(place: OpPath) -> bool:
    """Returns whether an operation could not be read."""
    return place.operation.name == BROKEN


def _named(table: ValueTable, values: Iterable[int], name: str) -> tuple[int, ...]:
    """Returns the values among these that the name, or a number of the name, refers to."""
    count, names = len(table.names), table.names
    return tuple(value for value in values if value < count and names[value].partition("#")[0] == name)


def _defines(name: Name, region: int, position: int, block: Block) -> bool:
    """Returns whether an argument's name in an operation's own text speaks of this block."""
    return not block.label if name.block is None else (name.region, name.block) == (region, position)


def _unowned(scope: Scope, name: str) -> frozenset[int]:
    return frozenset(value for value in scope.by_name.get(name, ()) if value not in scope.owners)


def visible_in(owner: Owner, regions: Container[tuple[int, int]]) -> bool:
    """Returns whether a value is visible in one of some regions: (operation's id, number)."""
    if owner.region is not None:
        return (id(owner.place.operation), owner.region) in regions
    parent = owner.place.parent
    return (id(parent.operation) if parent else 0, owner.place.region) in regions
