"""The locations that a file gets: those of the program, the places in its text where it has none, or none."""

from __future__ import annotations

from shlo.ir.locations import FileLocation, Location, resolve
from shlo.ir.operations import Block, Module, Region
from shlo.syntax.printer.implicit_locations import ImplicitLocations
from shlo_bytecode.tables.builtin import UNKNOWN_LOCATION


class OpLocations:
    """Gives operations and arguments their locations; where they are not `kept`, all are unknown.

    The module's text starts at `base` in its source.
    """

    def __init__(self, module: Module, kept: bool) -> None:
        self.base = module.start
        self._module = module
        self.kept = kept
        self._implicit = ImplicitLocations(module.source)

    def operation(self, block: Block, index: int, base: int, around: Location | None) -> Location:
        """Returns the location of a block's operation; see ImplicitLocations."""
        if not self.kept:
            return UNKNOWN_LOCATION
        operation = block.operations[index]
        if operation is self._module.operation:
            return self._implicit.module(self._module) or UNKNOWN_LOCATION
        given = operation.location
        return given or self._implicit.operation(block, index, base, around) or UNKNOWN_LOCATION

    def argument(
        self, region: Region, block: Block, index: int, base: int, around: Location | None
    ) -> Location:
        """Returns the location of a block's argument."""
        if not self.kept:
            return UNKNOWN_LOCATION
        return self._implicit.argument(region, block, index, base, around) or UNKNOWN_LOCATION

    def start(self, block: Block, index: int, base: int) -> int:
        """Returns where the text of a block's operation starts."""
        return block.span(index, base).start

    @staticmethod
    def text(location: Location | None) -> str:
        """Returns a location for a message, where it is a place in a file."""
        place = resolve(location)
        if not isinstance(place, FileLocation):
            return ""
        return f"{place.file}:{place.line}:{place.column}"
