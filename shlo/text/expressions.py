"""Languages of expressions: the nodes that all of them have, their tokens, and parsing by precedence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Final, NamedTuple, NoReturn, TypeVar, cast

from msgspec import Struct
from msgspec.structs import astuple

DEEPEST: Final = 40
"""How many expressions may lie inside each other."""

TIGHTEST: Final = 100
"""Binds more tightly than any operator between two operands."""

_WORDS: Final = ("operator", "name")
"""The kinds of tokens that operators are, and words such as `and`."""

Item = TypeVar("Item")


class Node(Struct, frozen=True):
    """Base class of the parts of an expression. Parts are equal if their classes and fields are."""

    def children(self) -> Iterator[Node]:
        """Yields the parts of this part, from left to right."""
        for value in astuple(self):
            yield from nodes_in(value)


class Constant(Node, frozen=True):
    """A number, a string, a truth value or `None`."""

    value: int | float | str | bool | None


class Call(Node, frozen=True):
    """A function on arguments: `dim(lhs, 0)`."""

    function: str
    arguments: tuple[Node, ...]


class Slice(Node, frozen=True):
    """`a:b` or `a:b:c` in brackets."""

    start: Node | None
    stop: Node | None
    step: Node | None = None


class Subscript(Node, frozen=True):
    """`x[i]`, `x[a:b]`, `x[:, 0]`."""

    value: Node
    index: tuple[Node, ...]


class Unary(Node, frozen=True):
    """`-x`, `not x`."""

    operator: str
    operand: Node


class Binary(Node, frozen=True):
    """Two operands and the operator between them."""

    operator: str
    left: Node
    right: Node


def nodes_in(value: object) -> Iterator[Node]:
    """Yields a node, or those of a tuple; nothing of anything else."""
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for item in cast("tuple[object, ...]", value):
            yield from nodes_in(item)


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


def _changed(value: Any, change: Callable[[Node], Node]) -> Any:
    if isinstance(value, Node):
        return change(value)
    if isinstance(value, tuple):
        return tuple(_changed(item, change) for item in cast("tuple[Any, ...]", value))
    return value


class ExpressionToken(NamedTuple):
    """A token: the group of the pattern that matches it, its text, the offsets where it begins and ends."""

    kind: str
    text: str
    start: int
    end: int


class ExpressionParser:
    """Parses one text by the precedence of its operators. A language states its tokens, how tightly its
    operators bind, its unary expressions and its comparisons."""

    pattern: ClassVar[re.Pattern[str]]
    """Matches blanks and a token, with a group for each kind. The group `end` matches the end of the text."""
    precedence: ClassVar[Mapping[str, int]]
    """How tightly the operators between two operands bind, from 1."""
    comparison: ClassVar[int]
    """How tightly comparisons bind. They are not operands of tighter operators or of each other."""
    mistakes: ClassVar[Mapping[str, str]] = {}
    """Operators of other languages, and what they are here."""
    error: ClassVar[type[Exception]]

    def __init__(self, text: str) -> None:
        self.text = text
        self._tokens = self._lexed()
        self._at = self._depth = 0
        self.token = self._tokens[0]

    # --- tokens ---

    def _lexed(self) -> list[ExpressionToken]:
        tokens: list[ExpressionToken] = []
        text, at, kind, mistakes = self.text, 0, "", self.mistakes
        while kind != "end":
            match = self.pattern.match(text, at)
            if match is None:
                self._refuse_character(at + len(text[at:]) - len(text[at:].lstrip()))
            kind = cast("str", match.lastgroup)
            start, at = match.start(kind), self.token_end(match)
            if mistakes and text[start : start + 2] in mistakes:
                self._refuse_character(start)
            tokens.append(ExpressionToken(kind, text[start:at], start, at))
        return tokens

    def token_end(self, match: re.Match[str]) -> int:
        """Returns the offset at which the token of a match ends."""
        return match.end()

    def _refuse_character(self, at: int) -> NoReturn:
        wrong = next((wrong for wrong in self.mistakes if self.text.startswith(wrong, at)), self.text[at])
        closest = self.mistakes.get(wrong)
        self.refuse(f"unexpected {wrong!r}" + (f"; did you mean {closest}?" if closest else ""), at)

    def refuse(self, message: str, offset: int | None = None) -> NoReturn:
        """Raises the language's error for a mistake at an offset, the current token's unless stated."""
        at = self.token.start if offset is None else offset
        raise self.error(f"{message}, at character {at + 1} of {self.text!r}")

    def refuse_token(self, expected: str) -> NoReturn:
        """Raises the language's error, with what was expected in place of the current token."""
        token = self.token
        got = "the end" if token.kind == "end" else repr(self.text[token.start : token.end])
        self.refuse(f"expected {expected}, got {got}")

    def peek(self) -> ExpressionToken:
        """Returns the token after the current one."""
        return self._tokens[min(self._at + 1, len(self._tokens) - 1)]

    def advance(self) -> str:
        """Goes to the next token; returns the text of the one before."""
        passed = self.token.text
        self._at += 1
        self.token = self._tokens[self._at]
        return passed

    def accept(self, *texts: str) -> str:
        """Goes past one of these operators or words; returns which one, empty for none."""
        return self.advance() if self.token.text in texts and self.token.kind in _WORDS else ""

    def expect(self, text: str) -> None:
        """Goes past an operator or word, or refuses what is in its place."""
        if not self.accept(text):
            self.refuse_token(f"'{text}'")

    def identifier(self, expected: str = "a name") -> str:
        """Goes past a name and returns it."""
        return self.advance() if self.token.kind == "name" else self.refuse_token(expected)

    def listed(self, close: str, item: Callable[[], Item]) -> Iterator[Item]:
        """Parses items between commas, up to and past what closes the list."""
        if not self.accept(close):
            yield item()
            yield from self.more(close, item)

    def more(self, close: str, item: Callable[[], Item]) -> Iterator[Item]:
        """Parses the items that follow the first one."""
        while not self.accept(close):
            if not self.accept(","):
                self.refuse_token(f"',' or '{close}'")
            yield item()

    # --- from loose to tight ---

    def whole(self, node: Node) -> Node:
        """Returns the node of the whole text, or refuses what is left of it."""
        return node if self.token.kind == "end" else self.refuse_token("an operator")

    def nested(self, loosest: int = 1) -> Node:
        """Parses an expression inside another one."""
        self._depth += 1
        if self._depth > DEEPEST:
            self.refuse(f"an expression is at most {DEEPEST} levels deep")
        node = self.operators(loosest)
        self._depth -= 1
        return node

    def argument(self) -> Node:
        """Parses an argument of a function or an index."""
        return self.nested()

    def operators(self, loosest: int) -> Node:
        """Parses an expression whose operators bind at least as tightly as `loosest`."""
        tightest = self.comparison - 1
        node = self.truth() if loosest <= self.comparison else None
        if node is None:
            node, tightest = self.unary(), TIGHTEST
        while loosest <= (binding := self._binding()) <= tightest:
            if binding == self.comparison:
                node, tightest = self.compared(node), binding - 1
            else:
                node, tightest = self.binary(self.advance(), node, self.operators(binding + 1)), binding
        return node

    def _binding(self) -> int:
        token = self.token
        return self.precedence.get(token.text, 0) if token.kind in _WORDS else 0

    def truth(self) -> Node | None:
        """Parses a prefix expression that binds as comparisons do, `not x`; None for any other."""
        return Unary("not", self.nested(self.comparison)) if self.accept("not") else None

    def binary(self, operator: str, left: Node, right: Node) -> Node:
        """Returns the node of an operator and its operands."""
        return Binary(operator, left, right)

    def compared(self, first: Node) -> Node:
        """Parses the operator and the second operand of a comparison."""
        return self.binary(self.advance(), first, self.operators(self.comparison + 1))

    def unary(self) -> Node:
        """Parses an operand with its unary operators."""
        raise NotImplementedError

    def subscripted(self, value: Node) -> Node:
        """Parses the indices of a value, behind `[`."""
        return Subscript(value, tuple(self.listed("]", self._index)))

    def _index(self) -> Node:
        start = self._bound()
        if not self.accept(":"):
            return start or self.argument()  # refuses what is there in place of an index
        stop = self._bound()
        return Slice(start, stop, self._bound() if self.accept(":") else None)

    def _bound(self) -> Node | None:
        return None if self.token.text in (":", ",", "]") else self.argument()
