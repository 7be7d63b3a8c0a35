"""What the reading of one operation in its pretty form asks of the module parser, and what it hands back.

`format_parser.parse_pretty` reads the text after an operation's name, driven by the op's definition; the
module parser implements OperationReader, resolves the uses of values and builds the operation.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from shlo.ir.attributes import Attribute
from shlo.ir.locations import Location
from shlo.ir.operations import NO_ATTRIBUTES, Region, Signature, ValueTable
from shlo.ir.source import Span
from shlo.ir.types import Type
from shlo.syntax.lexer.cursor import Cursor


class ValueUse(NamedTuple):
    """A value's name as written, without `%` (`arg0`, `5#1`), and where it stands."""

    name: str
    span: Span


class EntryArgument(NamedTuple):
    """An argument of a region's first block: its name (None where the text gives none), type and location."""

    use: ValueUse | None
    type: Type
    location: Location | None = None


class SuccessorUse(NamedTuple):
    """A block's label without `^`, where it stands, and the values passed to the block with their types."""

    label: str
    span: Span
    operands: tuple[ValueUse, ...] = ()
    operand_types: tuple[Type, ...] = ()


@dataclass(slots=True)
class ParsedOperation:
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


class OperationReader(Cursor, ABC):
    """A Cursor that also reads what operations are made of. The module parser derives from it."""

    @abstractmethod
    def region(self, arguments: Sequence[EntryArgument] | None = None, isolated: bool = False) -> Region:
        """Reads `{ ... }`. `arguments` are those of the first block where the text before the region names
        them; None where the first block may have a label of its own. An isolated region gets a ValueTable
        of its own."""

    @property
    @abstractmethod
    def values(self) -> ValueTable:
        """The values of the scope that is being read, for the regions which a short form leaves out."""

    @abstractmethod
    def signature(
        self,
        name: str,
        operand_types: tuple[Type, ...],
        result_types: tuple[Type, ...],
        properties: Mapping[str, Attribute] = NO_ATTRIBUTES,
        attributes: Mapping[str, Attribute] = NO_ATTRIBUTES,
    ) -> Signature:
        """The document's shared signature with these parts."""

    @abstractmethod
    def type_of(self, use: ValueUse) -> Type:
        """The type of a value that has been defined before; fails at the use where it has not."""

    @abstractmethod
    def location(self) -> Location | None:
        """Reads a trailing `loc(...)`, None where there is none."""

    @abstractmethod
    def successor(self) -> SuccessorUse:
        """Reads `^label` or `^label(%a, %b : T, U)`."""

    def operand_or_none(self) -> ValueUse | None:
        """A use of a value `%x`, None where none follows."""
        start = self.skip()
        name = self.value_name()
        return None if name is None else ValueUse(name[1:], Span(start, self.pos))

    def operand(self) -> ValueUse:
        """A use of a value `%x`."""
        use = self.operand_or_none()
        return (
            use if use is not None else self.fail(f"expected an operand such as %0, but found {self.found()}")
        )

    def operands_list(self, close: str) -> list[ValueUse]:
        """Uses separated by commas up to and over the closing punctuation; the opening one has been read."""
        return self.comma_list(self.operand, close)

    def operand_sequence(self) -> list[ValueUse]:
        """Uses separated by commas, for as long as a `%` follows the comma; none at all where no `%`
        follows."""
        uses: list[ValueUse] = []
        while (use := self.operand_or_none()) is not None:
            uses.append(use)
            before = self.pos
            if not self.accept(","):
                break
            if self.peek() != "%":
                self.pos = before
                break
        return uses
