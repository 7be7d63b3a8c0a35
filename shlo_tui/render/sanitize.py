"""Strings from a program as text that does nothing on a screen: printable characters, each in its cells."""

from __future__ import annotations

import unicodedata

from shlo.cli.output.console import escaped

TAB = "  "
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Mn", "Me", "Mc"))
"""Categories of characters that have no glyph, no cell of their own, or change what stands beside them."""


def inert(text: str) -> str:
    r"""A line of text with everything escaped (`\x1b`, `\u202e`) that is more than a character to look at.
    Each character is treated by itself, so the result of a prefix is a prefix of the result.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_shown, text))


def _shown(character: str) -> str:
    if character == "\t":
        return TAB
    shown = escaped(character)
    if shown != character or (character.isprintable() and unicodedata.category(character) not in _HIDDEN):
        return shown
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
