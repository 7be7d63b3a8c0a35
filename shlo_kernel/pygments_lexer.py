"""The Pygments lexer of StableHLO and other MLIR, for notebooks that become pages, Sphinx and terminals.

Its words are those of the language service, so that all front ends agree on what a word is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final

from pygments.lexer import Lexer
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Whitespace,
)

from shlo.language import Document
from shlo.language.tokens import SemanticKind, semantic_tokens

KINDS: Final[dict[SemanticKind, Any]] = {
    "comment": Comment.Single,
    "string": String.Double,
    "variable": Name.Variable,
    "function": Name.Function,
    "label": Name.Label,
    "macro": Name.Constant,
    "type": Keyword.Type,
    "number": Number,
    "operation": Name.Builtin,
    "keyword": Keyword,
    "property": Name.Attribute,
    "enumMember": Name.Constant,
    "operator": Operator,
}
BETWEEN: Final = re.compile(r"(?P<blank>\s+)|(?P<name>\w+)|(?P<mark>[^\s\w]+)")
REST: Final[dict[str, Any]] = {"blank": Whitespace, "name": Name, "mark": Punctuation}


class MlirLexer(Lexer):
    """Takes any text: what it does not know is a name or a mark, never an error."""

    name = "MLIR"
    aliases: ClassVar[Sequence[str]] = ["mlir", "stablehlo"]
    filenames: ClassVar[Sequence[str]] = ["*.mlir"]
    mimetypes: ClassVar[Sequence[str]] = ["text/x-mlir"]
    url = "https://openxla.org/stablehlo/spec"

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, Any, str]]:
        """Yields the words of a text with their offsets and kinds; together they are the text."""
        done = 0
        for token in semantic_tokens(Document(text)):
            start, end = token.span
            yield from _between(text, done, start)
            yield start, KINDS[token.kind], text[start:end]
            done = end
        yield from _between(text, done, len(text))


def _between(text: str, start: int, end: int) -> Iterator[tuple[int, Any, str]]:
    """Yields the text between two words that have a kind."""
    for match in BETWEEN.finditer(text, start, end):
        yield match.start(), REST[match.lastgroup or "mark"], match[0]
