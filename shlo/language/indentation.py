"""Indentation of a line while it is typed, from the brackets of the lines above: broken text has one, too."""

from __future__ import annotations

from shlo.ir.source import Span
from shlo.language.document import Edit
from shlo.language.text_edits import indent_of
from shlo.syntax.lexer.tokens import CLOSING, line_span, tokens

STEP = "  "
MAX_LINES = 200_000
"""How many lines above are looked through for an opening brace."""
OPENING = frozenset("([{")


def indentation(text: str, offset: int, typed: str) -> list[Edit]:
    """Returns the edit that indents the line at an offset, at most one, after a character was typed: behind a
    line break as the line above asks for, at a closing brace as the line that opens it."""
    line = line_span(text, offset)
    rest = text[line.start : line.end].lstrip(" \t")
    old = text[line.start : line.end - len(rest)]
    if typed == "}":
        if offset > line.start + len(old) + 1 or not rest.startswith("}"):
            return []
        opening = _opening_line(text, line.start, 1, "{}")
        new = indent_of(text, opening.end) if opening is not None else old
    else:
        new = _after(text, line.start)
        if rest[:1] in ("}", ")", "]") and len(new) >= len(STEP):
            new = new[: -len(STEP)]
    return [Edit(Span(line.start, line.start + len(old)), new)] if new != old else []


def _after(text: str, start: int) -> str:
    """Returns the indentation of a line behind the one above it that is not blank."""
    above = _above(text, start)
    while above is not None and not text[above.start : above.end].strip():
        above = _above(text, above.start)
    if above is None:
        return ""
    indent = indent_of(text, above.end)
    depth, most = _depth_backwards(text, above)
    first = text[above.start + len(indent)]
    if most > 0 or first == "^":
        return indent + STEP
    if depth < 0 and first not in CLOSING:  # it closes what lines above opened
        opening = _opening_line(text, above.start, -depth)
        return indent_of(text, opening.end) if opening is not None else indent
    return indent


def _above(text: str, start: int) -> Span | None:
    return line_span(text, start - 1) if start > 0 else None


def _opening_line(text: str, start: int, closed: int, marks: str = "{}()[]") -> Span | None:
    """Returns the line above that opens what is closed so many times at the start of a line; lines without
    any of the marks are passed over."""
    open_, line = -closed, _above(text, start)
    for _ in range(MAX_LINES):
        if line is None:
            return None
        if any(text.find(mark, line.start, line.end) >= 0 for mark in marks):
            depth, low = _depth_backwards(text, line)
            if open_ + low >= 0:
                return line
            open_ += depth
        line = _above(text, line.start)
    return None


def _depth_backwards(text: str, line: Span) -> tuple[int, int]:
    """Returns how many more brackets a line opens than it closes, and the most that any end of it does."""
    depth = most = 0
    for token in reversed(list(tokens(text, *line))):
        if token.kind == "mark" and token.text in OPENING:
            depth += 1
            most = max(most, depth)
        elif token.kind == "mark" and CLOSING.get(token.text) in OPENING:
            depth -= 1
    return depth, most
