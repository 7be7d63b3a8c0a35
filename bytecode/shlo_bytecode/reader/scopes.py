"""The values of a file: how it refers to them, and which values of the module they are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from shlo.ir.operations import Operation, Signature, ValueTable
from shlo.ir.types import UNKNOWN, Type
from shlo_bytecode.container.file import HAS_ATTRIBUTES, HAS_OPERANDS, HAS_PROPERTIES, HAS_RESULTS
from shlo_bytecode.container.output import varint
from shlo_bytecode.container.stream import Stream
from shlo_bytecode.reader.entries import EntryTable

UNTYPED = -1
"""Represents the type of a value that is used before it is defined."""


class ScopeKey(NamedTuple):
    """Numbers in the file that operations of one signature share; of results and operands, their types'."""

    name: int
    attributes: int
    properties: int
    in_function: bool
    results: tuple[int, ...]
    operands: tuple[int, ...]


class ValueScope:
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
        self.unfinished: list[tuple[Operation, ScopeKey]] = []

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


# --- operations that are like others before them, as nearly all are -----------------------------------------
#
# They are read without taking them apart: a regular expression splits one into its location, what it has in
# common with others, and the numbers of its operands. The bytes of the one say which signature it has, those
# of the others which values. `regions.py` reads everything else, and finds all that can be wrong.


PARTS = HAS_ATTRIBUTES | HAS_PROPERTIES | HAS_RESULTS | HAS_OPERANDS
"""What an operation may have here."""
LEARNT_FROM = 8
"""How many operations have the same shape before it is worth a regular expression. (Making one takes as long
as reading some hundred operations.)"""
MOST_SHAPES = 32
"""How many shapes are learnt from one file."""
MOST_NUMBERS = 16
"""How many operands or results an operation has at most here."""


def _bytes_ending_in(bits: int, width: int) -> bytes:
    return b"[" + re.escape(bytes(range(bits, 256, 1 << width))) + b"]"


NUMBER = b"(?:%b|%b.|%b..)" % (_bytes_ending_in(1, 1), _bytes_ending_in(2, 2), _bytes_ending_in(4, 3))
"""A number of up to three bytes."""


class Shape(NamedTuple):
    """How many numbers an operation has behind its location: of attributes and properties, of types of
    results, of operands. A negative count says that the part is not there.
    """

    before: int
    results: int
    operands: int


@lru_cache(256)
def _pattern(shape: Shape) -> re.Pattern[bytes]:
    """Splits an operation behind its mask: the location, what it has in common with others, the operands."""
    before, results, operands = shape
    types = re.escape(varint(results)) + NUMBER * results if results >= 0 else b""
    count = re.escape(varint(operands)) if operands >= 0 else b""
    pattern = b"(%b)(%b)%b" % (NUMBER, NUMBER * before + types, count + b"(%b)" % NUMBER * max(operands, 0))
    return re.compile(pattern, re.DOTALL)


class Repeated:
    """Reads operations like others in the same file.

    An operation starts with its name and a mask, nearly always two bytes; those that start alike are expected
    to have the parts that the latest one had which was read in full.
    """

    def __init__(self, entries: EntryTable) -> None:
        self._entries = entries
        self._shapes: Counter[Shape] = Counter()
        self._patterns: dict[bytes, re.Pattern[bytes]] = {}
        self._known: dict[tuple[object, ...], tuple[Signature, tuple[int, ...]]] = {}

    def read(
        self, stream: Stream, scope: ValueScope, in_function: bool, numbers: Iterator[bytes]
    ) -> Operation | None:
        """Returns the next operation, or None with the stream where it was.

        `numbers` are those of the values that the region defines next.
        """
        start = stream.pos
        two = stream.data[start : start + 2]
        pattern = self._patterns.get(two)
        match = pattern and pattern.match(stream.data, start + 2, stream.end)
        if not match:
            return None
        location, common, *used = match.groups()
        try:
            operands = tuple(map(scope.values.__getitem__, used))
        except KeyError:
            return None
        types = tuple(map(scope.types.__getitem__, operands))
        cached = self._known.get((two, common, in_function, types))
        if cached is None:
            return None
        signature, result_types = cached
        stream.pos = match.end(1)
        where = self._entries.location(int.from_bytes(location, "little") >> len(location), stream)
        stream.pos = match.end()
        reserved = scope.take(stream, numbers, len(result_types))
        results = scope.define(reserved, signature.result_types, result_types)
        return Operation(signature, operands, results, (), (), where)

    def learn(self, stream: Stream, start: int, mask: int, key: ScopeKey, signature: Signature) -> None:
        """Takes note of an operation that has been read from `start` on."""
        two = bytes(stream.data[start : start + 2])
        if not two[0] & 1 or mask & ~PARTS or max(len(key.results), len(key.operands)) > MOST_NUMBERS:
            return
        shape = Shape(
            (key.attributes >= 0) + (key.properties >= 0),
            len(key.results) if mask & HAS_RESULTS else -1,
            len(key.operands) if mask & HAS_OPERANDS else -1,
        )
        if shape not in self._shapes and len(self._shapes) == MOST_SHAPES:
            return
        self._shapes[shape] += 1
        if self._shapes[shape] < LEARNT_FROM:
            return
        pattern = _pattern(shape)
        match = pattern.match(stream.data, start + 2, stream.pos)
        if match:
            self._patterns[two] = pattern
            self._known[two, match[2], key.in_function, key.operands] = signature, key.results
