"""HTML from templates (`shlo_kernel/templates`) that needs no style sheet, no script and no other file.

Every text that a template writes is escaped twice: characters that drive a terminal, and markup. Only what is
`Markup` already is written as it is.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from shlo.text.escape import escaped

if TYPE_CHECKING:
    from jinja2 import Environment


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
