"""Where something came from, in Markdown: lines of Python, the scope of the name stack."""

from __future__ import annotations

from collections.abc import Iterator

from shlo.language.hover.markdown import code
from shlo.places.origins import Origin

MAX_CALLS = 4
"""How many calls are listed that led to an operation."""


def origin_text(origin: Origin) -> str:
    """Returns the line that a reader should see, those that called it, and the scope; empty for none."""
    return "  \n".join(_lines(origin))


def _lines(origin: Origin) -> Iterator[str]:
    first = origin.lines.index(origin.line) if origin.line else 0
    lines = origin.lines[first:]  # what is before are lines of libraries
    for number, line in enumerate(lines[:MAX_CALLS]):
        inside = f" in {code(line.function)}" if line.function else ""
        yield f"{'called from' if number else 'From'} {code(f'{line.file}:{line.line}')}{inside}"
    if len(lines) > MAX_CALLS:
        yield f"and {len(lines) - MAX_CALLS} more calls"
    if origin.scope:
        yield f"Scope {code(origin.scope)}"
