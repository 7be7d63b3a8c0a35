"""Syntax tree of expressions. `str` of a node is an expression that parses to an equal one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

ORDER: Final = {
    name: level
    for level, names in enumerate(
        (
            ("or",),
            ("and",),
            ("not",),
            ("<", "<=", ">", ">=", "==", "!="),
            ("|",),
            ("&",),
            ("+", "-"),
            ("*", "/", "//"),
            ("negate", "~"),
            ("**",),
        )
    )
    for name in names
}
"""How tightly operators bind: from loosely to tightly, as in Python."""

ATOM: Final = len(ORDER)

SHORT_MEASURES: Final = ("min", "max", "mean")
"""Measures that short forms (`%x max > 10`) have of finite elements only."""


class Literal(Struct, frozen=True):
    """A number or truth value as it is written."""

    value: int | float

    def __str__(self) -> str:
        return str(self.value)


class ValueRef(Struct, frozen=True):
    """A value of the program: `outer` calls outward, of a `process`, as it was `back` bindings before."""

    name: str
    outer: int = 0
    process: int | None = None
    back: int = 0

    def __str__(self) -> str:
        text = f"{'outer.' * self.outer}%{self.name}"
        if self.process is not None:
            text = f"process({self.process}).{text}"
        return "prev(" * self.back + text + ")" * self.back


class Round(Struct, frozen=True):
    """The round of the `level`-th open loop, 0 is the innermost."""

    level: int

    def __str__(self) -> str:
        return f"iter({self.level})" if self.level else "iter"


class SliceItem(Struct, frozen=True):
    """A slice in an index."""

    start: Node | None
    stop: Node | None
    step: Node | None

    def __str__(self) -> str:
        step = "" if self.step is None else f":{self.step}"
        return f"{_part(self.start)}:{_part(self.stop)}{step}"


class Index(Struct, frozen=True):
    """A part of a tensor: `base[items]`."""

    base: Node
    items: tuple[Node | SliceItem, ...]

    def __str__(self) -> str:
        return f"{_within(self.base, ATOM)}[{', '.join(map(str, self.items))}]"


class Call(Struct, frozen=True):
    """A function of the fixed list on arguments."""

    function: str
    arguments: tuple[Node, ...]

    def __str__(self) -> str:
        if (inner := finite_argument(self)) and isinstance(inner, ValueRef):
            return f"{inner} {self.function}"
        return f"{self.function}({', '.join(map(str, self.arguments))})"


class Unary(Struct, frozen=True):
    """`negate`, `~` or `not` of something."""

    operator: str
    operand: Node

    def __str__(self) -> str:
        sign = {"negate": "-", "not": "not "}.get(self.operator, self.operator)
        return f"{sign}{_within(self.operand, ORDER[self.operator])}"


class Binary(Struct, frozen=True):
    """Arithmetic, a comparison, or `and` and `or`."""

    operator: str
    left: Node
    right: Node

    def __str__(self) -> str:
        level = ORDER[self.operator]
        loose = int(self.operator == "**" or self.operator in RELATIONS)
        right = level if self.operator == "**" else level + 1
        return f"{_within(self.left, level + loose)} {self.operator} {_within(self.right, right)}"


RELATIONS: Final = ("<", "<=", ">", ">=", "==", "!=")

Node = Literal | ValueRef | Round | Index | Call | Unary | Binary


def finite_argument(node: Call) -> Node | None:
    """Returns x of `max(finite(x))` and the like, which short forms mean; None for another call."""
    match node:
        case Call(name, (Call("finite", (inner,)),)) if name in SHORT_MEASURES:
            return inner
        case _:
            return None


def parts_of(node: Node | SliceItem) -> Iterator[Node | SliceItem]:
    """Yields a node and all inside it."""
    yield node
    for inner in children(node):
        yield from parts_of(inner)


def children(node: Node | SliceItem) -> tuple[Node | SliceItem, ...]:
    """Returns the nodes directly inside a node."""
    match node:
        case Index(base, items):
            return (base, *items)
        case Call(_, arguments):
            return arguments
        case Unary(_, operand):
            return (operand,)
        case Binary(_, left, right):
            return (left, right)
        case SliceItem(start, stop, step):
            return tuple(part for part in (start, stop, step) if part is not None)
        case _:
            return ()


def _part(node: Node | None) -> str:
    return "" if node is None else str(node)


def _level(node: Node) -> int:
    if isinstance(node, Binary):
        return ORDER[node.operator]
    if isinstance(node, Unary):
        return ORDER[node.operator]
    if isinstance(node, Call) and isinstance(finite_argument(node), ValueRef):
        return ORDER["negate"]
    return ORDER["negate"] if isinstance(node, Literal) and str(node).startswith("-") else ATOM


def _within(node: Node, level: int) -> str:
    return str(node) if _level(node) >= level else f"({node})"
