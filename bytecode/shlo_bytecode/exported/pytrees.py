"""Trees of Python containers as `jax.export` writes them: what a function takes and gives, leaf by leaf."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Final

from msgspec import Struct

from shlo_bytecode.container.errors import BytecodeError
from shlo_bytecode.exported.flatbuffers import Table

DEEPEST: Final = 200
"""How many containers are nested at most."""


class Kind(IntEnum):
    """What a node is, by the numbers of the schema."""

    LEAF = 0
    NONE = 1
    TUPLE = 2
    LIST = 3
    DICT = 4
    CUSTOM = 5


class PyTree(Struct, frozen=True):
    """A node: its kind, its children, the keys of a dict, the name of a registered type."""

    kind: Kind
    children: tuple[PyTree, ...] = ()
    keys: tuple[str, ...] = ()
    name: str = ""

    def paths(self, root: str = "") -> list[str]:
        """Returns the path of each leaf from a root, as JAX writes it: `args[0]['w'][1]`."""
        return list(self._paths(root))

    def _paths(self, path: str) -> Iterator[str]:
        if self.kind is Kind.LEAF:
            yield path
        for index, child in enumerate(self.children):
            step = repr(self.keys[index]) if self.kind is Kind.DICT else str(index)
            yield from child._paths(f"{path}[{step}]")

    def __str__(self) -> str:
        parts = [str(child) for child in self.children]
        match self.kind:
            case Kind.LEAF:
                return "*"
            case Kind.NONE:
                return "None"
            case Kind.TUPLE:
                return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
            case Kind.LIST:
                return f"[{', '.join(parts)}]"
            case Kind.DICT:
                return "{" + ", ".join(f"{key!r}: {part}" for key, part in zip(self.keys, parts)) + "}"
            case Kind.CUSTOM:
                return f"{self.name}({', '.join(parts)})"


def read_pytree(table: Table | None, depth: int = 0) -> PyTree:
    """Returns the tree in a table, None's tree where there is none; raises BytecodeError."""
    if table is None:
        return PyTree(Kind.NONE)
    if depth >= DEEPEST:
        raise BytecodeError(f"expected at most {DEEPEST} nested containers, got more", table.at)
    number = table.number(0, 1)
    if number not in set(Kind):
        raise BytecodeError(f"expected a kind of container from 0 to {max(Kind)}, got {number}", table.at)
    kind = Kind(number)
    children = tuple(read_pytree(child, depth + 1) for child in table.tables(1))
    keys = table.texts(2)
    if kind is Kind.DICT and len(keys) != len(children):
        raise BytecodeError(f"expected a key for each of {len(children)} values, got {len(keys)}", table.at)
    return PyTree(kind, children, keys, table.text(3) or "")
