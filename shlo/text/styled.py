"""Styled spans: lines of text with styles, written as plain text, for a terminal (ANSI) or as HTML.

Texts of spans are as they are; each writer escapes what its medium would act on.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from msgspec import Struct

from shlo.text.escape import escaped
from shlo.text.html import text_html

Style = Literal["plain", "bold", "red", "yellow", "green", "cyan", "dim"]


class StyledSpan(Struct, frozen=True):
    """A piece of a line in one style."""

    text: str
    style: Style = "plain"


StyledLine = tuple[StyledSpan, ...]

_ANSI: Final[dict[Style, str]] = {
    "bold": "1",
    "red": "1;31",
    "yellow": "1;33",
    "green": "1;32",
    "cyan": "1;36",
    "dim": "2",
}
_CSS: Final[dict[Style, str]] = {
    "bold": "font-weight:bold",
    "red": "color:#d1242f;font-weight:bold",
    "yellow": "color:#b7791f;font-weight:bold",
    "green": "color:#1a7f37;font-weight:bold",
    "cyan": "color:#0a7ea4;font-weight:bold",
    "dim": "opacity:.6",
}


def styled(text: str, style: Style = "plain") -> StyledLine:
    """Returns a line of one span."""
    return (StyledSpan(text, style),)


def plain_text(lines: Iterable[StyledLine]) -> str:
    """Returns lines without their styles."""
    return "\n".join("".join(escaped(span.text) for span in line) for line in lines)


def ansi_text(lines: Iterable[StyledLine]) -> str:
    """Returns lines with a terminal's codes for their styles."""
    return "\n".join("".join(map(_ansi, line)) for line in lines)


def html_text(lines: Iterable[StyledLine]) -> str:
    """Returns lines as the content of a `<pre>`."""
    return "\n".join("".join(map(_html, line)) for line in lines)


def _ansi(span: StyledSpan) -> str:
    text = escaped(span.text)
    return text if span.style == "plain" else f"\x1b[{_ANSI[span.style]}m{text}\x1b[0m"


def _html(span: StyledSpan) -> str:
    text = text_html(span.text)
    return text if span.style == "plain" else f'<span style="{_CSS[span.style]}">{text}</span>'
