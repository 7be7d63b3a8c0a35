"""StableHLO's text as HTML in the colours of the notebook's theme; it needs no style sheet of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from markupsafe import Markup

from shlo.language import Document
from shlo.language.tokens import SemanticKind, semantic_tokens
from shlo_kernel.mime.markup import shown

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


_WORD: Final = Markup('<span style="color:var(--jp-mirror-editor-{}-color,{})">{}</span>')


def highlighted_lines(text: str) -> Iterator[Markup]:
    """Yields the lines of a text as HTML, without their line breaks."""
    return map(_highlighted, text.split("\n"))


def _highlighted(line: str) -> Markup:
    parts, done = list[Markup](), 0
    for token in semantic_tokens(Document(line)):
        start, end = token.span
        parts += [
            shown(line[done:start]),
            _WORD.format(*HIGHLIGHT_COLORS[token.kind], shown(line[start:end])),
        ]
        done = end
    return Markup("").join((*parts, shown(line[done:])))
