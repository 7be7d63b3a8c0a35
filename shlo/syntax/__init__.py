"""Text to programs and back: the only part of shlo, with the bytecode codec, that knows a file format."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from shlo.ir.attributes import Attribute
from shlo.ir.diagnostics import ParseError
from shlo.ir.recursion import recursive
from shlo.ir.source import Source
from shlo.ir.types import Type
from shlo.support.late_names import late_names
from shlo.syntax.attributes import parse as attribute_parser
from shlo.syntax.lexer.context import Context
from shlo.syntax.lexer.cursor import Cursor, Item, SyntaxFault
from shlo.syntax.parser.module import decode, parse
from shlo.syntax.types import parse as type_parser

if TYPE_CHECKING:
    from shlo.syntax.attributes.print import attribute_text
    from shlo.syntax.formatter import format_text
    from shlo.syntax.notebook_cell import Cell, parse_cell
    from shlo.syntax.printer.module import module_text
    from shlo.syntax.types.print import type_text

_HOMES: Final = {
    "Cell": "notebook_cell",
    "attribute_text": "attributes.print",
    "format_text": "formatter",
    "module_text": "printer.module",
    "parse_cell": "notebook_cell",
    "type_text": "types.print",
}
"""What reading a program does not need, fetched when it is first used."""

__all__ = [
    "Cell",
    "Context",
    "attribute_text",
    "decode",
    "format_text",
    "module_text",
    "parse",
    "parse_attribute",
    "parse_cell",
    "parse_type",
    "type_text",
]


__getattr__ = late_names(__name__, _HOMES)


def parse_type(text: str, name: str = "<type>") -> Type:
    """Returns the type that a whole text says; raises ParseError."""
    return _whole(text, name, type_parser.parse_type)


def parse_attribute(text: str, name: str = "<attribute>") -> Attribute:
    """Returns the attribute that a whole text says; raises ParseError."""
    return _whole(text, name, attribute_parser.parse_attribute)


@recursive
def _whole(text: str, name: str, parse: Callable[[Cursor], Item]) -> Item:
    cursor = Cursor(text)
    try:
        item = parse(cursor)
        if not cursor.at_end:
            cursor.fail_expected("the end")
    except SyntaxFault as fault:
        raise ParseError((fault.diagnostic,), Source(text, name)) from None
    return item
