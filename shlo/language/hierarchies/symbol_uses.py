"""Uses of a program's symbols, all found in one pass over the text: calls, decompositions, bodies, meshes."""

from __future__ import annotations

import re

from shlo.ir.op_path import OpPath
from shlo.ir.source import Span
from shlo.language.document import Part, once_per_part
from shlo.language.index.symbols import Symbol
from shlo.syntax.lexer.strings import unescape
from shlo.syntax.lexer.tokens import IDENTIFIER, STRING, Token, is_code

USE = re.compile(rf"@({STRING}|{IDENTIFIER})", re.ASCII)


class SymbolUses:
    """The symbols of a program and the places of their names, definitions left out."""

    def __init__(self, part: Part) -> None:
        symbols = part.index.symbols
        self._index = part.index  # not the part: what is kept for a part must not keep the part
        self.symbols = symbols.all
        self._by_operation = {id(each.place.operation): each for each in self.symbols}
        self._by_name: dict[tuple[int, str], Symbol] = {}
        for each in self.symbols:
            parent = each.place.parent
            self._by_name.setdefault((id(parent.operation) if parent else 0, each.name), each)
        self._known = {each.name for each in self.symbols}
        self._spans: dict[int, list[Span]] = {}
        self._definitions = {each.definition.start for each in self.symbols}
        for start, end, symbol in self.in_text(0, len(part.text)):
            self._spans.setdefault(symbol.definition.start, []).append(Span(start, end))

    def in_text(self, start: int, end: int) -> list[tuple[int, int, Symbol]]:
        """Returns the uses of symbols in a stretch of the text: start, end, what is used."""
        text, found = self._index.text, list[tuple[int, int, Symbol]]()
        for match in USE.finditer(text, start, end):
            at, written = match.start(), match[1]
            name = unescape(written.strip('"')) if written[0] == '"' else written
            if name in self._known and at not in self._definitions and is_code(text, at):
                symbol = self._resolved(name, match)
                if symbol is not None:
                    found.append((at, match.end(), symbol))
        return found

    def _resolved(self, name: str, match: re.Match[str]) -> Symbol | None:
        if match.string.endswith("::", 0, match.start()):
            return self._index.symbols.resolve(Token("symbol", match[0], Span(*match.span())))
        for place in self._index.place_at(match.start()).around():
            if place.operation.regions:
                symbol = self._by_name.get((id(place.operation), name))
                if symbol is not None:
                    return symbol
        return None

    def of(self, symbol: Symbol) -> list[Span]:
        """Returns where a symbol is used, in the order of the text."""
        return self._spans.get(symbol.definition.start, [])

    def holder(self, offset: int) -> Symbol | None:
        """Returns the innermost symbol whose operation holds an offset."""
        return next(filter(None, map(self.defined_by, self._index.place_at(offset).around())), None)

    def defined_by(self, place: OpPath) -> Symbol | None:
        """Returns the symbol that an operation defines."""
        return self._by_operation.get(id(place.operation))


@once_per_part
def symbol_uses(part: Part) -> SymbolUses:
    """Returns the uses of a program's symbols."""
    return SymbolUses(part)
