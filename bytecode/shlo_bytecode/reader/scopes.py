"""The values of a file: how it refers to them, and which values of the module they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from shlo.ir.operations import Operation, ValueTable
from shlo.ir.types import UNKNOWN, Type
from shlo_bytecode.container.output import varint
from shlo_bytecode.container.stream import Stream

UNTYPED = -1
"""Represents the type of a value that is used before it is defined."""


class Key(NamedTuple):
    """Numbers in the file that operations of one signature share; of results and operands, their types'."""

    name: int
    attributes: int
    properties: int
    in_function: bool
    results: tuple[int, ...]
    operands: tuple[int, ...]


class Scope:
    """The values that are visible, by their numbers as the file writes them: so an operation's operands are
    found without decoding them. `table` holds the values in the module, `types` the numbers of their types.

    Entering a region reserves the numbers of its values; those below `first_number` are of an operation
    around this one that is isolated from what surrounds it. `forward` are values that were used before they
    were defined, `unfinished` the operations that did so.
    """

    __slots__ = ("first_number", "forward", "size", "table", "types", "unfinished", "values")

    def __init__(self, table: ValueTable, types: list[int], first_number: int = 0) -> None:
        self.table = table
        self.types = types
        self.first_number = first_number
        self.size = first_number
        self.values: dict[bytes, int] = {}
        self.forward: dict[bytes, int] = {}
        self.unfinished: list[tuple[Operation, Key]] = []

    @staticmethod
    def take(stream: Stream, numbers: Iterator[bytes], count: int) -> list[bytes]:
        """Returns the next numbers of a region."""
        reserved = list(islice(numbers, count))
        if len(reserved) < count:
            stream.fail("a region defines more values than it states")
        return reserved

    def define(
        self, numbers: Sequence[bytes], types: Sequence[Type], type_numbers: Sequence[int]
    ) -> tuple[int, ...]:
        """New values with these numbers."""
        if self.forward:
            return tuple(map(self._define_used, numbers, types, type_numbers))
        first = len(self.types)
        self.types += type_numbers
        self.table.types += types
        names = self.table.names
        for value, number in enumerate(numbers, first):
            self.values[number] = value
            names.append("")
        return tuple(range(first, len(names)))

    def _define_used(self, number: bytes, type_: Type, type_number: int) -> int:
        """Returns a new value that may have been used before."""
        if number in self.forward:
            value = self.forward.pop(number)
            self.table.types[value], self.types[value] = type_, type_number
        else:
            value = self.table.define(type_)
            self.types.append(type_number)
        self.values[number] = value
        return value

    def use(self, stream: Stream, number: int) -> int:
        """Returns the value with a number, which may be defined later."""
        written = varint(number)
        value = self.values.get(written, self.forward.get(written))
        if value is None:
            if not self.first_number <= number < self.size:
                stream.fail(f"value number {number} is not visible here")
            value = self.forward[written] = self.table.define(UNKNOWN)
            self.types.append(UNTYPED)
        return value

    def leave(self, count: int, undefined: int = 0) -> None:
        """Forgets a region's `count` values, the latest, of which `undefined` were never defined."""
        self.size -= count
        for _ in range(count - undefined):
            self.values.popitem()
