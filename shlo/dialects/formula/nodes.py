"""What a formula consists of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Any, Literal, cast

from msgspec import Struct
from msgspec.structs import astuple

Logic = Literal["and", "or", "then"]
Comparison = Literal["=", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not"]
Arithmetic = Literal["+", "-", "*", "/", "%", "++"]


class Node(Struct, frozen=True):
    """Base class of the parts of a formula, which nothing changes once they are made. Parts are equal if
    their classes and fields are."""

    def children(self) -> Iterator[Node]:
        """Yields the parts of this part, from left to right."""
        for value in astuple(self):
            yield from _nodes(value)


class Literal_(Node, frozen=True):
    """A number, a string, `true`, `false` or `None`."""

    value: int | float | str | bool | None


class Name(Node, frozen=True):
    """A member of the operation, a local definition, or a word of an enumeration."""

    name: str


class Each(Node, frozen=True):
    """`xs...`: every element of a list, one after the other."""

    list: Node


class Call(Node, frozen=True):
    """`dim(lhs, 0)`; the function is one of FUNCTIONS or a local lambda."""

    function: str
    arguments: tuple[Node, ...]


class Slice(Node, frozen=True):
    """`a:b` in brackets."""

    start: Node | None
    stop: Node | None


class Subscript(Node, frozen=True):
    """`xs[i]`, `xs[a:b]`, `xs[:, 0]`."""

    value: Node
    index: tuple[Node, ...]


class List(Node, frozen=True):
    """`[a, b...]`."""

    items: tuple[Node, ...]


class Comprehension(Node, frozen=True):
    """`[item for name in values if condition]`."""

    item: Node
    name: str
    values: Node
    condition: Node | None


class Lambda(Node, frozen=True):
    """`lambda x, y: body`."""

    parameters: tuple[str, ...]
    body: Node


class Negation(Node, frozen=True):
    """`not x`."""

    value: Node


class Minus(Node, frozen=True):
    """`-x`."""

    value: Node


class Binary(Node, frozen=True):
    """An arithmetic operation; `++` puts two lists one behind the other (the specification writes `+`)."""

    operator: Arithmetic
    left: Node
    right: Node


class Compare(Node, frozen=True):
    """`a = b = c`, `0 <= x < n`: operands and what is between them."""

    operands: tuple[Node, ...]
    operators: tuple[Comparison, ...]

    def pairs(self) -> Iterator[tuple[str, int, int]]:
        """What is compared with what, by number: neighbours, and in a chain of `=` all with each other (of
        three types, each two may be compatible and a third one not)."""
        if set(self.operators) == {"="}:
            yield from (("=", one, other) for one, other in combinations(range(len(self.operands)), 2))
        else:
            yield from ((operator, place, place + 1) for place, operator in enumerate(self.operators))


class Logical(Node, frozen=True):
    """`a and b`, `a or b`, `if a then b`."""

    operator: Logic
    left: Node
    right: Node


class Conditional(Node, frozen=True):
    """`condition ? yes : no`."""

    condition: Node
    yes: Node
    no: Node


class TypePattern(Node, frozen=True):
    """`tensor<E>`, `complex<E>`, `tuple<A, B>`: a word and what its brackets hold (an element type that is
    known, a name that is bound, patterns)."""

    word: str
    arguments: tuple[Node, ...]


class FunctionPattern(Node, frozen=True):
    """`(A, B...) -> (C)`."""

    inputs: tuple[Node, ...]
    results: tuple[Node, ...]


class HasType(Node, frozen=True):
    """`body has type (tensor<E>, tensor<E>) -> tensor<E>`; binds the names of the pattern."""

    value: Node
    pattern: Node


class Where(Node, frozen=True):
    """`body where name = value; name = value`. A definition may use those that follow it and the names that
    a pattern of the body binds; a last one without a name is a condition on what the body binds."""

    body: Node
    definitions: tuple[tuple[str, Node], ...]
    condition: Node | None

    def children(self) -> Iterator[Node]:
        """Yields the body, the values of the definitions, and the condition."""
        yield self.body
        yield from (value for _, value in self.definitions)
        yield from _nodes(self.condition)


def walk(node: Node) -> Iterator[Node]:
    """Yields a part and all parts in it."""
    yield node
    for child in node.children():
        yield from walk(child)


def rewritten(node: Node, change: Callable[[Node], Node]) -> Node:
    """Returns a part whose own parts are what `change` makes of them; itself where it makes nothing else
    of any."""
    old = astuple(node)
    new = tuple(_changed(value, change) for value in old)
    return node if new == old else type(node)(*new)


def substituted(node: Node, meanings: Mapping[str, Node]) -> Node:
    """Returns a part with other parts in place of names, but for those that are bound in it again."""
    match node:
        case Name(name):
            return meanings.get(name, node)
        case Comprehension(_, bound, _, _):
            hidden = {bound}
        case Lambda(bound, _):
            hidden = {*bound}
        case _:
            hidden = set[str]()
    left = {name: meaning for name, meaning in meanings.items() if name not in hidden}
    return rewritten(node, lambda part: substituted(part, left)) if left else node


def _changed(value: Any, change: Callable[[Node], Node]) -> Any:
    if isinstance(value, Node):
        return change(value)
    if isinstance(value, tuple):
        return tuple(_changed(item, change) for item in cast("tuple[Any, ...]", value))
    return value


def _nodes(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for item in cast("tuple[object, ...]", value):
            yield from _nodes(item)
