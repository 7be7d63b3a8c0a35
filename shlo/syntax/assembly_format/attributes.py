"""Attributes as assembly formats write them: without what their kind on the definition already says."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from shlo.dialects import find_attr_def, find_dialect
from shlo.dialects.opdef import AttrDef, AttributeDef, EnumDef, OpDef
from shlo.ir.attributes import (
    Attribute,
    DenseArrayAttr,
    EnumAttr,
    FloatAttr,
    IntegerAttr,
    OpaqueAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
)
from shlo.ir.source import Span
from shlo.ir.types import F64, I1, I32, I64, FloatType, IntegerType
from shlo.syntax.attributes.parse import parse_attribute
from shlo.syntax.dense.lists import parse_elements
from shlo.syntax.dense.parse import elements_attribute, elements_type
from shlo.syntax.dialects.attributes import (
    parse_struct_body,
    parse_struct_form,
    struct_body,
    struct_text,
)
from shlo.syntax.dialects.params import full_or_short
from shlo.syntax.lexer.brackets import balanced_end
from shlo.syntax.lexer.cursor import Cursor
from shlo.syntax.numbers.print import float_text


class AttributeForm(NamedTuple):
    """How a kind of attribute is read and written in formats; the string is what stands behind the kind's
    colon."""

    read: Callable[[Cursor, str], Attribute]
    text: Callable[[Attribute, str], str | None]


def parse_attribute_form(cursor: Cursor, op_def: OpDef, spec: AttributeDef) -> Attribute:
    """Reads an attribute in the way that formats write its kind."""
    form, detail = _form(op_def, spec)
    return form.read(cursor, detail) if form else parse_attribute(cursor)


def attribute_form_text(attribute: Attribute, op_def: OpDef, spec: AttributeDef) -> str:
    """An attribute in the way that formats write its kind; one of another kind as it always is."""
    form, detail = _form(op_def, spec)
    text = form.text(attribute, detail) if form else None
    return str(attribute) if text is None else text


def _form(op_def: OpDef, spec: AttributeDef) -> tuple[AttributeForm | None, str]:
    kind, _, detail = spec.kind.partition(":")
    if detail and "." not in detail:
        detail = f"{op_def.dialect}.{detail}"
    return FORMS.get(kind), detail


# -- numbers -------------------------------------------------------------------------------------------------


def _integer(type_: IntegerType) -> AttributeForm:
    def read(cursor: Cursor, _: str) -> Attribute:
        return IntegerAttr(cursor.expect_integer(), type_)

    return AttributeForm(read, _integer_text)


def _integer_text(attribute: Attribute, _: str) -> str | None:
    return str(attribute.value) if isinstance(attribute, IntegerAttr) else None


def _parse_double(cursor: Cursor, _: str) -> Attribute:
    return parse_attribute(cursor, F64)


def _unsigned(width: int) -> AttributeForm:
    def read(cursor: Cursor, _: str) -> Attribute:
        return parse_attribute(cursor, IntegerType(width, "unsigned"))

    return AttributeForm(read, _integer_text)


def _double_text(attribute: Attribute, _: str) -> str | None:
    if not isinstance(attribute, FloatAttr) or not isinstance(attribute.type, FloatType):
        return None
    return float_text(attribute.bits, attribute.type)


def parse_bool(cursor: Cursor) -> bool:
    """`true` or `false`, or a number."""
    if cursor.accept("true"):
        return True
    if cursor.accept("false"):
        return False
    return cursor.expect_integer("true or false") != 0


def _parse_bool_attribute(cursor: Cursor, _: str) -> Attribute:
    return IntegerAttr(int(parse_bool(cursor)), I1)


def _bool_text(attribute: Attribute, _: str) -> str | None:
    return _word(bool(attribute.value)) if isinstance(attribute, IntegerAttr) else None


def _word(value: bool) -> str:
    return "true" if value else "false"


def _array(type_: IntegerType) -> AttributeForm:
    def read(cursor: Cursor, _: str) -> Attribute:
        if type_ != I1:
            return DenseArrayAttr(type_, cursor.integer_list())
        cursor.expect("[")
        return DenseArrayAttr(I1, tuple(map(int, cursor.comma_list(lambda: parse_bool(cursor), "]"))))

    return AttributeForm(read, _array_text)


def _array_text(attribute: Attribute, _: str) -> str | None:
    if not isinstance(attribute, DenseArrayAttr):
        return None
    values = (
        [_word(bool(value)) for value in attribute] if attribute.element_type == I1 else map(str, attribute)
    )
    return f"[{', '.join(values)}]"


# -- words and names -----------------------------------------------------------------------------------------


def _as_always(attribute: Attribute, _: str) -> str | None:
    return None


def _parse_string(cursor: Cursor, _: str) -> Attribute:
    return StringAttr(cursor.expect_string())


def _parse_symbol(cursor: Cursor, _: str) -> Attribute:
    names = [_expect_symbol(cursor)]
    while cursor.accept("::"):
        names.append(_expect_symbol(cursor))
    return SymbolRefAttr(names[0], tuple(names[1:]))


def _expect_symbol(cursor: Cursor) -> str:
    name = cursor.symbol()
    return name if name is not None else cursor.fail(f"expected a symbol '@name', but found {cursor.found()}")


def _parse_symbol_name(cursor: Cursor, _: str) -> Attribute:
    return StringAttr(_expect_symbol(cursor))


def _symbol_name_text(attribute: Attribute, _: str) -> str | None:
    return str(SymbolRefAttr(attribute.value)) if isinstance(attribute, StringAttr) else None


def enum_def(detail: str) -> EnumDef:
    """The enumeration `dialect.mnemonic`."""
    dialect_name, _, mnemonic = detail.partition(".")
    dialect = find_dialect(dialect_name)
    assert dialect is not None
    return dialect.enums[mnemonic]


def parse_enum(cursor: Cursor, detail: str) -> EnumAttr:
    """Reads the bare word of an enumeration `dialect.mnemonic`."""
    return EnumAttr(*detail.split(".", 1), _enum_word(cursor, enum_def(detail)))  # type: ignore[arg-type]


def _parse_enum(cursor: Cursor, detail: str) -> Attribute:
    """Reads a word of an enumeration or the whole attribute: `LT`, `#stablehlo<comparison_direction LT>`."""
    dialect, _, mnemonic = detail.partition(".")
    start = cursor.skip()
    attribute = full_or_short(cursor, EnumAttr, detail, lambda: parse_enum(cursor, detail))
    if (attribute.dialect, attribute.enum) != (dialect, mnemonic):
        cursor.fail(f"expected a {detail} attribute, got {attribute}", Span(start, cursor.pos))
    return attribute


def at_enum_word(cursor: Cursor, op_def: OpDef, spec: AttributeDef) -> bool:
    """Whether a word of an attribute's enumeration follows."""
    return any(cursor.at(word) for word in enum_def(_form(op_def, spec)[1]).words)


def _enum_word(cursor: Cursor, enum_def: EnumDef, is_quoted: bool = False) -> str:
    start = cursor.skip()
    word = cursor.string() if is_quoted else cursor.word()
    if word is None or word not in enum_def.words:
        cursor.pos = start
        span = Span(start, start + len(word)) if word and not is_quoted else None
        cursor.fail(f"expected one of {', '.join(enum_def.words)}, but found {cursor.found()}", span)
    return word


def _enum_text(attribute: Attribute, _: str) -> str | None:
    return attribute.value if isinstance(attribute, EnumAttr) else None


def _enum_number(type_: IntegerType) -> AttributeForm:
    def read(cursor: Cursor, detail: str) -> Attribute:
        enum = enum_def(detail)
        word = _enum_word(cursor, enum, cursor.peek() == '"')
        return IntegerAttr(enum.words.index(word), type_)

    return AttributeForm(read, _enum_number_text)


def _enum_number_text(attribute: Attribute, detail: str) -> str | None:
    words = enum_def(detail).words
    if isinstance(attribute, IntegerAttr) and 0 <= attribute.value < len(words):
        return words[attribute.value]
    return None


def _parse_flags(cursor: Cursor, detail: str) -> Attribute:
    """`<word, ...>` of an attribute that is kept as its text."""
    start = cursor.skip()
    if not cursor.at("<"):
        cursor.fail(f"expected '<', but found {cursor.found()}")
    cursor.pos = balanced_end(cursor, start)
    dialect, _, mnemonic = detail.partition(".")
    return OpaqueAttr(dialect, f".{mnemonic}{cursor.text[start : cursor.pos]}")


def _flags_text(attribute: Attribute, detail: str) -> str | None:
    mnemonic = detail.partition(".")[2]
    if not isinstance(attribute, OpaqueAttr) or not attribute.body.startswith(f".{mnemonic}<"):
        return None
    return attribute.body[len(mnemonic) + 1 :]


def _parse_presence(cursor: Cursor, _: str) -> Attribute:
    return UnitAttr()


def _presence_text(attribute: Attribute, _: str) -> str | None:
    return ""


# -- elements ------------------------------------------------------------------------------------------------


def _parse_elements(cursor: Cursor, _: str) -> Attribute:
    """`dense<...> : T`, or without `dense<` and `>`."""
    if cursor.peek() not in tuple("[(-+0123456789"):
        return parse_attribute(cursor)
    start = cursor.pos
    elements = parse_elements(cursor)
    span = Span(start, cursor.pos)
    today = f"dense<{cursor.text[start : cursor.pos]}>"
    cursor.hint(f"elements are written {today} today", span, today)
    return elements_attribute(cursor, elements, elements_type(cursor, None), span)


# -- attributes with fields ----------------------------------------------------------------------------------


def _parse_struct(cursor: Cursor, detail: str) -> Attribute:
    return parse_struct_form(cursor, *detail.split("."))


def _struct_text(attribute: Attribute, detail: str) -> str | None:
    attr_def = _attr_def(attribute, detail)
    return struct_text(attribute, attr_def) if attr_def else None


def _parse_struct_body(cursor: Cursor, detail: str) -> Attribute:
    return parse_struct_body(cursor, *detail.split("."))


def _struct_body_text(attribute: Attribute, detail: str) -> str | None:
    return struct_body(attribute) if _attr_def(attribute, detail) else None


def _attr_def(attribute: Attribute, detail: str) -> AttrDef | None:
    """The definition of an attribute with fields, if it is of the kind `dialect.mnemonic`."""
    dialect, attr_def = find_attr_def(type(attribute)) or ("", None)
    return attr_def if attr_def and detail == f"{dialect}.{attr_def.mnemonic}" else None


FORMS: dict[str, AttributeForm] = {
    "i64": _integer(I64),
    "i32": _integer(I32),
    "ui64": _unsigned(64),
    "ui32": _unsigned(32),
    "f64": AttributeForm(_parse_double, _double_text),
    "bool": AttributeForm(_parse_bool_attribute, _bool_text),
    "i64_array": _array(I64),
    "i32_array": _array(I32),
    "bool_array": _array(I1),
    "string": AttributeForm(_parse_string, _as_always),
    "elements": AttributeForm(_parse_elements, _as_always),
    "symbol": AttributeForm(_parse_symbol, _as_always),
    "symbol_name": AttributeForm(_parse_symbol_name, _symbol_name_text),
    "enum": AttributeForm(_parse_enum, _enum_text),
    "enum_i32": _enum_number(I32),
    "enum_i64": _enum_number(I64),
    "flags": AttributeForm(_parse_flags, _flags_text),
    "unit": AttributeForm(_parse_presence, _presence_text),
    "struct": AttributeForm(_parse_struct, _struct_text),
    "struct_body": AttributeForm(_parse_struct_body, _struct_body_text),
}
"""How formats write the kinds of attributes; a kind that is not here is written as it always is."""
