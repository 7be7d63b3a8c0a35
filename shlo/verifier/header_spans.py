"""Spans of the parts of one operation in its own text, which leaves out the operations in its regions.

%0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = ...}> : (T, U) -> V
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from shlo.ir.op_path import OpPath, header_spans
from shlo.ir.operations import Operation
from shlo.ir.source import Span
from shlo.syntax.lexer.tokens import CLOSING, tokens

_OPENING: Final = frozenset(CLOSING.values())


class Token(NamedTuple):
    """A word or sign, where it is, and in how many brackets."""

    text: str
    span: Span
    depth: int


class HeaderText:
    """The tokens of an operation's own text, and where its parts are in them."""

    def __init__(self, text: str, operation: Operation, span: Span) -> None:
        self.span = span
        self.tokens = list(_tokens(text, operation, span))
        self._name = self._name_index()

    def _name_index(self) -> int:
        tokens = self.tokens
        if tokens and tokens[0].text[0] == "%":
            for index, token in enumerate(tokens):
                if token.text == "=":
                    return index + 1
        return 0

    @property
    def name(self) -> Span:
        """Where the operation's name is."""
        return self.tokens[self._name].span if self._name < len(self.tokens) else self.span

    def results(self) -> list[Span]:
        """Returns where the results are named."""
        return [token.span for token in self.tokens[: self._name] if token.text[0] == "%"]

    def operands(self, names: Sequence[str]) -> list[Span | None]:
        """Returns where the operands are, by their names: that of the third one of a name is its third
        use."""
        uses = self._uses()
        collected: list[Span | None] = []
        for index, name in enumerate(names):
            number = names[:index].count(name)
            same = [token.span for token in uses if _is_use(token.text, name)]
            collected.append(same[number] if name and number < len(same) else None)
        if None in collected and len(uses) == len(names):
            return [token.span for token in uses]
        return collected

    def _uses(self) -> list[Token]:
        """Returns the names of values that are used and not defined."""
        tokens = self.tokens
        return [
            token
            for index, token in enumerate(tokens)
            if index >= self._name
            and token.text[0] == "%"
            and (index + 1 == len(tokens) or tokens[index + 1].text != "=")
        ]

    def entry(self, words: Sequence[str]) -> Span | None:
        """Returns where the first of some words is that the text has, with the value behind it."""
        index = next((self._words[word] for word in words if word in self._words), None)
        return None if index is None else self._with_value(index)

    @cached_property
    def _words(self) -> dict[str, int]:
        """Returns the number of the token that each word is first, behind the operation's name."""
        collected: dict[str, int] = {}
        for index in range(self._name + 1, len(self.tokens)):
            text = self.tokens[index].text
            if text[0] not in "%@^":
                collected.setdefault(text.strip('"'), index)
        return collected

    def word(self, text: str) -> Span | None:
        """Returns where a word is behind the operation's name."""
        behind = self.tokens[self._name + 1 :]
        return next((token.span for token in behind if token.text == text), None)

    def _with_value(self, index: int) -> Span:
        """Returns the place of a word and of what is assigned to it."""
        start, depth = self.tokens[index].span.start, self.tokens[index].depth
        if index + 1 == len(self.tokens) or self.tokens[index + 1].text != "=":
            return self.tokens[index].span
        end = self.tokens[index].span.end
        for token in self.tokens[index + 1 :]:
            if token.depth < depth or (token.depth == depth and token.text in (",", "{", ":")):
                break
            end = token.span.end
        return Span(start, end)

    def result_types(self) -> list[Span]:
        """Returns where the types of the results are: behind the arrow, or the only types that there are."""
        section = self._types
        arrows = [index for index, token in enumerate(section) if token.text == "->" and token.depth == 0]
        return _listed(section[arrows[-1] + 1 :] if arrows else section)

    @property
    def has_arrow(self) -> bool:
        """Whether types of operands and of results are apart."""
        return any(token.text == "->" and token.depth == 0 for token in self._types)

    @cached_property
    def _types(self) -> list[Token]:
        """What is behind the colon before the types."""
        colons = [i for i, token in enumerate(self.tokens) if token.text == ":" and token.depth == 0]
        behind = self.tokens[colons[-1] + 1 :] if colons else []
        for index, token in enumerate(behind):
            if token.depth == 0 and (token.text in ("loc", "{") or token.text[0] == "%"):
                return behind[:index]
        return behind

    def region(self, operation: Operation, number: int) -> Span | None:
        """Returns where a region begins."""
        blocks = operation.regions[number].blocks if number < len(operation.regions) else ()
        if not blocks or not blocks[0].starts:
            return None
        first = self.span.start + blocks[0].starts[0]
        braces = [token for token in self.tokens if token.text == "{" and token.span.start < first]
        return braces[-1].span if braces else None


def _is_use(token: str, name: str) -> bool:
    """Returns whether a token names a value; the only one of a pack may are without its number."""
    return token[1:] == name or (name.endswith("#0") and token[1:] == name[:-2])


def _tokens(text: str, operation: Operation, span: Span) -> Iterator[Token]:
    depth = 0
    for start, end in header_spans(OpPath(operation, *span)):
        for kind, word, position in tokens(text, start, end):
            if kind == "comment":
                continue
            if word in CLOSING:
                depth -= 1
            yield Token(word, position, depth)
            if word in _OPENING:
                depth += 1


def _listed(tokens: Sequence[Token]) -> list[Span]:
    """Returns the places of the parts of a list, which may are in parentheses."""
    if tokens and tokens[0].text == "(" and tokens[-1].text == ")":
        tokens = tokens[1:-1]
    if not tokens:
        return []
    level = min(token.depth for token in tokens)
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.text == "," and token.depth == level:
            parts.append([])
        else:
            parts[-1].append(token)
    return [Span(part[0].span.start, part[-1].span.end) for part in parts if part]
