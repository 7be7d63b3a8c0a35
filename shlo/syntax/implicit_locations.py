"""Where operations and arguments come from when the text says nothing about it: the place where they stand
in it."""

from __future__ import annotations

import re

from shlo.ir.locations import FileLocation, Location
from shlo.ir.operations import Block, Region
from shlo.ir.source import Source

OPERATION = re.compile(r"(?:(?:%[\w$.\-]+(?::\s*\d+)?\s*,?\s*)+=\s*)?(?:stablehlo\.reduce\b)?", re.ASCII)
"""What stands before the place that MLIR takes for an operation's: the names of its results. (The parser of
reduce counts from behind its name.)"""


class ImplicitLocations:
    """Finds locations in a source; without one, they are those of the operations around."""

    def __init__(self, source: Source | None) -> None:
        self.source = source

    def operation(self, block: Block, index: int, base: int, parent: Location | None) -> Location | None:
        """The location of a block's operation: its own, or the place of its name, or that of the operation
        around it, whose text starts at `base`."""
        location = block.operations[index].location
        if location is not None:
            return location
        if index < len(block.starts):
            return self.at(block.span(index, base).start)
        return parent

    def at(self, offset: int) -> Location | None:
        """The location of an operation whose text starts at an offset: that of its name."""
        if self.source is None:
            return None
        match = OPERATION.match(self.source.text, offset)
        return self._place(match.end() if match else offset)

    def argument(
        self, region: Region, block: Block, index: int, base: int, parent: Location | None
    ) -> Location | None:
        """The location of a block's argument: its own, or the last place of its name between `base`,
        where the operation around it starts, and the block's first operation."""
        given = block.argument_locations[index] if index < len(block.argument_locations) else None
        name = region.values.names[block.arguments[index]]
        if given is not None or self.source is None or not name:
            return given or parent
        end = block.span(0, base).start if block.starts else len(self.source.text)
        places = re.compile(rf"%{re.escape(name)}(?![\w$.\-])", re.ASCII).finditer(
            self.source.text, base, end
        )
        match = max(places, key=lambda found: found.start(), default=None)
        return self._place(match.start()) if match else parent

    def _place(self, offset: int) -> Location:
        assert self.source is not None
        return FileLocation(self.source.name, *self.source.byte_position(offset))
