"""State of the parse of one operation's pretty form, shared by format items and directives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct, field

from shlo.dialects.opdef import AttributeDef, OpDef
from shlo.ir.attributes import Attribute
from shlo.ir.locations import Location
from shlo.ir.operations import Region, ValueTable
from shlo.ir.source import Span
from shlo.ir.types import FunctionType, Type
from shlo.syntax.attributes.parse import parse_attribute_dict
from shlo.syntax.attributes.parse_locations import parse_trailing_location
from shlo.syntax.lexer.cursor import Cursor, ValueUse
from shlo.syntax.types.parse import parse_function_type, parse_type
from shlo.text.numbers import plural

# -- What the text of one operation says, and the interface through which its parts are parsed ---------------


class EntryArgument(NamedTuple):
    """An argument of a region's first block: its name (None where the text gives none), type and location."""

    use: ValueUse | None
    type: Type
    location: Location | None = None


class SuccessorUse(Struct, frozen=True):
    """A block's label without `^`, its span, and the values passed to the block with their types."""

    label: str
    span: Span
    operands: tuple[ValueUse, ...] = ()
    operand_types: tuple[Type, ...] = ()


class ParsedOperation(Struct):
    """What the text of one operation says. `operand_types` is None where the format leaves the types to the
    definitions of the operands; else it is as long as `operands`. `properties` are the inherent attributes,
    `attributes` the discardable ones."""

    operands: list[ValueUse] = field(default_factory=list[ValueUse])
    operand_types: Sequence[Type] | None = None
    result_types: Sequence[Type] = ()
    properties: dict[str, Attribute] = field(default_factory=dict[str, Attribute])
    attributes: dict[str, Attribute] = field(default_factory=dict[str, Attribute])
    regions: list[Region] = field(default_factory=list[Region])
    successors: list[SuccessorUse] = field(default_factory=list[SuccessorUse])


class OpAsmParser(Protocol):
    """Parses what only the module parser can: regions and successors."""

    @property
    def cursor(self) -> Cursor:
        """The position in the text."""
        ...

    @property
    def values(self) -> ValueTable:
        """The values of the scope being parsed, for the regions which a short form leaves out."""
        ...

    def region_follows(self) -> bool:
        """Returns whether a region follows, be it one whose `{` is missing."""
        ...

    def region(self, arguments: Sequence[EntryArgument] | None = None, isolated: bool = False) -> Region:
        """Parses `{ ... }`.

        Args:
            arguments: Those of the first block where the text before the region names them; None where the
                first block may have a label of its own.
            isolated: Whether the region gets a ValueTable of its own.
        """
        ...

    def successor(self) -> SuccessorUse:
        """Parses `^label` or `^label(%a, %b : T, U)`."""
        ...


class ParseState:
    """What has been read of one operation so far.

    `operands` holds the uses by the name of the operand on the definition (under the empty name where the
    format lists all operands at once); `attributes` all attributes, inherent and discardable, as the text
    names them.
    """

    def __init__(self, parser: OpAsmParser, op_def: OpDef) -> None:
        self.parser = parser
        self.cursor = parser.cursor
        self.op_def = op_def
        self.start = parser.cursor.pos
        self.operands: dict[str, list[ValueUse]] = {}
        self.operand_types: Sequence[Type] | None = ()
        self.result_types: Sequence[Type] = ()
        self.attributes: dict[str, Attribute] = {}
        self.regions: dict[int, Region] = {}
        self.successors: list[SuccessorUse] = []

    @property
    def operand_count(self) -> int:
        """The number of operands parsed so far."""
        return sum(map(len, self.operands.values()))

    def all_operands(self) -> list[ValueUse]:
        """The uses in the order of the definition."""
        ordered = list(self.operands.get("", ()))
        for spec in self.op_def.operands:
            ordered += self.operands.get(spec.name, ())
        return ordered

    def set_types(self, operands: Sequence[Type] | None, results: Sequence[Type], start: int) -> None:
        """Keeps the types that the text at offset `start` names; as many as there are operands."""
        if operands is not None and len(operands) != self.operand_count:
            message = f"{self.operand_count} operands are given, but the type has {len(operands)}"
            self.cursor.fail(message, Span(start, self.cursor.pos))
        self.operand_types, self.result_types = operands, results

    def set_function_type(self) -> None:
        """Reads `(T, ...) -> T` as the types of the operands and results."""
        start = self.cursor.skip()
        type_ = self.function_type()
        self.set_types(type_.inputs, type_.results, start)

    def function_type(self) -> FunctionType:
        """Reads `(T, ...) -> T`."""
        self.cursor.expects("function type")
        if not self.cursor.at("("):
            self.cursor.fail_expected("a function type '(...) -> ...'", is_type=True)
        return parse_function_type(self.cursor)

    def type(self) -> Type:
        """Parses a type."""
        return parse_type(self.cursor)

    def type_list(self) -> list[Type]:
        """Returns one type or more, separated by commas."""
        return self.cursor.sequence(self.type)

    def types_in_parentheses(self) -> list[Type]:
        """`(T, ...)`."""
        self.cursor.expect("(")
        return self.cursor.comma_list(self.type, ")")

    def argument(self) -> EntryArgument:
        """Reads `%a: T loc(...)`."""
        use = self.cursor.operand()
        self.cursor.expect(":", "after the argument's name")
        type_ = self.type()
        return EntryArgument(use, type_, parse_trailing_location(self.cursor))

    def initialised_argument(self) -> tuple[ValueUse, ValueUse]:
        """Parses `%a = %x`, an argument of a loop and its initial value."""
        argument = self.cursor.operand()
        self.cursor.expect("=", "after the loop value's name")
        return argument, self.cursor.operand()

    def set_attribute(self, name: str, value: Attribute, start: int) -> None:
        """Keeps an attribute that is at offset `start`; it must not have been given before."""
        if name in self.attributes:
            self.cursor.fail(f"the attribute '{name}' is given twice", Span(start, self.cursor.pos))
        self.attributes[name] = value

    def keep(self, name: str, read: Callable[[], Attribute]) -> None:
        """Reads an attribute and keeps it under its name."""
        cursor = self.cursor
        start, outer = cursor.skip(), cursor.attribute
        cursor.attribute = name
        self.set_attribute(name, read(), start)
        cursor.attribute = outer

    def attribute_dict(self) -> None:
        """Reads `{...}` if it follows. What it says of an attribute that the format shows too holds."""
        if self.cursor.at("{"):
            self.attributes.update(parse_attribute_dict(self.cursor, "operation"))

    def spec(self, name: str) -> AttributeDef:
        """Returns the definition's specification of an attribute that a directive speaks of."""
        spec = self.op_def.attribute(name)
        assert spec is not None, f"{self.op_def.name} has no attribute {name}"
        return spec

    def finish(self) -> ParsedOperation:
        """Checks the number of operands, and sorts the attributes into inherent and discardable ones."""
        self._check_operand_count()
        inherent = {spec.name for spec in self.op_def.attributes} | SEGMENT_SIZES
        parsed = ParsedOperation(self.all_operands(), self.operand_types, self.result_types)
        for name, value in self.attributes.items():
            (parsed.properties if name in inherent else parsed.attributes)[name] = value
        parsed.regions = [region for _, region in sorted(self.regions.items())]
        parsed.successors = self.successors
        return parsed

    def _check_operand_count(self) -> None:
        specs = self.op_def.operands
        least = sum(spec.arity == "one" for spec in specs)
        count = self.operand_count
        if count < least or (count > least and least == len(specs)):
            words = f"{least} or more operands" if least < len(specs) else plural(least, "operand")
            span = Span(self.start, self.cursor.pos)
            self.cursor.fail(f"expected {words} of {self.op_def.name}, got {count}", span)


SEGMENT_SIZES = {"operandSegmentSizes", "resultSegmentSizes"}
"""Inherent attributes that MLIR adds to operations with several lists of operands or results."""
