"""Parts of edits that features share: the indentation of a line, an operation's whole lines, free names."""

from __future__ import annotations

import re
from collections.abc import Collection

from shlo.ir.source import Span
from shlo.syntax.lexer.tokens import NAME, line_span

_VALUE_NAME = re.compile(rf"%({NAME})", re.ASCII)


def indent_of(text: str, offset: int) -> str:
    """Returns the blanks at the start of the line of an offset, those before it."""
    line = text[line_span(text, offset).start : offset]
    return line[: len(line) - len(line.lstrip())]


def whole_lines(text: str, span: Span) -> Span:
    """Returns the lines of a span with their breaks where nothing else is on them, or else the span."""
    first, last = line_span(text, span.start), line_span(text, span.end)
    has_more = text[first.start : span.start].strip() or text[span.end : last.end].strip()
    return span if has_more else Span(first.start, min(last.end + 1, len(text)))


def free_name(taken: Collection[str], name: str) -> str:
    """Returns a name, or one with a number behind it, that is not known."""
    candidate, count = name, 1
    stem = f"v{name}" if name[:1].isdigit() else name  # `%0_2` is no name
    while candidate in taken:
        count += 1
        candidate = f"{stem}_{count}"
    return candidate


def value_names(text: str, span: Span) -> set[str]:
    """Returns the names of all values in a part of a text, those in comments and strings with them, without
    `%` and `#`: a new name is to be none of them, and tokens of a large function take long to tell."""
    return set(_VALUE_NAME.findall(text, *span))
