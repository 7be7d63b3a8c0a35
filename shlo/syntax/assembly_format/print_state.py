"""The state of writing one operation's pretty form: the text in pieces, some of which refer to values and
regions.

What does not depend on values and regions is the same for every operation of a signature, so the printer
keeps the pieces of operations without regions beside their signature.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from shlo.dialects.opdef import OpDef
from shlo.dialects.operand_groups import operand_groups
from shlo.ir.attributes import Attribute, DenseArrayAttr, DictionaryAttr
from shlo.ir.operations import Operation
from shlo.ir.types import FunctionType, Type
from shlo.syntax.attributes.alias_table import TextCache


class RegionPiece(Struct, frozen=True):
    """A region in braces: its number; whether its first block's arguments are written, and whether its
    label is where it has no operations; whether its last operation is written where it is only an end."""

    index: int
    arguments: bool = True
    empty_block: bool = False
    terminator: bool = True


class ArgumentPiece(Struct, frozen=True):
    """The name of an argument of a region's first block."""

    region: int
    index: int


class ArgumentLocationPiece(Struct, frozen=True):
    """The location of an argument of a region's first block, where locations are written."""

    region: int
    index: int


class SuccessorPiece(Struct, frozen=True):
    """A block that control may pass to, with the values that it is given."""

    index: int


class LineBreak(Struct, frozen=True):
    """A new line, indented as the operation is."""


Piece = str | int | RegionPiece | ArgumentPiece | ArgumentLocationPiece | SuccessorPiece | LineBreak
"""A number refers to the operand of that number."""


class PieceBuilder:
    """The pieces of one operation's text so far."""

    def __init__(self, operation: Operation, text_cache: TextCache) -> None:
        self.operation = operation
        self.signature = operation.signature
        self.text_cache = text_cache
        self.pieces: list[Piece] = []

    def add(self, *pieces: Piece) -> None:
        """Appends pieces; texts as they are, without blanks between."""
        self.pieces += pieces

    def separated(self, items: Iterable[Iterable[Piece]]) -> list[Piece]:
        """Returns the pieces of several items with commas between these."""
        pieces: list[Piece] = []
        for item in items:
            pieces += (", ", *item) if pieces else item
        return pieces

    def operands(self, indices: Iterable[int]) -> list[Piece]:
        """Operands by number, separated by commas."""
        return self.separated((index,) for index in indices)

    def initialised_arguments(self, count: int, argument: int = 0, operand: int = 0) -> list[Piece]:
        """`%a = %x, ...`: arguments of the first region, and operands as their initial values."""
        return self.separated((ArgumentPiece(0, argument + i), " = ", operand + i) for i in range(count))

    def has_region(self, index: int) -> bool:
        """Returns whether the operation has a region of that number with a block in it."""
        regions = self.operation.regions
        return index < len(regions) and bool(regions[index].blocks)

    def argument_count(self, region: int) -> int:
        """Returns how many arguments a region's first block has."""
        return len(self._arguments(region))

    def argument(self, region: int, index: int) -> list[Piece]:
        """`%a: T loc(...)` for an argument of a region's first block."""
        type_ = self.operation.regions[region].values.types[self._arguments(region)[index]]
        return self.typed_argument(region, index, self.text_cache.type(type_))

    def typed_argument(self, region: int, index: int, type_text: str) -> list[Piece]:
        """`%a: T loc(...)` with the text between the argument's name and its location."""
        return [ArgumentPiece(region, index), ": ", type_text, ArgumentLocationPiece(region, index)]

    def _arguments(self, region: int) -> tuple[int, ...]:
        return self.operation.regions[region].blocks[0].arguments if self.has_region(region) else ()

    def types(self, types: Sequence[Type]) -> str:
        """Types, separated by commas."""
        return ", ".join(map(self.text_cache.type, types))

    def function_type(self) -> str:
        """The types of operands and results as a function type."""
        return function_type_text(self.signature.operand_types, self.signature.result_types, self.text_cache)

    def integers(self, name: str) -> tuple[int, ...]:
        """Returns the numbers of an inherent array of integers, none where it is absent."""
        array = self.signature.properties.get(name)
        return array.values if isinstance(array, DenseArrayAttr) else ()

    def properties(self) -> str:
        """A blank and `<{...}>` with the inherent attributes, if there are any."""
        properties = self.signature.properties
        return f" <{self.attribute(DictionaryAttr.of(properties))}>" if properties else ""

    def attribute(self, attribute: Attribute) -> str:
        """Returns the text of an attribute."""
        return self.text_cache.attribute(attribute)

    def dictionary(self, entries: Mapping[str, Attribute], keyword: bool = False) -> str:
        """A blank and `{...}` if there are entries; after `attributes` with a keyword."""
        text = self.attribute(DictionaryAttr.of(entries)) if entries else ""
        return text and (" attributes " if keyword else " ") + text


class PrintState(PieceBuilder):
    """The pieces of one operation's pretty form.

    `shown` are the attributes that the format writes outside the attribute dictionary, `hidden` those that
    are left out because they equal their defaults. `space` and `punctuation` say what the rules for blanks
    in MLIR's declarative formats ask for before the next item.
    """

    def __init__(
        self,
        operation: Operation,
        op_def: OpDef,
        shown: frozenset[str],
        hidden: frozenset[str],
        text_cache: TextCache,
    ) -> None:
        super().__init__(operation, text_cache)
        self.op_def = op_def
        self.shown = shown
        self.hidden = hidden
        self.space, self.punctuation = True, False

    def literal(self, text: str) -> None:
        """Punctuation or a keyword with the blank that belongs before it."""
        if not text.strip(" "):
            self.pieces.append(text)
            self.space, self.punctuation = False, not text
            return
        if self.space and _takes_blank(text, self.punctuation):
            self.pieces.append(" ")
        self.pieces.append(text)
        self.space = len(text) != 1 or text not in "<({["
        self.punctuation = not (text[0].isalpha() or text[0] == "_")

    def blank(self) -> None:
        """The blank that belongs before any item but a literal and the attribute dictionary."""
        if self.space or not self.punctuation:
            self.pieces.append(" ")
        self.space, self.punctuation = True, False

    def operand_groups(self) -> dict[str, range]:
        """Returns the operands' numbers by the names on the definition."""
        return operand_groups(self.op_def, len(self.operation.operands), self.signature.properties)

    def attribute_dict(self, keyword: bool = False) -> str:
        """A blank and the attributes that are nowhere else, if there are any; `keyword` adds `attributes`."""
        elsewhere = self.shown | self.hidden
        inherent = {name: value for name, value in self.signature.properties.items() if name not in elsewhere}
        return self.dictionary({**inherent, **self.signature.attributes}, keyword)


def function_type_text(inputs: Sequence[Type], results: Sequence[Type], text_cache: TextCache) -> str:
    """`(T, ...) -> T`, or `-> (T, ...)` where there is not exactly one result or it is a function."""
    text = ", ".join(map(text_cache.type, results))
    if len(results) != 1 or isinstance(results[0], FunctionType):
        text = f"({text})"
    return f"({', '.join(map(text_cache.type, inputs))}) -> {text}"


def _takes_blank(text: str, after_punctuation: bool) -> bool:
    if len(text) != 1 and text != "->":
        return True
    return text[0] not in (">)}]," if after_punctuation else "<>(){}[],")
