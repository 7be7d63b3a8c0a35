"""Resource sections, `{-# dialect_resources: {...} #-}`, both directions.

A resource of the builtin dialect is a string of hexadecimal digits: four bytes of alignment, then the
elements that some `dense_resource<key>` stands for. The section usually follows what uses it, so it is
looked for ahead of time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress

from shlo.ir.source import Span
from shlo.syntax.lexer.cursor import Reader, SyntaxFault
from shlo.syntax.lexer.strings import key_text

DIALECT_SECTION = "dialect_resources"
SECTIONS = (DIALECT_SECTION, "external_resources")
GROUP = "builtin"
HEX_STRING = re.compile(r'"(0x[0-9a-fA-F]*)"')
ALIGNMENT_DIGITS = 8

Resources = Mapping[tuple[str, ...], str | bytes]
"""The value of each resource by section, dialect (or tool) and key."""


def parse_resources(reader: Reader) -> None:
    """Reads a whole section into `reader.resources`."""
    reader.expect("{-#")
    reader.comma_list(lambda: _section(reader), "#-}")


def find_blob(reader: Reader, key: str) -> bytes | None:
    """The bytes of a resource of the builtin dialect, None where no section of the text has it."""
    path = (DIALECT_SECTION, GROUP, key)
    if path not in reader.resources and not reader.resources_read:
        _read_ahead(reader)
    value = reader.resources.get(path)
    if value is None:
        return None
    return bytes.fromhex(value[2 + ALIGNMENT_DIGITS :]) if isinstance(value, str) else value


def _read_ahead(reader: Reader) -> None:
    """Reads the last section of the text; what is wrong with it is reported when its place is reached."""
    reader.resources_read = True
    at = reader.text.rfind("{-#")
    if at < 0:
        return
    ahead = Reader(reader.text, reader.context, at)
    with suppress(SyntaxFault):
        parse_resources(ahead)
    for path, value in ahead.resources.items():
        reader.resources.setdefault(path, value)


def _section(reader: Reader) -> None:
    start = reader.skip()
    section = reader.expect_identifier("the name of a section")
    if section not in SECTIONS:
        reader.fail(f"expected one of {', '.join(SECTIONS)}", Span(start, reader.pos))
    _open(reader)
    reader.comma_list(lambda: _group(reader, section), "}")


def _group(reader: Reader, section: str) -> None:
    group = reader.name_or_string("the name of a dialect or tool")
    _open(reader)
    reader.comma_list(lambda: _resource(reader, (section, group)), "}")


def _open(reader: Reader) -> None:
    reader.expect(":", "after the name")
    reader.expect("{", "after ':'")


def _resource(reader: Reader, path: tuple[str, str]) -> None:
    key = reader.name_or_string("the key of a resource")
    reader.expect(":", "after the key")
    start = reader.skip()
    match = reader.match(HEX_STRING)
    if match:
        value = match[1]
    else:
        value = (
            reader.string()
            or reader.word()
            or reader.fail(f"expected a resource, but found {reader.found()}")
        )
    if path == (DIALECT_SECTION, GROUP):
        _check_blob(reader, value, Span(start, reader.pos), match is not None)
    reader.resources[*path, key] = value


def _check_blob(reader: Reader, value: str, span: Span, is_hexadecimal: bool) -> None:
    if not is_hexadecimal or len(value) % 2:
        reader.fail("expected a string of hexadecimal bytes that starts with 0x", span)
    alignment = value[2 : 2 + ALIGNMENT_DIGITS]
    number = int.from_bytes(bytes.fromhex(alignment), "little")
    if len(alignment) < ALIGNMENT_DIGITS or number & (number - 1):
        reader.fail("a resource starts with its alignment, a power of two in four bytes", span)


def resources_text(resources: Resources, keys: Iterable[str]) -> str:
    """The section with the builtin resources of these keys, empty where there is none of them."""
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
