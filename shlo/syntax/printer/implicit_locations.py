"""Places of operations and arguments in the text, which are their locations where it names none."""

from __future__ import annotations

import re

from shlo.ir.locations import FileLocation, Location
from shlo.ir.operations import Block, Module, Region
from shlo.ir.source import Source
from shlo.syntax.lexer.tokens import COMMENT, STRING

RESULTS = re.compile(r"(?:%[\w$.\-]+(?::\s*\d+)?\s*+,?\s*+)+=\s*", re.ASCII)
"""The names of an operation's results with their `=`."""

OPERATION = re.compile(rf"(?:{RESULTS.pattern})?(?:stablehlo\.reduce\b)?", re.ASCII)
"""The names of results, which MLIR's location of an operation leaves out (reduce's: its name, too)."""


WRITTEN_MODULE = re.compile(r'module\b|builtin\.module\b|"builtin\.module"')


def is_written(module: Module) -> bool:
    """Returns whether a module's operation is in its source; a text may leave it out.

    One left out seems to start where the text does, as an operation in it may.
    """
    if module.source is None or not WRITTEN_MODULE.match(module.source.text, module.start):
        return False
    return not any(block.starts[0] == 0 for block in module.body.blocks if block.starts)


class ImplicitLocations:
    """Finds locations in a source; without one, they are those of the operations around."""

    def __init__(self, source: Source | None) -> None:
        self.source = source

    def module(self, module: Module) -> Location | None:
        """Returns the location of a module's operation; one that the text leaves out is before the text."""
        if module.operation.location is not None or self.source is None:
            return module.operation.location
        return self.at(module.start) if is_written(module) else FileLocation(self.source.name, 0, 0)

    def operation(self, block: Block, index: int, base: int, parent: Location | None) -> Location | None:
        """Returns the location of a block's operation: its own, or the place of its name, or that of the
        operation around it, whose text starts at `base`."""
        location = block.operations[index].location
        if location is not None:
            return location
        if index < len(block.starts):
            return self.at(block.span(index, base).start)
        return parent

    def at(self, offset: int) -> Location | None:
        """Returns the location of an operation whose text starts at an offset: that of its name."""
        if self.source is None:
            return None
        match = OPERATION.match(self.source.text, offset)
        return self._place(match.end() if match else offset)

    def argument(
        self, region: Region, block: Block, index: int, base: int, parent: Location | None
    ) -> Location | None:
        """Returns the location of a block's argument: its own, or the place of its name between `base`, where
        the operation around it starts, and the block's first operation: in the block's label, or else the
        first."""
        location = block.argument_locations[index] if index < len(block.argument_locations) else None
        name = region.values.names[block.arguments[index]]
        if location is not None or self.source is None or not name:
            return location or parent
        end = block.span(0, base).start if block.starts else len(self.source.text)
        pattern = re.compile(rf"{COMMENT}|{STRING}|(%{re.escape(name)}(?![\w$.\-]))", re.ASCII)
        matches = pattern.finditer(self.source.text, base, end)
        places = [match.start() for match in matches if match[1]]
        return self._place(places[-1 if block.label else 0]) if places else parent

    def _place(self, offset: int) -> Location:
        assert self.source is not None
        return FileLocation(self.source.name, *self.source.byte_position(offset))
