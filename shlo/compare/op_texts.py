"""Texts of single operations, on one line."""

from __future__ import annotations

from shlo.compare.renamed import Names
from shlo.ir.operations import Module, Operation, Region
from shlo.syntax.assembly_format.print_state import (
    ArgumentLocationPiece,
    ArgumentPiece,
    LineBreak,
    RegionPiece,
    SuccessorPiece,
)
from shlo.syntax.printer.module import ModulePrinter, default_dialect_in

MAX_TEXT = 2_000
"""How many characters of an operation are shown."""


class OpTexts:
    """Writes the operations of one module, with given names of values."""

    def __init__(self, module: Module, names: Names) -> None:
        self._printer = ModulePrinter(module, generic=False, locations=False)
        self._names = names

    def value(self, region: Region, value: int) -> str:
        """Returns the name of a value that is visible in a region."""
        return self._names[id(region.values)][value]

    def operation(self, operation: Operation, region: Region, parent: Operation) -> str:
        """Returns the text of an operation in a region of `parent`; its own regions are `{...}`."""
        names = self._names[id(region.values)]
        left = ", ".join(dict.fromkeys(names[value].partition("#")[0] for value in operation.results))
        if len(operation.results) > 1 and "," not in left:
            left = f"{left}:{len(operation.results)}"
        text = f"{left} = " if left else ""
        for piece in self._printer.pieces(operation, default_dialect_in(parent, is_generic=False)):
            if isinstance(piece, str):
                text += piece
            elif isinstance(piece, int):
                text += names[operation.operands[piece]]
            elif isinstance(piece, LineBreak):
                text += " "
            elif isinstance(piece, SuccessorPiece):
                block, values = operation.successors[piece.index]
                text += f"^bb{block}({', '.join(names[value] for value in values)})"
            elif isinstance(piece, RegionPiece):
                text += "{...}"
            elif isinstance(piece, ArgumentPiece):
                inner = operation.regions[piece.region]
                text += self.value(inner, inner.blocks[0].arguments[piece.index])
            else:
                assert isinstance(piece, ArgumentLocationPiece)
        return shortened(" ".join(text.split("\n")), MAX_TEXT)


def shortened(text: str, limit: int) -> str:
    """Returns a text of at most `limit` characters, without its middle where it is longer."""
    half = (limit - 3) // 2
    return text if len(text) <= limit else f"{text[:half]}...{text[-half:]}"
