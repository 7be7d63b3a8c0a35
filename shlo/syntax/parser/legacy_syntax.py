"""Legacy syntax that MLIR refuses, but older programs and StableHLO's own documents use: parsed with a hint
that names today's form.

Types by the documents' names (`tensor<2xpred>`, `u8`, `c64`, `token`), lists of integers as dense elements
where an array is today, elements without `dense<...>` in checks, numbers with a plus sign or a missing
signed integers (`si32`), braces around the one scale of a quantized type,
constants of quantized types. A hint never makes a text invalid.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import numpy as np
from msgspec.structs import replace

from shlo.dialects.attr_constraints import I32_ATTR, I64_ATTR, AttrConstraint, DenseArrayOf
from shlo.dialects.mhlo import NEUTRAL
from shlo.dialects.opdef import OpDef
from shlo.ir.attributes import ArrayAttr, Attribute, DenseArrayAttr, EnumAttr, IntegerAttr
from shlo.ir.dense import DenseElementsAttr, static_shape
from shlo.ir.source import Span
from shlo.ir.types import I1, I32, I64, IntegerType
from shlo.syntax.assembly_format.parse_state import ParsedOperation
from shlo.syntax.attributes.parse import parse_attribute
from shlo.syntax.attributes.print import attribute_text
from shlo.syntax.lexer.cursor import Cursor, SyntaxFault

SIGNLESS: Mapping[AttrConstraint, IntegerType] = {I64_ATTR: I64, I32_ATTR: I32}
"""The integers that the specification calls si64 and si32."""


def upgrade(cursor: Cursor, op_def: OpDef, parsed: ParsedOperation, operation: Span) -> None:
    """Turns dense elements into arrays, signed integers into signless ones, where these are today's."""
    for spec in op_def.attributes:
        value = parsed.properties.get(spec.name)
        signless = SIGNLESS.get(spec.constraint)
        if (
            signless
            and isinstance(value, IntegerAttr)
            and value.type == replace(signless, signedness="signed")
        ):
            today = replace(value, type=signless)
            parsed.properties[spec.name] = today
            span = _value_span(cursor, spec.name, value, operation)
            cursor.hint(f"'{spec.name}' is of type {today.type} today", span, str(today))
        if isinstance(spec.constraint, DenseArrayOf) and isinstance(value, DenseElementsAttr):
            array = _array_of(value, spec.constraint.type)
            if array is not None:
                parsed.properties[spec.name] = array
                span = _value_span(cursor, spec.name, value, operation)
                cursor.hint(f"'{spec.name}' is an array today: {array}", span, str(array))


def _array_of(value: DenseElementsAttr, wanted: IntegerType) -> Attribute | None:
    """Returns the elements of a list as an array, None where they are no list of integers."""
    shape = static_shape(value.type)
    element = value.type.element_type
    if len(shape) != 1 or not isinstance(element, IntegerType) or (element == I1) != (wanted == I1):
        return None
    elements = np.broadcast_to(value.array, shape)
    return DenseArrayAttr(wanted, tuple(int(number) for number in elements.tolist()))


def _value_span(cursor: Cursor, name: str, value: Attribute, operation: Span) -> Span:
    """Returns where the value of an attribute is in an operation; the operation where it is not found."""
    span = operation
    pattern = re.compile(rf'(?<![\w%$.-])"?{re.escape(name)}"?[ \t\r\n]*=[ \t\r\n]*(?=dense|[-+0-9])')
    for match in pattern.finditer(cursor.text, *operation):
        again = Cursor(cursor.text, cursor.context, match.end())
        try:
            if parse_attribute(again) == value:
                span = Span(match.end(), again.pos)
        except SyntaxFault:
            continue
    return span


# -- Parses MHLO's operations as their twins in StableHLO and chlo, where a Context says so ------------------


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
        return ArrayAttr(tuple([_in_chlo(item) for item in value]))
    if isinstance(value, EnumAttr) and value.dialect == "stablehlo":
        return EnumAttr("chlo", value.enum, value.value)
    return value
