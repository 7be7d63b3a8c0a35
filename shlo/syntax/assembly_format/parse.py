"""Reading the pretty form of an operation, driven by the items of its definition's format."""

from __future__ import annotations

from shlo.dialects.opdef import OpDef
from shlo.syntax.assembly_format.attributes import at_enum_word, read_attribute_form
from shlo.syntax.assembly_format.directives import find_directive, find_type_directive
from shlo.syntax.assembly_format.parse_state import FormReading
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
from shlo.syntax.parser.operation_reader import OperationReader, ParsedOperation


def parse_pretty(reader: OperationReader, op_def: OpDef) -> ParsedOperation:
    """Reads what follows an operation's name in its pretty form. Raises SyntaxFault.

    The definition must have a format.
    """
    format_ = format_of(op_def)
    assert format_ is not None
    reading = FormReading(reader, op_def)
    _read_items(reading, format_.items)
    return reading.finish()


def _read_items(reading: FormReading, items: tuple[Item, ...]) -> None:
    for item in items:
        _read_item(reading, item)


def _read_item(reading: FormReading, item: Item) -> None:
    reader = reading.reader
    match item:
        case Literal(text):
            if text.strip():
                reader.expect(text)
        case OperandItem(name, arity):
            reading.operands[name] = reader.operand_sequence() if arity == "variadic" else [reader.operand()]
        case AllOperands():
            reading.operands[""] = reader.operand_sequence()
        case AttributeItem(spec):
            reading.keep(spec.name, lambda: read_attribute_form(reader, reading.op_def, spec))
        case TypeItem(kind):
            find_type_directive(kind).read(reading)
        case Custom(name):
            find_directive(name).read(reading)
        case AttrDict(keyword):
            if not keyword or reader.accept("attributes"):
                reading.attribute_dict()
        case RegionItem(index):
            reading.regions[index] = reader.region(None, reading.op_def.has("isolated"))
        case OptionalGroup(group):
            _read_group(reading, group)


def _read_group(reading: FormReading, items: tuple[Item, ...]) -> None:
    """Reads the items of a group if the literals at its start, or else its first item, follow."""
    start = reading.reader.pos
    leading = 0
    while leading < len(items) and isinstance(item := items[leading], Literal):
        if item.text.strip() and not reading.reader.accept(item.text):
            reading.reader.pos = start
            return
        leading += 1
    if leading or _follows(reading, items[0]):
        _read_items(reading, items[leading:])


def _follows(reading: FormReading, item: Item) -> bool:
    reader = reading.reader
    match item:
        case OperandItem() | AllOperands():
            return reader.peek() == "%"
        case RegionItem():
            return reader.at("{")
        case AttributeItem(spec) if spec.kind.startswith("enum"):
            return at_enum_word(reader, reading.op_def, spec)
        case _:
            return reader.peek().isalpha()
