"""Attributes as assembly formats write them: without what their constraint already says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct

from shlo.dialects import find_attr_def
from shlo.dialects.attr_constraints import (
    BOOL_ATTR,
    STRING_ATTR,
    SYMBOL_ATTR,
    SYMBOL_NAME_ATTR,
    UNIT_ATTR,
    AttrConstraint,
    DenseArrayOf,
    ElementsOf,
    EnumDef,
    EnumNumberOf,
    EnumOf,
    FlagsOf,
    NumberOf,
    StructOf,
)
from shlo.dialects.opdef import AttributeDef
from shlo.ir.attributes import (
    Attribute,
    DenseArrayAttr,
    EnumAttr,
    FloatAttr,
    IntegerAttr,
    OpaqueAttr,
    StringAttr,
    UnitAttr,
)
from shlo.ir.source import Span
from shlo.ir.types import I1, FloatType, IntegerType
from shlo.syntax.attributes.parse import parse_attribute, parse_symbol_reference
from shlo.syntax.dense.lists import parse_elements
from shlo.syntax.dense.parse import elements_attribute, elements_type
from shlo.syntax.dialects.attributes import (
    parse_struct_body,
    parse_struct_form,
    struct_body,
    struct_text,
)
from shlo.syntax.dialects.params import full_or_short, parse_enum_word
from shlo.syntax.lexer.cursor import Cursor, balanced_end
from shlo.syntax.lexer.strings import symbol_text
from shlo.syntax.numbers.print import float_text, integer_text


class AttributeForm(Struct, frozen=True):
    """How formats write attributes of a constraint, which both functions take behind text or attribute."""

    parse: Callable[[Cursor, Any], Attribute]
    text: Callable[[Attribute, Any], str | None]


def parse_attribute_form(cursor: Cursor, spec: AttributeDef) -> Attribute:
    """Parses an attribute in the way that formats write its constraint."""
    cursor.expects(spec)
    form = _form(spec.constraint)
    return form.parse(cursor, spec.constraint) if form else parse_attribute(cursor)


def attribute_form_text(attribute: Attribute, spec: AttributeDef) -> str:
    """Prints an attribute as formats write its constraint; one that does not fulfil it in full."""
    form = _form(spec.constraint)
    text = form.text(attribute, spec.constraint) if form else None
    return str(attribute) if text is None else text


def _form(constraint: AttrConstraint) -> AttributeForm | None:
    return FORMS.get(constraint) or FORMS.get(type(constraint))


# -- numbers -------------------------------------------------------------------------------------------------


def _parse_number(cursor: Cursor, constraint: NumberOf) -> Attribute:
    type_ = constraint.type
    if isinstance(type_, IntegerType) and type_.signedness == "signless":
        return IntegerAttr(cursor.expect_integer(), type_)
    return parse_attribute(cursor, type_)


def _number_text(attribute: Attribute, _: NumberOf) -> str | None:
    if isinstance(attribute, FloatAttr) and isinstance(attribute.type, FloatType):
        return float_text(attribute.bits, attribute.type)
    return str(attribute.value) if isinstance(attribute, IntegerAttr) else None


def parse_bool(cursor: Cursor) -> bool:
    """Parses `true` or `false`, or a number."""
    if cursor.accept("true"):
        return True
    if cursor.accept("false"):
        return False
    return cursor.expect_integer("true or false") != 0


def _parse_array(cursor: Cursor, constraint: DenseArrayOf) -> Attribute:
    if constraint.type != I1:
        return DenseArrayAttr(constraint.type, cursor.integer_list())
    cursor.expect("[")
    return DenseArrayAttr(I1, tuple(map(int, cursor.comma_list(lambda: parse_bool(cursor), "]"))))


def _array_text(attribute: Attribute, _: DenseArrayOf) -> str | None:
    if not isinstance(attribute, DenseArrayAttr):
        return None
    return f"[{', '.join(integer_text(value, attribute.element_type) for value in attribute)}]"


# -- words and names -----------------------------------------------------------------------------------------


def parse_enum(cursor: Cursor, enum: EnumDef) -> EnumAttr:
    """Parses the bare word of an enumeration."""
    return EnumAttr(enum.dialect, enum.mnemonic, parse_enum_word(cursor, enum))


def _parse_enum(cursor: Cursor, constraint: EnumOf) -> Attribute:
    """Parses a word of an enumeration or the whole attribute: `LT`, `#stablehlo<comparison_direction LT>`."""
    enum, start = constraint.enum, cursor.skip()
    name = f"{enum.dialect}.{enum.mnemonic}"
    attribute = full_or_short(cursor, EnumAttr, name, lambda: parse_enum(cursor, enum))
    if (attribute.dialect, attribute.enum) != (enum.dialect, enum.mnemonic):
        cursor.fail(f"expected a {name} attribute, got {attribute}", Span(start, cursor.pos))
    return attribute


def _parse_enum_number(cursor: Cursor, constraint: EnumNumberOf) -> Attribute:
    word = parse_enum_word(cursor, constraint.enum, cursor.peek() == '"')
    return IntegerAttr(constraint.enum.words.index(word), constraint.type)


def _enum_number_text(attribute: Attribute, constraint: EnumNumberOf) -> str | None:
    words = constraint.enum.words
    if isinstance(attribute, IntegerAttr) and 0 <= attribute.value < len(words):
        return words[attribute.value]
    return None


def _parse_flags(cursor: Cursor, constraint: FlagsOf) -> Attribute:
    """Parses `<word, ...>` of an attribute that is kept as its text."""
    start = cursor.skip()
    if not cursor.at("<"):
        cursor.fail_expected("'<'", literals=("<",))
    cursor.pos = balanced_end(cursor, start)
    body = f".{constraint.enum.mnemonic}{cursor.text[start : cursor.pos]}"
    return OpaqueAttr(constraint.enum.dialect, body)


def _flags_text(attribute: Attribute, constraint: FlagsOf) -> str | None:
    prefix = f".{constraint.enum.mnemonic}"
    if not isinstance(attribute, OpaqueAttr) or not attribute.body.startswith(f"{prefix}<"):
        return None
    return attribute.body[len(prefix) :]


# -- elements ------------------------------------------------------------------------------------------------


def _parse_elements(cursor: Cursor, _: AttrConstraint) -> Attribute:
    """`dense<...> : T`, or without `dense<` and `>`."""
    if cursor.peek() not in tuple("[(-+0123456789"):
        return parse_attribute(cursor)
    start = cursor.pos
    elements = parse_elements(cursor)
    span = Span(start, cursor.pos)
    today = f"dense<{cursor.text[start : cursor.pos]}>"
    cursor.hint(f"elements are written {today} today", span, today)
    return elements_attribute(cursor, elements, elements_type(cursor, None), span)


# -- struct attributes ---------------------------------------------------------------------------------------


def _parse_struct(cursor: Cursor, constraint: StructOf) -> Attribute:
    parse = parse_struct_body if constraint.body_only else parse_struct_form
    return parse(cursor, constraint.attr_def)


def _struct_text(attribute: Attribute, constraint: StructOf) -> str | None:
    if find_attr_def(type(attribute)) is not constraint.attr_def:
        return None
    text = struct_body if constraint.body_only else struct_text
    return text(attribute, constraint.attr_def)


def _in_full(attribute: Attribute, _: AttrConstraint) -> str | None:
    return None


FORMS: Final[Mapping[AttrConstraint | type[AttrConstraint], AttributeForm]] = {
    NumberOf: AttributeForm(_parse_number, _number_text),
    BOOL_ATTR: AttributeForm(
        lambda cursor, _: IntegerAttr(int(parse_bool(cursor)), I1),
        lambda attribute, _: (
            integer_text(attribute.value, I1) if isinstance(attribute, IntegerAttr) else None
        ),
    ),
    DenseArrayOf: AttributeForm(_parse_array, _array_text),
    STRING_ATTR: AttributeForm(lambda cursor, _: StringAttr(cursor.expect_string()), _in_full),
    SYMBOL_ATTR: AttributeForm(lambda cursor, _: parse_symbol_reference(cursor), _in_full),
    SYMBOL_NAME_ATTR: AttributeForm(
        lambda cursor, _: StringAttr(cursor.expect_symbol()),
        lambda attribute, _: symbol_text(attribute.value) if isinstance(attribute, StringAttr) else None,
    ),
    UNIT_ATTR: AttributeForm(lambda cursor, _: UnitAttr(), lambda attribute, _: ""),
    ElementsOf: AttributeForm(_parse_elements, _in_full),
    EnumOf: AttributeForm(
        _parse_enum, lambda attribute, _: attribute.value if isinstance(attribute, EnumAttr) else None
    ),
    EnumNumberOf: AttributeForm(_parse_enum_number, _enum_number_text),
    FlagsOf: AttributeForm(_parse_flags, _flags_text),
    StructOf: AttributeForm(_parse_struct, _struct_text),
}
"""How formats write attributes, by constraint or its class; other attributes are written in full."""
