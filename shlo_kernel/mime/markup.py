"""HTML from templates (`shlo_kernel/templates`) that needs no style sheet, no script and no other file.

Every text that a template writes is escaped twice: characters that drive a terminal, and markup. Only what is
`Markup` already is written as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup, escape

from shlo.language import Document
from shlo.language.tokens import SemanticKind, semantic_tokens
from shlo.text.escape import escaped

if TYPE_CHECKING:
    from jinja2 import Environment


HIGHLIGHT_COLORS: Final[dict[SemanticKind, tuple[str, str]]] = {
    "comment": ("comment", "#408080"),
    "string": ("string", "#ba2121"),
    "variable": ("variable-2", "#00366d"),
    "function": ("def", "#0000ff"),
    "label": ("string-2", "#770088"),
    "macro": ("meta", "#aa22ff"),
    "type": ("meta", "#aa22ff"),
    "number": ("number", "#007a00"),
    "operation": ("builtin", "#008000"),
    "keyword": ("keyword", "#008000"),
    "property": ("property", "#0055aa"),
    "enumMember": ("atom", "#5b5bd6"),
    "operator": ("operator", "#7800c2"),
}
"""For each kind of word the name of JupyterLab's colour, and the colour where there is no such theme."""

_WORD: Final = Markup(
    '<span style="color:color-mix(in srgb,var(--jp-mirror-editor-{}-color,{}) 75%,'
    'var(--jp-content-font-color0,currentColor))">{}</span>'
)
"""A word in the colour that the editor's theme has for it, moved towards that of the text: the theme's alone
is too faint on dark paper, and on the current line of a stepper."""


def render(template: str, **values: Any) -> Markup:
    """Returns a template filled with values."""
    return Markup(_environment().get_template(f"{template}.html").render(values))


def render_part(template: str, macro: str, *values: Any) -> Markup:
    """Returns what a macro of a template makes of values."""
    return getattr(_environment().get_template(f"{template}.html").module, macro)(*values)


def shown(text: str) -> Markup:
    """Returns a text of a program as HTML that is neither markup nor drives anything."""
    return escape(escaped(text))


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("shlo_kernel"),
        autoescape=True,
        finalize=_safe,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )


def _safe(value: Any) -> Any:
    return escaped(value) if isinstance(value, str) and not isinstance(value, Markup) else value


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
