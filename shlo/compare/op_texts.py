"""Texts of single operations, on one line."""

from __future__ import annotations

from collections.abc import Callable

from shlo.ir.collector import collector_paused
from shlo.ir.operations import Module, Operation, Region
from shlo.ir.recursion import recursive
from shlo.syntax.assembly_format.print_state import (
    ArgumentLocationPiece,
    ArgumentPiece,
    LineBreak,
    RegionPiece,
    SuccessorPiece,
)
from shlo.syntax.printer.module import ModulePrinter, default_dialect_in
from shlo.syntax.printer.ssa_names import NameScope, ValueNamer

Names = dict[int, list[str]]
"""For the identity of each table the names of its values, with their `%`."""


class FixedNames(ValueNamer):
    """Names that are known before a module is printed."""

    def __init__(self, names: Names) -> None:
        super().__init__(generic=False)
        self._names = names

    def scope(self, outer: NameScope, operation: Operation, index: int) -> NameScope:
        """Returns the names in a region of an operation that is in the scope `outer`."""
        scope = NameScope(operation.regions[index], outer, outer)
        scope.names = self._names[id(operation.regions[index].values)]
        return scope


@recursive
def names_of(module: Module) -> Names:
    """Returns the names that MLIR gives to a module's values."""
    namer, names = ValueNamer(generic=False), Names()

    def enter(scope: NameScope, operation: Operation) -> None:
        for index, region in enumerate(operation.regions):
            inner = namer.scope(scope, operation, index)
            names[id(region.values)] = inner.names
            for block in region.blocks:
                for inner_op in block.operations:
                    if inner_op.regions:
                        enter(inner, inner_op)

    enter(namer.root(module.operation), module.operation)
    return names


def renamed(
    names: Names, other_names: Names, counterpart: Callable[[int, int], tuple[int, int] | None]
) -> Names:
    """Returns names for the second program: of a value that is one of the first, that one's; a new value gets
    a name that the first program does not have."""
    used = {name.partition("#")[0] for table in names.values() for name in table}

    def name_of(table: int, value: int, own_name: str) -> str:
        other = counterpart(table, value)
        if other is not None:
            return names[other[0]][other[1]]
        name = own_name.partition("#")[0]
        return f"%new_{own_name[1:]}" if name in used else own_name

    return {
        table: [name_of(table, value, own_name) for value, own_name in enumerate(own_names)]
        for table, own_names in other_names.items()
    }


@recursive
def text_with(module: Module, names: Names) -> str:
    """Returns MLIR's text of a module with names of our own."""
    with collector_paused():
        printer = ModulePrinter(module, generic=False, locations=False)
        printer.namer = FixedNames(names)
        return printer.text()


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
