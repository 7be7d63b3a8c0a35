"""Guests: operations of dialects that are not known, in their pretty form, read as far as the text shows.

The text up to the next operation is gone through by tokens. `%names` in it are uses, but for those that
nothing defines and a region follows: its arguments. A `{` with an operation or label behind it opens a
region, any other one a dictionary. Types of results are those behind a last `->`, or a single one behind a
last `:` where that mostly is the type of the result.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct, field

from shlo.dialects import DIALECT_MODULES, find_dialect
from shlo.ir.attributes import StringAttr, UnitAttr
from shlo.ir.operations import OPAQUE, Region
from shlo.ir.types import UNKNOWN, Type
from shlo.syntax.assembly_format.parse_state import EntryArgument, ParsedOperation, SuccessorUse
from shlo.syntax.lexer.cursor import Cursor, SyntaxFault, ValueUse
from shlo.syntax.lexer.strings import unescape
from shlo.syntax.lexer.tokens import Token, line_span, tokens
from shlo.syntax.parser.recovery import region_has_label, starts_body, starts_operation
from shlo.syntax.parser.regions import RegionParser
from shlo.syntax.types.parse import parse_type

SIMILAR: Final = 0.8
"""How similar a misspelt name is to the right one: twice what they share over their lengths."""
_COLON: Final = re.compile(r"[ \t]*:(?!:)")
_SYMBOL_MAKERS: Final = re.compile(r"global|func|module|symbol|variant|binding|executable|variable")
_RESULT_ELSEWHERE: Final = re.compile(
    r"load|extract|cmp|dim|rank|size|read|offset|index|id\b|wait|get|store|^(?:re|im|abs|angle)$"
)
"""Operations whose last type mostly is that of an operand."""


def misspelt_dialect(name: str) -> str | None:
    """Returns the known dialect that the name of an unknown one looks like."""
    from difflib import SequenceMatcher

    ratios = [(SequenceMatcher(None, name, dialect).ratio(), dialect) for dialect in DIALECT_MODULES]
    ratio, closest = max(ratios)
    if name.endswith("hlo"):
        return "stablehlo"
    return closest if ratio >= SIMILAR else None


def misspelt_operation(name: str) -> str | None:
    """Returns the operation of a known dialect that the name of an unknown one looks like."""
    from difflib import SequenceMatcher

    dialect, _, short = name.partition(".")
    registered = find_dialect(dialect)
    names = [op_name.partition(".")[2] for op_name in registered.op_defs] if registered else []
    ratio, closest = max(
        [(SequenceMatcher(None, short, op_name).ratio(), op_name) for op_name in names], default=(0.0, "")
    )
    return f"{dialect}.{closest}" if ratio >= SIMILAR else None


def parse_guest(regions: RegionParser, name: str, result_count: int) -> ParsedOperation:
    """Parses what is behind the name of an operation that no definition describes."""
    return _Guest(regions, name, result_count).parse()


class _Guest(Struct):
    regions: RegionParser
    name: str
    result_count: int
    uses: list[ValueUse] = field(default_factory=list[ValueUse])
    successors: list[SuccessorUse] = field(default_factory=list[SuccessorUse])
    new: dict[str, tuple[ValueUse, Type]] = field(default_factory=dict[str, tuple[ValueUse, Type]])
    symbol: str | None = None
    colon: int | None = None
    arrow: int | None = None
    has_brackets: bool = False
    end: int = 0

    @property
    def cursor(self) -> Cursor:
        """The cursor of the text."""
        return self.regions.cursor

    def parse(self) -> ParsedOperation:
        """Parses up to the operation's end."""
        state, parsed = self.regions.state, ParsedOperation([])
        self.end = self.cursor.pos
        while (opening := self._header()) is not None:
            self.cursor.pos = opening
            parsed.regions.append(self._region())
            self.end = self.cursor.pos
            self.colon = self.arrow = None
        self._use_new()
        types = self._result_types()
        self.cursor.pos = self.end
        scope = state.frame.scope
        values = [scope.lookup(use.name) for use in self.uses]
        parsed.operands = self.uses
        parsed.operand_types = tuple(
            UNKNOWN if value is None else scope.values.types[value] for value in values
        )
        parsed.result_types = types
        parsed.successors = self.successors
        parsed.attributes = {OPAQUE: UnitAttr()}
        if self.symbol is not None and (parsed.regions or self._makes_symbol()):
            parsed.properties = {"sym_name": StringAttr(self.symbol)}
        return parsed

    # --- the text between regions

    def _header(self) -> int | None:
        """Goes through the text up to a region, whose offset it returns, or to the operation's end."""
        text, depth = self.cursor.text, 0
        line_end = line_span(text, self.end).end
        for token in tokens(text, self.end):
            at = token.span.start
            if at >= line_end:
                if self._ends_before(line_end, at, depth):
                    return None
                line_end = line_span(text, at).end
            if token.text == "{" and starts_body(text, at):
                return at
            if token.kind == "mark" and token.text in "([{":
                depth += 1
                self.has_brackets |= token.text == "["
            elif token.kind == "mark" and token.text in ")]}":
                if depth == 0:
                    return None
                depth -= 1
            elif depth == 0 and token.text == "loc" and text.startswith("(", token.span.end):
                return None
            self._token(token, depth)
            if token.kind != "comment":
                self.end = token.span.end
        return None

    def _ends_before(self, line_end: int, at: int, depth: int) -> bool:
        """Returns whether the operation ends with a line, where the next token is at an offset: no more than
        its brackets are open, and an empty line or an operation follows."""
        text = self.cursor.text
        if depth and text[at] in "}^":
            return False
        return starts_operation(text, at) or (not depth and text.count("\n", line_end, at) > 1)

    def _token(self, token: Token, depth: int) -> None:
        if token.kind == "value":
            self._value(ValueUse(token.text[1:], token.span))
        elif token.kind == "label":
            self.successors.append(SuccessorUse(token.text[1:], token.span))
        elif token.kind == "symbol" and self.symbol is None and depth == 0 and not self.result_count:
            written = token.text[1:]
            self.symbol = unescape(written.strip('"')) if written.startswith('"') else written
        elif token.text == ":" and depth == 0:
            self.colon, self.arrow = token.span.end, None
        elif token.text == "->" and depth == 0:
            self.arrow = token.span.end

    def _value(self, use: ValueUse) -> None:
        if self.symbol is not None or self.regions.state.frame.scope.lookup(use.name) is None:
            if use.name not in self.new:
                self.new[use.name] = use, self._type_after(use.span.end)
        else:
            self.uses.append(use)

    def _type_after(self, at: int) -> Type:
        """Returns the type in `%x: type`, where it can be read."""
        match = _COLON.match(self.cursor.text, at)
        return (match and self._readable(match.end())) or UNKNOWN

    def _readable(self, at: int) -> Type | None:
        """Returns the type at an offset, None where there is none; the cursor is left behind it."""
        cursor, count = self.cursor, len(self.cursor.diagnostics)
        cursor.pos = at
        try:
            return parse_type(cursor)
        except SyntaxFault:
            return None
        finally:
            del cursor.diagnostics[count:]

    def _makes_symbol(self) -> bool:
        return _SYMBOL_MAKERS.search(self.name.rpartition(".")[2]) is not None

    # --- regions and results

    def _region(self) -> Region:
        """Parses a region. What is new in the text before are its arguments, if its block names none."""
        if region_has_label(self.cursor.text, self.cursor.pos):
            self._use_new()
        arguments = [EntryArgument(use, type_) for use, type_ in self.new.values() if "#" not in use.name]
        self.new.clear()
        with self.regions.state.within(default_dialect=""):
            return self.regions.region(arguments or None, self.symbol is not None)

    def _use_new(self) -> None:
        """Names that no region followed are uses of what is not defined, or not yet; in the declaration of a
        function they are names of its arguments."""
        if self.symbol is not None and self._makes_symbol():
            self.new.clear()
        self.uses += [use for use, _ in self.new.values()]
        self.new.clear()

    def _result_types(self) -> tuple[Type, ...]:
        count = self.result_count
        if count and self.arrow is not None:
            types = self._types(self.arrow)
        elif count == 1 and self.colon is not None and self._says_result():
            types = self._types(self.colon)
        else:
            types = ()
        return types if len(types) == count else (UNKNOWN,) * count

    def _says_result(self) -> bool:
        return not self.has_brackets and _RESULT_ELSEWHERE.search(self.name.rpartition(".")[2]) is None

    def _types(self, at: int) -> tuple[Type, ...]:
        """Returns the types from an offset to the operation's end; none where they cannot be read."""
        cursor, types = self.cursor, list[Type]()
        cursor.pos = at
        in_parentheses = cursor.accept("(")
        while (type_ := self._readable(cursor.pos)) is not None:
            types.append(type_)
            if not cursor.accept(","):
                break
        if in_parentheses:
            cursor.accept(")")
        is_whole = cursor.skip() >= self.end or cursor.text.startswith(("{", "attributes"), cursor.pos)
        return tuple(types) if is_whole else ()
