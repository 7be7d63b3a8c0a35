r"""Escaping of untrusted strings: characters that would drive a terminal become `\x1b`, `\u202e`."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

TAB: Final = "  "
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_WITHOUT_CELL: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Mn", "Me", "Mc"))
"""Categories of characters that have no glyph, no cell of their own, or change the characters beside them."""


def escaped(text: str) -> str:
    """Returns text with control characters, direction marks and lone surrogates escaped."""
    return _UNSAFE.sub(lambda match: _escape(match[0]), text)


def sanitized(text: str) -> str:
    """Returns a line of text in which each character is printable and has cells of its own.

    Escapes more than `escaped`: combining marks and unassigned characters, too; a tab becomes spaces. Each
    character is treated by itself, so the result of a prefix is a prefix of the result.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_sanitize, text))


def _sanitize(character: str) -> str:
    if character == "\t":
        return TAB
    is_safe = character.isprintable() and unicodedata.category(character) not in _WITHOUT_CELL
    return escaped(character) if is_safe else _escape(character)


def _escape(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is not UTF-8, by `surrogateescape`
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
