"""Resource sections, `{-# dialect_resources: {...} #-}`, both directions.

A resource of the builtin dialect is a string of hexadecimal digits: four bytes of alignment, then the
elements that some `dense_resource<key>` refers to. The section usually follows what uses it, so it is
looked for ahead of time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress

from shlo.ir.source import Span
from shlo.syntax.lexer.cursor import Cursor, SyntaxFault
from shlo.syntax.lexer.strings import key_text

DIALECT_SECTION = "dialect_resources"
SECTIONS = (DIALECT_SECTION, "external_resources")
GROUP = "builtin"
HEX_STRING = re.compile(r'"(0x[0-9a-fA-F]*)"')
ALIGNMENT_DIGITS = 8

Resources = Mapping[tuple[str, ...], str | bytes]
"""The value of each resource by section, dialect (or tool) and key."""


def parse_resources(cursor: Cursor) -> None:
    """Reads a whole section into `cursor.resources`."""
    cursor.expect("{-#")
    cursor.comma_list(lambda: _section(cursor), "#-}")


def find_blob(cursor: Cursor, key: str) -> bytes | None:
    """Returns the bytes of a resource of the builtin dialect, None where no section of the text has it."""
    path = (DIALECT_SECTION, GROUP, key)
    if path not in cursor.resources and not cursor.resources_read:
        _parse_ahead(cursor)
    value = cursor.resources.get(path)
    if value is None:
        return None
    return bytes.fromhex(value[2 + ALIGNMENT_DIGITS :]) if isinstance(value, str) else value


def _parse_ahead(cursor: Cursor) -> None:
    """Reads the last section of the text; what is wrong with it is reported when its place is reached."""
    cursor.resources_read = True
    at = cursor.text.rfind("{-#")
    if at < 0:
        return
    ahead = Cursor(cursor.text, cursor.context, at)
    with suppress(SyntaxFault):
        parse_resources(ahead)
    for path, value in ahead.resources.items():
        cursor.resources.setdefault(path, value)


def _section(cursor: Cursor) -> None:
    start = cursor.skip()
    section = cursor.expect_identifier("the name of a section")
    if section not in SECTIONS:
        cursor.fail(f"expected one of {', '.join(SECTIONS)}", Span(start, cursor.pos))
    _open(cursor)
    cursor.comma_list(lambda: _group(cursor, section), "}")


def _group(cursor: Cursor, section: str) -> None:
    group = cursor.name_or_string("the name of a dialect or tool")
    _open(cursor)
    cursor.comma_list(lambda: _resource(cursor, (section, group)), "}")


def _open(cursor: Cursor) -> None:
    cursor.expect(":", "after the name")
    cursor.expect("{", "after ':'")


def _resource(cursor: Cursor, path: tuple[str, str]) -> None:
    key = cursor.name_or_string("the key of a resource")
    cursor.expect(":", "after the key")
    start = cursor.skip()
    match = cursor.match(HEX_STRING)
    value = match[1] if match else cursor.string() or cursor.word() or cursor.fail_expected("a resource")
    if path == (DIALECT_SECTION, GROUP):
        _check_blob(cursor, value, Span(start, cursor.pos), match is not None)
    cursor.resources[*path, key] = value


def _check_blob(cursor: Cursor, value: str, span: Span, is_hexadecimal: bool) -> None:
    if not is_hexadecimal or len(value) % 2:
        cursor.fail("expected a string of hexadecimal bytes that starts with 0x", span)
    alignment = value[2 : 2 + ALIGNMENT_DIGITS]
    number = int.from_bytes(bytes.fromhex(alignment), "little")
    if len(alignment) < ALIGNMENT_DIGITS or number & (number - 1):
        cursor.fail("a resource starts with its alignment, a power of two in four bytes", span)


def resources_text(resources: Resources, keys: Iterable[str]) -> str:
    """Returns the section with the builtin resources of these keys, empty where there is none of them."""
    entries = [
        f'      {key_text(key)}: "{_value_text(value)}"'
        for key in dict.fromkeys(keys)
        if (value := resources.get((DIALECT_SECTION, GROUP, key))) is not None
    ]
    if not entries:
        return ""
    listed = ",\n".join(entries)
    return f"{{-#\n  {DIALECT_SECTION}: {{\n    {GROUP}: {{\n{listed}\n    }}\n  }}\n#-}}\n"


def _value_text(value: str | bytes) -> str:
    return f"0x{value[2:].upper()}" if isinstance(value, str) else f"0x01000000{value.hex().upper()}"
