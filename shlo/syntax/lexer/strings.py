"""Strings and names as MLIR prints them."""

from __future__ import annotations

import re

from shlo.syntax.lexer.cursor import IDENTIFIER, utf8

UNPRINTABLE = re.compile(rb'[^ -~]|["\\]')


def quoted(value: str) -> str:
    """A string literal: what is no printable ASCII stands as two hexadecimal digits for each byte."""
    if value.isascii() and value.isprintable() and '"' not in value and "\\" not in value:
        return f'"{value}"'
    raw = utf8(value)
    return f'"{UNPRINTABLE.sub(_escaped, raw).decode("ascii")}"'


def _escaped(match: re.Match[bytes]) -> bytes:
    return rb"\\" if match[0] == b"\\" else b"\\%02X" % match[0][0]


def symbol_text(name: str) -> str:
    """`@name`, quoted where it is no identifier."""
    return f"@{name if IDENTIFIER.fullmatch(name) else quoted(name)}"


def key_text(name: str) -> str:
    """A key of a dictionary or a name of a resource, quoted where it is no identifier."""
    return name if IDENTIFIER.fullmatch(name) else quoted(name)
