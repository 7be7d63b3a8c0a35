"""What a formula consists of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Any, ClassVar, Literal, cast, dataclass_transform

Logic = Literal["and", "or", "then"]
Comparison = Literal["=", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not"]
Arithmetic = Literal["+", "-", "*", "/", "%", "++"]


@dataclass_transform(frozen_default=True)
class Node:
    """Base class of the parts of a formula, which nothing changes once they are made. Parts are equal if
    their classes and fields are.

    A class states its fields as annotations. Making twenty dataclasses would take a tenth of a start.
    """

    __match_args__: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls.__match_args__ = tuple(cls.__annotations__)

    def __init__(self, *values: Any) -> None:
        self.__dict__.update(zip(self.__match_args__, values, strict=True))

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self), *self.__dict__.values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self.__dict__.values()))})"

    def children(self) -> Iterator[Node]:
        """Yields the parts of this part, from left to right."""
        for value in self.__dict__.values():
            yield from _nodes(value)


class Literal_(Node):
    """A number, a string, `true`, `false` or `None`."""

    value: int | float | str | bool | None


class Name(Node):
    """A member of the operation, a local definition, or a word of an enumeration."""

    name: str


class Each(Node):
    """`xs...`: every element of a list, one after the other."""

    list: Node


class Call(Node):
    """`dim(lhs, 0)`; the function is one of FUNCTIONS or a local lambda."""

    function: str
    arguments: tuple[Node, ...]


class Slice(Node):
    """`a:b` in brackets."""

    start: Node | None
    stop: Node | None


class Subscript(Node):
    """`xs[i]`, `xs[a:b]`, `xs[:, 0]`."""

    value: Node
    index: tuple[Node, ...]


class List(Node):
    """`[a, b...]`."""

    items: tuple[Node, ...]


class Comprehension(Node):
    """`[item for name in values if condition]`."""

    item: Node
    name: str
    values: Node
    condition: Node | None


class Lambda(Node):
    """`lambda x, y: body`."""

    parameters: tuple[str, ...]
    body: Node


class Negation(Node):
    """`not x`."""

    value: Node


class Minus(Node):
    """`-x`."""

    value: Node


class Binary(Node):
    """An arithmetic operation; `++` puts two lists one behind the other (the specification writes `+`)."""

    operator: Arithmetic
    left: Node
    right: Node


class Compare(Node):
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


class Logical(Node):
    """`a and b`, `a or b`, `if a then b`."""

    operator: Logic
    left: Node
    right: Node


class Conditional(Node):
    """`condition ? yes : no`."""

    condition: Node
    yes: Node
    no: Node


class TypePattern(Node):
    """`tensor<E>`, `complex<E>`, `tuple<A, B>`: a word and what its brackets hold (an element type that is
    known, a name that is bound, patterns)."""

    word: str
    arguments: tuple[Node, ...]


class FunctionPattern(Node):
    """`(A, B...) -> (C)`."""

    inputs: tuple[Node, ...]
    results: tuple[Node, ...]


class HasType(Node):
    """`body has type (tensor<E>, tensor<E>) -> tensor<E>`; binds the names of the pattern."""

    value: Node
    pattern: Node


class Where(Node):
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
    old = tuple(vars(node).values())
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
