"""Where something came from, in Markdown: lines of Python, the scope of the name stack."""

from __future__ import annotations

from collections.abc import Iterator

from shlo.language.hover.markdown import code
from shlo.places.origins import Origin

MAX_CALLS = 4
"""How many calls are listed that led to an operation."""


def origin_text(origin: Origin) -> str:
    """Returns the lines of an origin, the innermost first, and its scope; empty where it is not known."""
    return "  \n".join(_lines(origin))


def _lines(origin: Origin) -> Iterator[str]:
    for number, line in enumerate(origin.lines[:MAX_CALLS]):
        inside = f" in {code(line.function)}" if line.function else ""
        yield f"{'called from' if number else 'From'} {code(f'{line.file}:{line.line}')}{inside}"
    if len(origin.lines) > MAX_CALLS:
        yield f"and {len(origin.lines) - MAX_CALLS} more calls"
    if origin.scope:
        yield f"Scope {code(origin.scope)}"
