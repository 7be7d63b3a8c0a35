"""What the text of one operation says, and the interface through which its parts are parsed.

`parse.parse_pretty` parses the text behind an operation's name, driven by the op's definition; the module
parser implements OpAsmParser, resolves the uses of values and builds the operation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct, field

from shlo.ir.attributes import Attribute
from shlo.ir.locations import Location
from shlo.ir.operations import Region, ValueTable
from shlo.ir.source import Span
from shlo.ir.types import Type
from shlo.syntax.lexer.cursor import Cursor, ValueUse


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
