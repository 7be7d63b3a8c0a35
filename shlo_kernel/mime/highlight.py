"""StableHLO's text as HTML in the colours of the notebook's theme; it needs no style sheet of its own."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from shlo.language import Document
from shlo.language.tokens import SemanticKind, semantic_tokens
from shlo.text.escape import escaped

HIGHLIGHT_COLORS: Final[dict[SemanticKind, tuple[str, str]]] = {
    "comment": ("comment", "#408080"),
    "string": ("string", "#ba2121"),
    "variable": ("variable-2", "#00366d"),
    "function": ("def", "#0000ff"),
    "label": ("string-2", "#770088"),
    "macro": ("meta", "#aa22ff"),
    "type": ("meta", "#aa22ff"),
    "number": ("number", "#008800"),
    "operation": ("builtin", "#008000"),
    "keyword": ("keyword", "#008000"),
    "property": ("property", "#0055aa"),
    "enumMember": ("atom", "#8888ff"),
    "operator": ("operator", "#7800c2"),
}
"""For each kind of word the name of JupyterLab's colour, and the colour where there is no such theme."""


def highlighted_lines(text: str) -> Iterator[str]:
    """The lines of a text as HTML, without their line breaks."""
    return map(_highlighted, text.split("\n"))


def _highlighted(line: str) -> str:
    parts, done = list[str](), 0
    for token in semantic_tokens(Document(line)):
        start, end = token.span
        parts += [shown(line[done:start]), _span(line[start:end], token.kind)]
        done = end
    return "".join((*parts, shown(line[done:])))


def _span(word: str, kind: SemanticKind) -> str:
    name, otherwise = HIGHLIGHT_COLORS[kind]
    return f'<span style="color:var(--jp-mirror-editor-{name}-color,{otherwise})">{shown(word)}</span>'


def shown(text: str) -> str:
    """A text of a program as HTML that is neither markup nor drives anything."""
    return escape(escaped(text))
