"""Parses MHLO's operations as their twins in StableHLO and chlo, where a Context says so."""

from __future__ import annotations

from typing import Final

from shlo.dialects.mhlo import NEUTRAL
from shlo.dialects.opdef import OpDef
from shlo.ir.attributes import ArrayAttr, Attribute, EnumAttr
from shlo.ir.source import Span
from shlo.syntax.assembly_format.parsed_operation import ParsedOperation
from shlo.syntax.attributes.print import attribute_text
from shlo.syntax.lexer.cursor import Cursor

NO_COUNTERPART: Final = "no-counterpart"
"""The code of a diagnostic about what StableHLO does not have of MHLO."""


def no_counterpart(name: str) -> str:
    """Returns the message about an operation or attribute of MHLO without a twin."""
    return f"'{name}' has no counterpart in StableHLO"


def adapt(cursor: Cursor, op_def: OpDef, parsed: ParsedOperation, span: Span) -> None:
    """Turns attributes of MHLO into those of its twin; reports, at `span`, what the twin does not have."""
    if op_def.dialect == "chlo":
        parsed.properties = {name: _in_chlo(value) for name, value in parsed.properties.items()}
    for name in NEUTRAL:
        value = parsed.properties.get(name)
        if value is None or op_def.attribute(name) is None:
            continue
        del parsed.properties[name]
        text = attribute_text(value)
        if text not in NEUTRAL[name]:
            cursor.report(no_counterpart(f"{name} = {text}"), span, code=NO_COUNTERPART)


def _in_chlo(value: Attribute) -> Attribute:
    """Returns an attribute with chlo's enumerations in place of StableHLO's."""
    if isinstance(value, ArrayAttr):
        return ArrayAttr(tuple([_in_chlo(each) for each in value]))
    if isinstance(value, EnumAttr) and value.dialect == "stablehlo":
        return EnumAttr("chlo", value.enum, value.value)
    return value
