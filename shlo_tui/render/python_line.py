"""Lines of Python in colours."""

from __future__ import annotations

import keyword
import tokenize
from collections.abc import Sequence
from typing import Final

from shlo.text.escape import sanitized
from shlo_tui.render.status_text import Spans

_STYLES: Final = {
    tokenize.COMMENT: "comment",
    tokenize.NUMBER: "number",
    tokenize.OP: "operator",
    tokenize.STRING: "string",
    **{
        kind: "string"
        for name in ("FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END")
        if (kind := getattr(tokenize, name, None)) is not None
    },
}


def python_styles(lines: Sequence[str]) -> dict[int, list[tuple[int, int, str]]]:
    """Returns which parts of the lines of a file, from 0, have another style than text: from a column to
    another one, in order. What is behind a mistake in the file has none.
    """
    styles: dict[int, list[tuple[int, int, str]]] = {}
    rows = iter([f"{line}\n" for line in lines])
    try:
        for token in tokenize.generate_tokens(lambda: next(rows, "")):
            style = _style(token)
            (first, start), (last, end) = token.start, token.end
            for row in range(first, last + 1) if style else ():
                stop = end if row == last else len(lines[row - 1])
                styles.setdefault(row - 1, []).append((start if row == first else 0, stop, style))
    except (tokenize.TokenError, SyntaxError):
        pass
    return styles


def _style(token: tokenize.TokenInfo) -> str:
    if token.type == tokenize.NAME:
        return "keyword" if keyword.iskeyword(token.string) else ""
    return _STYLES.get(token.type, "")


def python_spans(text: str, styles: Sequence[tuple[int, int, str]]) -> Spans:
    """Returns a line of Python in its styles."""
    spans, at = Spans(), 0
    for start, end, style in styles:
        spans += [(text[at:start], "text"), (text[start:end], style)]
        at = end
    return [(sanitized(part.expandtabs(4)), style) for part, style in [*spans, (text[at:], "text")] if part]
