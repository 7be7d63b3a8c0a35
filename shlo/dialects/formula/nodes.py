"""The nodes of formulas that other languages of expressions do not have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Literal

from shlo.text.expressions import Node, nodes_in, rewritten

Logic = Literal["and", "or", "then"]
Comparison = Literal["=", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not"]


class Name(Node, frozen=True):
    """A member of the operation, a local definition, or a word of an enumeration."""

    name: str


class Each(Node, frozen=True):
    """`xs...`: every element of a list, one after the other."""

    list: Node


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
            yield from ((operator, number, number + 1) for number, operator in enumerate(self.operators))


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
        yield from nodes_in(self.condition)


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
