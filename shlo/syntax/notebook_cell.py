"""Cells: texts whose outermost operations may use values that others have given before."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from shlo.ir.collector import collector_paused
from shlo.ir.diagnostics import Diagnostic, Related
from shlo.ir.operations import Block, ValueTable
from shlo.ir.source import Source
from shlo.ir.types import Type
from shlo.syntax.parser.module import ModuleParser
from shlo.syntax.parser.scope import ParserScope


class Cell(Struct, frozen=True):
    """A text's outermost operations, and the table of the values that they use.

    `used` are the values that the text uses and does not define, by name. `resources` are those of a Module.
    """

    block: Block
    values: ValueTable
    used: Mapping[str, int]
    diagnostics: tuple[Diagnostic, ...]
    resources: Mapping[tuple[str, ...], str | bytes]


def parse_cell(source: Source, scope_types: Mapping[str, Type]) -> Cell:
    """Reads a text that may use the values of `scope_types`, which maps names (without `%`) to types; raises
    nothing for a bad text.

    The text may define their names again: a use before that is of the given value. What bare operations
    define is not visible in functions, and functions may use the same names.
    """
    with collector_paused():
        parser = ModuleParser(source, make_scope=lambda diagnostics: CellScope(diagnostics, scope_types))
        result = parser.parse()
    scope = parser.state.frame.scope
    assert isinstance(scope, CellScope)
    return Cell(result.block, scope.values, scope.used, tuple(result.diagnostics), result.module.resources)


class CellScope(ParserScope):
    """The outermost scope of a cell: names that the text does not define refer to given values."""

    __slots__ = ("_given", "used")

    def __init__(self, diagnostics: list[Diagnostic], scope_types: Mapping[str, Type]) -> None:
        super().__init__(diagnostics)
        self._given = {name: self.unnamed(type_, 0) for name, type_ in scope_types.items()}
        self.values.names[:] = scope_types
        self.used: dict[str, int] = {}

    def lookup(self, name: str) -> int | None:
        """Returns the value of a name, a given one where the text defines none, and notes its use."""
        value = super().lookup(name)
        if value is None and name.partition("#")[0] not in self.names:
            value = self._given.get(name)
            if value is not None:
                self.used[name] = value
        return value

    def isolated(self) -> ParserScope:
        """Returns the scope of a region in this one that sees neither its names nor the given values."""
        return ParserScope(self.diagnostics)

    def _place(self, value: int, message: str) -> tuple[Related, ...]:
        """A given value has no place in the text."""
        return () if value < len(self._given) else super()._place(value, message)
