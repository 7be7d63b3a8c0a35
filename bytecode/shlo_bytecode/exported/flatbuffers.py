"""Tables of FlatBuffers, read with checks: every offset, length and string is looked at before it is used.

A buffer starts with the offset of its root table. A table starts with the distance back to its vtable, which
tells where each field is; strings, vectors and tables within are reached by offsets forwards. So there are no
cycles, but tables can be reached in many ways: what is read in all is bounded by the size of the buffer.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from enum import IntEnum
from typing import Final, NoReturn

from msgspec import Struct

from shlo.support.files import Data
from shlo_bytecode.container.errors import BytecodeError

READS_FOR_EACH_BYTE: Final = 8
"""How many values are read at most for each byte of a buffer; without sharing, it is less than one."""

_U8, _U16, _I32, _U32 = (struct.Struct(f"<{code}") for code in "BHiI")
_VECTORS: Final = {1: "B", 2: "H", 4: "I"}


class Buffer:
    """The bytes of one buffer, and how much of them may still be read. For one reader at a time."""

    def __init__(self, data: Data) -> None:
        self.data = data
        self._left = READS_FOR_EACH_BYTE * len(data)

    def root(self) -> Table:
        """Returns the root table; raises BytecodeError."""
        return Table(self, self.offset(0, "the root table"))

    def fail(self, message: str, offset: int) -> NoReturn:
        """Raises BytecodeError at a place, or at the end of the buffer that is nearest to it."""
        raise BytecodeError(message, min(max(offset, 0), len(self.data)))

    def spend(self, count: int, at: int) -> None:
        """Counts values that are read."""
        self._left -= count
        if self._left < 0:
            self.fail("expected tables that fit into the file, got the same ones over and over", at)

    def number(self, form: struct.Struct, at: int, what: str) -> int:
        """Returns the number at a place; raises BytecodeError where that is not within the buffer."""
        if not 0 <= at <= len(self.data) - form.size:
            self.fail(f"expected {what} within the {len(self.data)} bytes of the file, got byte {at}", at)
        self.spend(1, at)
        return form.unpack_from(self.data, at)[0]

    def offset(self, at: int, what: str) -> int:
        """Returns the place to which the offset at a place leads."""
        return at + self.number(_U32, at, f"the offset of {what}")

    def vector(self, at: int, size: int, what: str) -> tuple[int, int]:
        """Returns where the elements of a vector start, and how many there are, each of `size` bytes."""
        count = self.number(_U32, at, f"the length of {what}")
        start = at + 4
        if count * size > len(self.data) - start:
            left = len(self.data) - start
            self.fail(f"expected at most {left} bytes of {what}, got {count} elements of {size} bytes", at)
        return start, count

    def text(self, at: int, what: str) -> str:
        """Returns the string at a place."""
        start, count = self.vector(at, 1, what)
        self.spend(count, at)
        try:
            return bytes(self.data[start : start + count]).decode()
        except UnicodeDecodeError:
            self.fail(f"expected {what} in UTF-8, got other bytes", start)


class Table:
    """One table of a buffer. Fields are named by their number in the schema; one that is absent is empty."""

    __slots__ = ("_buffer", "_fields", "_vtable", "at")

    def __init__(self, buffer: Buffer, at: int) -> None:
        """Raises BytecodeError where the table or its vtable is not within the buffer."""
        self.at = at
        self._buffer = buffer
        self._vtable = at - buffer.number(_I32, at, "a table")
        size = buffer.number(_U16, self._vtable, "the size of a vtable")
        if size < 4 or size % 2:
            buffer.fail(f"expected a vtable of an even size from 4 on, got {size}", self._vtable)
        self._fields = (size - 4) // 2

    def number(self, field: int, size: int, default: int = 0) -> int:
        """Returns an unsigned number of 1, 2 or 4 bytes."""
        at = self.place(field)
        form = {1: _U8, 2: _U16, 4: _U32}[size]
        return default if at is None else self._buffer.number(form, at, f"field {field}")

    def text(self, field: int) -> str | None:
        """Returns a string, None where it is absent."""
        at = self._target(field)
        return None if at is None else self._buffer.text(at, f"the string in field {field}")

    def table(self, field: int) -> Table | None:
        """Returns a table, None where it is absent."""
        at = self._target(field)
        return None if at is None else Table(self._buffer, at)

    def numbers(self, field: int, size: int) -> tuple[int, ...]:
        """Returns a vector of unsigned numbers of 1, 2 or 4 bytes."""
        start, count = self.span(field, size) or (0, 0)
        self._buffer.spend(count, start)
        return struct.unpack_from(f"<{count}{_VECTORS[size]}", self._buffer.data, start)

    def span(self, field: int, size: int = 1) -> tuple[int, int] | None:
        """Returns where the elements of a vector start and how many there are, None where it is absent."""
        at = self._target(field)
        return None if at is None else self._buffer.vector(at, size, f"the vector in field {field}")

    def texts(self, field: int) -> tuple[str, ...]:
        """Returns a vector of strings."""
        return tuple(self._buffer.text(at, f"a string in field {field}") for at in self._targets(field))

    def tables(self, field: int) -> tuple[Table, ...]:
        """Returns a vector of tables."""
        return tuple(Table(self._buffer, at) for at in self._targets(field))

    def place(self, field: int) -> int | None:
        """Returns where a field is, None where it is absent."""
        if field >= self._fields:
            return None
        offset = self._buffer.number(_U16, self._vtable + 4 + 2 * field, "an entry of a vtable")
        return self.at + offset if offset else None

    def _target(self, field: int) -> int | None:
        """Returns where a field's offset leads, None where it is absent."""
        at = self.place(field)
        return None if at is None else self._buffer.offset(at, f"field {field}")

    def _targets(self, field: int) -> list[int]:
        """Returns where the offsets of a vector lead."""
        start, count = self.span(field, 4) or (0, 0)
        return [self._buffer.offset(start + 4 * index, f"field {field}") for index in range(count)]


# --- trees of Python containers as `jax.export` writes them: what a function takes and gives, leaf by leaf --


DEEPEST: Final = 200
"""How many containers are nested at most."""


class TreeKind(IntEnum):
    """What a node is, by the numbers of the schema."""

    LEAF = 0
    NONE = 1
    TUPLE = 2
    LIST = 3
    DICT = 4
    CUSTOM = 5


class PyTree(Struct, frozen=True):
    """A node: its kind, its children, the keys of a dict, the name of a registered type."""

    kind: TreeKind
    children: tuple[PyTree, ...] = ()
    keys: tuple[str, ...] = ()
    name: str = ""

    def paths(self, root: str = "") -> list[str]:
        """Returns the path of each leaf from a root, as JAX writes it: `args[0]['w'][1]`."""
        return list(self._paths(root))

    def _paths(self, path: str) -> Iterator[str]:
        if self.kind is TreeKind.LEAF:
            yield path
        for index, child in enumerate(self.children):
            step = repr(self.keys[index]) if self.kind is TreeKind.DICT else str(index)
            yield from child._paths(f"{path}[{step}]")

    def __str__(self) -> str:
        parts = [str(child) for child in self.children]
        match self.kind:
            case TreeKind.LEAF:
                return "*"
            case TreeKind.NONE:
                return "None"
            case TreeKind.TUPLE:
                return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
            case TreeKind.LIST:
                return f"[{', '.join(parts)}]"
            case TreeKind.DICT:
                return "{" + ", ".join(f"{key!r}: {part}" for key, part in zip(self.keys, parts)) + "}"
            case TreeKind.CUSTOM:
                return f"{self.name}({', '.join(parts)})"


def read_pytree(table: Table | None, depth: int = 0) -> PyTree:
    """Returns the tree in a table, None's tree where there is none; raises BytecodeError."""
    if table is None:
        return PyTree(TreeKind.NONE)
    if depth >= DEEPEST:
        raise BytecodeError(f"expected at most {DEEPEST} nested containers, got more", table.at)
    number = table.number(0, 1)
    if number not in set(TreeKind):
        raise BytecodeError(f"expected a kind of container from 0 to {max(TreeKind)}, got {number}", table.at)
    kind = TreeKind(number)
    children = tuple(read_pytree(child, depth + 1) for child in table.tables(1))
    keys = table.texts(2)
    if kind is TreeKind.DICT and len(keys) != len(children):
        raise BytecodeError(f"expected a key for each of {len(children)} values, got {len(keys)}", table.at)
    return PyTree(kind, children, keys, table.text(3) or "")
