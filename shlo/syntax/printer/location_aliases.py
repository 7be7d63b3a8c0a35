"""The aliases `#loc`, `#loc1`, ... that MLIR gives to the locations of a text, in its order.

Every location gets one. They are numbered by depth (a location that holds others is deeper than they), and
among those of one depth in the order in which the printer first meets them. Those that arguments of blocks
use are defined before the module, the others behind it.
"""

from __future__ import annotations

import re

from msgspec import Struct

from shlo.ir.locations import (
    CallSiteLocation,
    FileLocation,
    FusedLocation,
    Location,
    NameLocation,
    UnknownLocation,
    resolve,
)
from shlo.ir.operations import Block, Module, Region
from shlo.ir.source import Source
from shlo.syntax.attributes.print_locations import location_body
from shlo.syntax.lexer.tokens import COMMENT, STRING

UNKNOWN_LOCATION = UnknownLocation()
UNKNOWN_ENTRY = 0


class _Entry(Struct):
    """A location: its children's entries, its depth, whether it can be defined behind the module."""

    location: Location
    children: tuple[int, ...]
    depth: int
    met: bool = False
    deferred: bool = True
    alias: str = ""


class LocationAliases:
    """Collects locations with `meet`; after `number` it knows their aliases. Equal locations are one."""

    def __init__(self) -> None:
        self._entries: list[_Entry] = []
        self._by_key: dict[object, int] = {}
        self._by_identity: dict[int, int] = {}
        self._kept: list[Location | None] = []
        self._order: list[int] = []
        self._enter(UNKNOWN_LOCATION)

    def meet(self, location: Location | None, deferred: bool = True) -> None:
        """Takes note of a location where the printer meets it; an argument's is not `deferred`."""
        self._meet(self._number(location), deferred)

    def _meet(self, start: int, deferred: bool) -> None:
        pending = [start]
        while pending:
            number = pending.pop()
            entry = self._entries[number]
            if not entry.met:
                entry.met, entry.deferred = True, deferred
                self._order.append(number)
                pending += reversed(entry.children)
            elif entry.deferred and not deferred:
                entry.deferred = False
                pending += reversed(entry.children)

    def number(self) -> None:
        """Gives every location its alias."""
        self._order.sort(key=lambda number: self._entries[number].depth)
        for position, number in enumerate(self._order):
            self._entries[number].alias = f"#loc{position}" if position else "#loc"

    def alias(self, location: Location | None) -> str:
        """`#loc3`."""
        return self._entries[self._number(location)].alias

    def inline(self, location: Location | None) -> str:
        """Returns the location with its own text in place and aliases for those inside it."""
        return self._body(self._entries[self._number(location)])

    def _body(self, entry: _Entry) -> str:
        children = iter(entry.children)
        return location_body(entry.location, lambda _: self._entries[next(children)].alias)

    def deferred_definitions(self) -> list[str]:
        """Returns the lines that define aliases behind the module."""
        return [self._definition(entry) for entry in self._ordered() if entry.deferred]

    def leading_definitions(self) -> tuple[list[str], list[str]]:
        """Returns the lines that define aliases before the module: of locations that hold no others, and of
        those that do. MLIR orders all aliases by depth, then by name: the aliases of attributes, which hold
        none, come between the two."""
        leading = [entry for entry in self._ordered() if not entry.deferred]
        return (
            [self._definition(entry) for entry in leading if not entry.children],
            [self._definition(entry) for entry in leading if entry.children],
        )

    def _ordered(self) -> list[_Entry]:
        return [self._entries[number] for number in self._order]

    def _definition(self, entry: _Entry) -> str:
        return f"{entry.alias} = loc({self._body(entry)})\n"

    def _number(self, location: Location | None) -> int:
        """Returns the number of a location's entry. A location inside itself counts as unknown there."""
        number = self._by_identity.get(id(location))
        if number is not None:
            return number
        pending = [location]
        while pending:
            current = pending[-1]
            target = resolve(current) or UNKNOWN_LOCATION
            self._by_identity.setdefault(id(current), UNKNOWN_ENTRY)
            missing = [child for child in children_of(target) if id(child) not in self._by_identity]
            if missing:
                pending += missing
                continue
            self._by_identity[id(current)] = self._enter(target)
            self._kept.append(pending.pop())
        return self._by_identity[id(location)]

    def _enter(self, location: Location) -> int:
        children = tuple(self._by_identity[id(child)] for child in children_of(location))
        key = _key(location, children)
        number = self._by_key.get(key)
        if number is None:
            number = self._by_key[key] = len(self._entries)
            depth = 1 + max((self._entries[child].depth for child in children), default=0)
            plain = (
                NameLocation(location.name)
                if isinstance(location, NameLocation) and not children
                else location
            )
            self._entries.append(_Entry(plain, children, depth))
        return number


def children_of(location: Location) -> tuple[Location, ...]:
    """Returns the locations inside a location; an unknown one behind a name is left out."""
    if isinstance(location, NameLocation):
        child = resolve(location.child)
        return () if child is None or isinstance(child, UnknownLocation) else (child,)
    if isinstance(location, CallSiteLocation):
        return (location.callee, location.caller)
    return location.locations if isinstance(location, FusedLocation) else ()


def _key(location: Location, children: tuple[int, ...]) -> object:
    """What makes two locations equal, given the entries of those inside them."""
    if isinstance(location, FileLocation):
        return location
    if isinstance(location, NameLocation):
        return ("name", location.name, children)
    if isinstance(location, FusedLocation):
        return ("fused", location.metadata, children)
    return (type(location), children)


# -- Places of operations and arguments in the text, which are their locations where it names n --------------


RESULTS = re.compile(r"(?:%[\w$.\-]+(?::\s*\d+)?\s*+,?\s*+)+=\s*", re.ASCII)
"""The names of an operation's results with their `=`."""

OPERATION = re.compile(rf"(?:{RESULTS.pattern})?(?:stablehlo\.reduce\b)?", re.ASCII)
"""The names of results, which MLIR's location of an operation leaves out (reduce's: its name, too)."""


WRITTEN_MODULE = re.compile(r'module\b|builtin\.module\b|"builtin\.module"')


def is_written(module: Module) -> bool:
    """Returns whether a module's operation is in its source; a text may leave it out.

    One left out seems to start where the text does, as an operation in it may.
    """
    if module.source is None or not WRITTEN_MODULE.match(module.source.text, module.start):
        return False
    return not any(block.starts[0] == 0 for block in module.body.blocks if block.starts)


class ImplicitLocations:
    """Finds locations in a source; without one, they are those of the operations around."""

    def __init__(self, source: Source | None) -> None:
        self.source = source

    def module(self, module: Module) -> Location | None:
        """Returns the location of a module's operation; one that the text leaves out is before the text."""
        if module.operation.location is not None or self.source is None:
            return module.operation.location
        return self.at(module.start) if is_written(module) else FileLocation(self.source.name, 0, 0)

    def operation(self, block: Block, index: int, base: int, parent: Location | None) -> Location | None:
        """Returns the location of a block's operation: its own, or the place of its name, or that of the
        operation around it, whose text starts at `base`."""
        location = block.operations[index].location
        if location is not None:
            return location
        if index < len(block.starts):
            return self.at(block.span(index, base).start)
        return parent

    def at(self, offset: int) -> Location | None:
        """Returns the location of an operation whose text starts at an offset: that of its name."""
        if self.source is None:
            return None
        match = OPERATION.match(self.source.text, offset)
        return self._place(match.end() if match else offset)

    def argument(
        self, region: Region, block: Block, index: int, base: int, parent: Location | None
    ) -> Location | None:
        """Returns the location of a block's argument: its own, or the place of its name between `base`, where
        the operation around it starts, and the block's first operation: in the block's label, or else the
        first."""
        location = block.argument_locations[index] if index < len(block.argument_locations) else None
        name = region.values.names[block.arguments[index]]
        if location is not None or self.source is None or not name:
            return location or parent
        end = block.span(0, base).start if block.starts else len(self.source.text)
        pattern = re.compile(rf"{COMMENT}|{STRING}|(%{re.escape(name)}(?![\w$.\-]))", re.ASCII)
        matches = pattern.finditer(self.source.text, base, end)
        places = [match.start() for match in matches if match[1]]
        return self._place(places[-1 if block.label else 0]) if places else parent

    def _place(self, offset: int) -> Location:
        assert self.source is not None
        return FileLocation(self.source.name, *self.source.byte_position(offset))
