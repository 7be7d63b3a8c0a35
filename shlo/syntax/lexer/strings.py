"""Values of string literals, and names and strings as MLIR prints them."""

from __future__ import annotations

import re

from shlo.syntax.lexer.tokens import IDENTIFIER, STRING_BODY

LITERAL = re.compile(rf'"({STRING_BODY})("?)')
ESCAPE = re.compile(r'\\(?:([nt"\\])|([0-9a-fA-F]{2}))')
UNPRINTABLE = re.compile(rb'[^ -~]|["\\]')
_IDENTIFIER = re.compile(IDENTIFIER, re.ASCII)


def literal_value(literal: re.Match[str]) -> str | None:
    """Returns the value of a match of LITERAL, None for one without an end or with a bad escape."""
    body = literal[1]
    if not literal[2] or ("\\" in body and "\\" in ESCAPE.sub("", body)):
        return None
    return unescape(body)


def unescape(body: str) -> str:
    """Returns the value of a string literal from the text between its quotes.

    Bytes beyond UTF-8 become surrogate escapes.
    """
    if "\\" not in body:
        return body
    return utf8(ESCAPE.sub(_unescape_one, body)).decode("utf-8", "surrogateescape")


def utf8(text: str) -> bytes:
    """Returns the bytes of a text with surrogate escapes for bytes; other lone surrogates become `?`."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def _unescape_one(match: re.Match[str]) -> str:
    if match[2]:
        code = int(match[2], 16)
        return chr(code) if code < 0x80 else chr(0xDC00 + code)
    return {"n": "\n", "t": "\t"}.get(match[1], match[1])


def quoted(value: str) -> str:
    """Returns a string literal: each byte that is not printable ASCII as two hexadecimal digits."""
    if value.isascii() and value.isprintable() and '"' not in value and "\\" not in value:
        return f'"{value}"'
    return f'"{UNPRINTABLE.sub(_escaped, utf8(value)).decode("ascii")}"'


def _escaped(match: re.Match[bytes]) -> bytes:
    return rb"\\" if match[0] == b"\\" else b"\\%02X" % match[0][0]


def symbol_text(name: str) -> str:
    """Returns `@name`, quoted where it is no identifier."""
    return f"@{key_text(name)}"


def readable_symbol(name: str) -> str:
    """Returns `@name` as `symbol_text` does, but with letters of all alphabets as they are: for people."""
    if _IDENTIFIER.fullmatch(name):
        return f"@{name}"
    shown = (
        character if character.isprintable() and not character.isascii() else quoted(character)[1:-1]
        for character in name
    )
    return f'@"{"".join(shown)}"'


def symbol_value(text: str) -> str:
    """Returns the name that a symbol in a text, `@name` or `@"name"`, says."""
    return unescape(text[2:-1]) if text.startswith('@"') else text.removeprefix("@")


def key_text(name: str) -> str:
    """Returns a key of a dictionary or a name of a resource, quoted where it is no identifier."""
    return name if _IDENTIFIER.fullmatch(name) else quoted(name)
