"""What each word of a text is, for colours: of a whole document or of the lines that are visible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from shlo.dialects import find_op_def
from shlo.ir.source import Span
from shlo.language.document import Document
from shlo.language.index.op_names import RESULTS
from shlo.syntax.lexer.tokens import Token, line_span, words

SemanticKind = Literal[
    "comment",
    "string",
    "variable",
    "function",
    "label",
    "macro",  # an alias of an attribute
    "type",
    "number",
    "operation",
    "keyword",
    "property",
    "enumMember",
    "operator",
]
Modifier = Literal["definition", "defaultLibrary"]

MAX_LINE = 20_000
"""How many characters of a line are coloured: a longer one is a constant that is not needed."""
NO_MODIFIERS: frozenset[Modifier] = frozenset()
DEFINITION: frozenset[Modifier] = frozenset(("definition",))
KNOWN: frozenset[Modifier] = frozenset(("defaultLibrary",))
KEYWORDS = frozenset(
    (
        *("module", "func", "return", "call", "loc", "true", "false", "unit", "attributes", "init"),
        *("public", "private", "nested", "applies", "across", "dimensions", "cond", "do", "reducer"),
        *("dense", "sparse", "dense_resource", "array", "affine_map", "affine_set", "from", "to"),
        *("config", "else", "step", "iter_args"),
    )
)
TYPE_WORDS = frozenset(
    (
        *("tensor", "vector", "memref", "tuple", "complex", "index", "none"),
        *("bf16", "tf32", "f16", "f32", "f64", "f80", "f128"),
    )
)
SIMPLE: dict[str, SemanticKind] = {
    "comment": "comment",
    "string": "string",
    "symbol": "function",
    "label": "label",
    "shape": "number",
    "number": "number",
}


class SemanticToken(NamedTuple):
    """A word with what it is. The modifier `definition` marks names where they are defined,
    `defaultLibrary` operations that shlo has a definition for."""

    span: Span
    kind: SemanticKind
    modifiers: frozenset[Modifier] = NO_MODIFIERS


def semantic_tokens(document: Document, span: Span | None = None) -> Iterator[SemanticToken]:
    """Yields the tokens of a document in order, or those of the lines that a span touches. No more of the
    text is read than that."""
    text = document.text
    start, end = (0, len(text)) if span is None else span
    start, last = line_span(text, start).start, line_span(text, end).end
    while start <= last:
        line_end = line_span(text, start).end
        yield from _line(text, start, line_end)
        start = line_end + 1


def _line(text: str, start: int, end: int) -> Iterator[SemanticToken]:
    """Yields the tokens of a line."""
    end = min(end, start + MAX_LINE)
    stripped = end - len(text[start:end].lstrip())
    match = RESULTS.match(text, stripped, end)
    results_end = match.end() if match else start
    opens = text[stripped : stripped + 1]
    for token in words(text, start, end):
        kind = SIMPLE.get(token.kind)
        if kind == "label":
            yield SemanticToken(
                token.span, kind, DEFINITION if token.span.start == stripped else NO_MODIFIERS
            )
        elif kind == "string" and text.startswith("(", token.span.end):  # an operation in generic form
            yield _operation(token, token.text[1:-1])
        elif kind is not None:
            yield SemanticToken(token.span, kind)
        elif token.kind == "value":
            defined = token.span.end <= results_end or (opens != "%" and _types(text, token))
            yield SemanticToken(token.span, "variable", DEFINITION if defined else NO_MODIFIERS)
        elif token.kind in ("attribute", "type"):
            yield SemanticToken(token.span, "macro" if token.kind == "attribute" else "type")
        elif token.kind == "word":
            yield from _word(text, token)


def _operation(token: Token, name: str) -> SemanticToken:
    return SemanticToken(token.span, "operation", KNOWN if find_op_def(name) else NO_MODIFIERS)


def _types(text: str, token: Token) -> bool:
    """Returns whether a value's name is followed by `: type` within parentheses, as an argument's is."""
    return text.startswith(": ", token.span.end) and text[token.span.start - 1 : token.span.start] in "( "


def _word(text: str, token: Token) -> Iterator[SemanticToken]:
    word, end = token.text, token.span.end
    if "." in word and word[0] != ".":
        is_property = _is_key(text, end) and find_op_def(word) is None
        yield SemanticToken(token.span, "property") if is_property else _operation(token, word)
    elif _is_key(text, end):
        yield SemanticToken(token.span, "property")
    elif word in TYPE_WORDS or _is_sized_type(word):
        yield SemanticToken(token.span, "type")
    elif word in KEYWORDS:
        yield SemanticToken(token.span, "keyword")
    elif word.isupper():
        yield SemanticToken(token.span, "enumMember")


def _is_key(text: str, end: int) -> bool:
    """Returns whether `=` follows, as behind an attribute's name."""
    return text[end : end + 3].lstrip(" ").startswith("=")


def _is_sized_type(word: str) -> bool:
    """Returns whether a word is a type with its size in its name: i32, ui8, f8E4M3FN."""
    digits = word.lstrip("siuf")
    return digits != word and digits[:1].isdigit() and len(word) - len(digits) <= 2
