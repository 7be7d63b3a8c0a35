"""The symbols of a module: functions, meshes, modules inside it."""

from __future__ import annotations

from collections.abc import Iterator

from shlo.ir.attributes import SymbolRefAttr
from shlo.ir.operations import Operation
from shlo.text.suggest import NameSuggester


class Symbols:
    """The operations that symbols name, module by module; each module is looked through once."""

    def __init__(self) -> None:
        self._tables: dict[int, dict[str, Operation]] = {}
        self.nearest = NameSuggester()

    def table(self, module: Operation) -> dict[str, Operation]:
        """What is directly in a module, by name; the first one of each name."""
        found = self._tables.get(id(module))
        if found is None:
            found = self._tables[id(module)] = {}
            for region in module.regions:
                for block in region.blocks:
                    for operation in block.operations:
                        name = operation.symbol
                        if name is not None:
                            found.setdefault(name, operation)
        return found

    def find(self, module: Operation, symbol: SymbolRefAttr) -> Operation | None:
        """Returns the operation that a symbol names from inside a module."""
        found = self.table(module).get(symbol.root)
        for name in symbol.nested:
            found = self.table(found).get(name) if found and found.name == "builtin.module" else None
        return found


def duplicates(module: Operation) -> Iterator[tuple[int, int, int, str]]:
    """Yields the region, block and index of each operation in a module whose name another one before it has,
    and the name."""
    visible: set[str] = set()
    for number, region in enumerate(module.regions):
        for position, block in enumerate(region.blocks):
            for index, operation in enumerate(block.operations):
                name = operation.symbol
                if name is not None and name in visible:
                    yield number, position, index, name
                elif name is not None:
                    visible.add(name)
