"""Parses the pretty form of an operation, driven by the items of its definition's format."""

from __future__ import annotations

from shlo.dialects.attr_constraints import EnumNumberOf, EnumOf
from shlo.dialects.opdef import AttributeDef, OpDef
from shlo.syntax.assembly_format.attributes import parse_attribute_form
from shlo.syntax.assembly_format.directives import TYPE_DIRECTIVES, custom_directive
from shlo.syntax.assembly_format.parse_state import OpAsmParser, ParsedOperation, ParseState
from shlo.syntax.assembly_format.spec import (
    AllOperands,
    AttrDict,
    AttributeItem,
    Custom,
    Item,
    Literal,
    OperandItem,
    OptionalGroup,
    RegionItem,
    TypeItem,
    format_of,
)


def parse_pretty(parser: OpAsmParser, op_def: OpDef) -> ParsedOperation:
    """Reads what follows an operation's name in its pretty form. Raises SyntaxFault.

    The definition must have a format.
    """
    format_ = format_of(op_def)
    assert format_ is not None
    state = ParseState(parser, op_def)
    _parse_items(state, format_.items)
    return state.finish()


def _parse_items(state: ParseState, items: tuple[Item, ...]) -> None:
    for item in items:
        _parse_item(state, item)


def _parse_item(state: ParseState, item: Item) -> None:
    cursor = state.cursor
    match item:
        case Literal(text):
            if text.strip():
                cursor.expect(text)
        case OperandItem(name, arity):
            state.operands[name] = cursor.operand_sequence() if arity == "variadic" else [cursor.operand()]
        case AllOperands():
            state.operands[""] = cursor.operand_sequence()
        case AttributeItem(spec):
            state.keep(spec.name, lambda: parse_attribute_form(cursor, spec))
        case TypeItem(kind):
            TYPE_DIRECTIVES[kind].read(state)
        case Custom(name):
            custom_directive(name).read(state)
        case AttrDict(keyword):
            if not keyword or cursor.accept("attributes"):
                state.attribute_dict()
        case RegionItem(index):
            state.regions[index] = state.parser.region(None, state.op_def.has("isolated"))
        case OptionalGroup(group):
            _parse_group(state, group)


def _parse_group(state: ParseState, items: tuple[Item, ...]) -> None:
    """Reads the items of a group if the literals at its start, or else its first item, follow."""
    start = state.cursor.pos
    leading = 0
    while leading < len(items) and isinstance(item := items[leading], Literal):
        if item.text.strip() and not state.cursor.accept(item.text):
            state.cursor.pos = start
            return
        leading += 1
    if leading or _follows(state, items[0]):
        _parse_items(state, items[leading:])


def _follows(state: ParseState, item: Item) -> bool:
    cursor = state.cursor
    match item:
        case OperandItem() | AllOperands():
            return cursor.at("%")
        case RegionItem():
            return cursor.at("{")
        case AttributeItem(AttributeDef(constraint=EnumOf() | EnumNumberOf() as constraint)):
            return any(cursor.at(word) for word in constraint.words)
        case _:
            return cursor.peek().isalpha()
