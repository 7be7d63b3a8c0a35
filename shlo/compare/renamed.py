"""Names of values: those that MLIR gives in the first program, also for what the second shares with it."""

from __future__ import annotations

from collections.abc import Callable

from shlo.ir.collector import collector_paused
from shlo.ir.operations import Module, Operation
from shlo.ir.recursion import recursive
from shlo.syntax.printer.module import ModulePrinter
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
                for each in block.operations:
                    if each.regions:
                        enter(inner, each)

    enter(namer.root(module.operation), module.operation)
    return names


def renamed(
    names: Names, other_names: Names, counterpart: Callable[[int, int], tuple[int, int] | None]
) -> Names:
    """Returns names for the second program: of a value that is one of the first, that one's; a new value gets
    a name that the first program does not have."""
    used = {name.partition("#")[0] for table in names.values() for name in table}

    def name_of(table: int, value: int, own: str) -> str:
        found = counterpart(table, value)
        if found is not None:
            return names[found[0]][found[1]]
        name = own.partition("#")[0]
        return f"%new_{own[1:]}" if name in used else own

    return {
        table: [name_of(table, value, own) for value, own in enumerate(own_names)]
        for table, own_names in other_names.items()
    }


@recursive
def text_with(module: Module, names: Names) -> str:
    """Returns MLIR's text of a module with names of our own."""
    with collector_paused():
        printer = ModulePrinter(module, generic=False, locations=False)
        printer.namer = FixedNames(names)
        return printer.text()
