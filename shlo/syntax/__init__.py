"""Text to programs and back: the only part of shlo, with the bytecode codec, that knows a file format."""

from __future__ import annotations

from shlo.ir.attributes import Attribute
from shlo.ir.diagnostics import ParseError
from shlo.ir.source import Source
from shlo.ir.types import Type
from shlo.syntax.attribute_parser import parse_attribute as _parse_attribute
from shlo.syntax.attribute_printer import attribute_text
from shlo.syntax.formatter import format_text
from shlo.syntax.parser import decode, parse
from shlo.syntax.printer import module_text
from shlo.syntax.reader import Context, Reader, SyntaxFault
from shlo.syntax.type_parser import parse_type as _parse_type
from shlo.syntax.type_printer import type_text
