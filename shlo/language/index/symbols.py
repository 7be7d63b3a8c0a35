"""Symbols (functions, modules, meshes) and aliases: where a program defines them and uses them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Literal

from msgspec import Struct

from shlo.ir.op_path import OpFinder, OpPath, children_of
from shlo.ir.operations import BROKEN, OPAQUE, Operation
from shlo.ir.source import Span
from shlo.syntax.lexer.strings import unescape
from shlo.syntax.lexer.tokens import STRING, Token, alias_definitions, is_code, tokens

MODULE = "builtin.module"
BROKEN_DEFINITION = re.compile(
    rf"\s*(?:func\.func|func|builtin\.module|module|sdy\.mesh)\b[^@\n]*?@({STRING}|[\w$.]+)", re.ASCII
)
GENERIC_NAME = re.compile(rf"\bsym_name\s*=\s*({STRING})")
NAME_END = re.compile(r"[\w$.-]", re.ASCII)


class Symbol(Struct, frozen=True, eq=False):
    """A symbol: its name without `@`, the operation that defines it, the place of its name there."""

    name: str
    place: OpPath
    definition: Span


class Alias(Struct, frozen=True):
    """An alias of an attribute (`#name`) or type (`!name`), its sign with it; `definition` is the place of
    the name in its definition, None where there is none."""

    name: str
    kind: Literal["attribute", "type"]
    definition: Span | None


class SymbolIndex:
    """The symbols of a program, each in the module that defines it."""

    def __init__(self, text: str, root: OpPath, finder: OpFinder) -> None:
        self.text, self.root, self._finder = text, root, finder

    @cached_property
    def all(self) -> tuple[Symbol, ...]:
        """Every symbol in the order of the text, those of nested modules with it."""
        return tuple(self._in(self.root, is_root=True))

    def _in(self, module: OpPath, is_root: bool = False) -> Iterator[Symbol]:
        if is_root and (symbol := self._symbol(module)):
            yield symbol
        for op_path in children_of(module):
            if symbol := self._symbol(op_path):
                yield symbol
            if op_path.operation.regions and _may_hold_symbols(op_path.operation):
                yield from self._in(op_path)

    def _symbol(self, op_path: OpPath) -> Symbol | None:
        if op_path.operation.name == BROKEN:
            match = BROKEN_DEFINITION.match(self.text, op_path.start, op_path.end)
            return match and Symbol(_unquoted(match[1]), op_path, Span(match.start(1) - 1, match.end(1)))
        name = op_path.operation.symbol
        if name is None:
            return None
        span = self._name_span(op_path, name)
        return Symbol(name, op_path, span) if span else None

    def _name_span(self, op_path: OpPath, name: str) -> Span | None:
        head_end = next((child.start for child in children_of(op_path)), op_path.end)
        for token in tokens(self.text, op_path.start, head_end):
            if token.kind == "symbol" and _unquoted(token.text[1:]) == name:
                return token.span
        match = GENERIC_NAME.search(self.text, op_path.start, op_path.end)
        return Span(*match.span(1)) if match else None

    def resolve(self, token: Token) -> Symbol | None:
        """Returns what `@name` refers to: in the modules around it, or in `@a` for `@a::@name`."""
        start, name = token.span.start, _unquoted(token.text[1:])
        if self.text[:start].rstrip().endswith("::"):
            outer = self._before(start)
            return self._find(outer.place, name) if outer else None
        defined = next((symbol for symbol in self.all if symbol.definition == token.span), None)
        return defined or self.visible(self._finder.innermost(start), name)

    def visible(self, op_path: OpPath, name: str) -> Symbol | None:
        """Returns the symbol that a name is at an operation: the one in the innermost module around."""
        around = (outer for outer in op_path.around() if outer.operation.regions)
        return next(filter(None, (self._find(outer, name) for outer in around)), None)

    def _find(self, module: OpPath, name: str) -> Symbol | None:
        """Returns the symbol of a name right inside a module."""
        for symbol in self.all:
            parent = symbol.place.parent
            if symbol.name == name and parent is not None and parent.operation is module.operation:
                return symbol
        return None

    def _before(self, start: int) -> Symbol | None:
        line = self.text.rfind("\n", 0, start) + 1
        symbols = [token for token in tokens(self.text, line, start) if token.kind == "symbol"]
        return self.resolve(symbols[-1]) if symbols else None

    def occurrences(self, symbol: Symbol) -> Iterator[Span]:
        """Yields the place of its definition, and of each use."""
        yield symbol.definition
        written = self.text[symbol.definition.start : symbol.definition.end]
        forms = {f'@"{_unquoted(written.lstrip("@"))}"', f"@{_unquoted(written.lstrip('@'))}"}
        for form in sorted(forms):
            for span in occurrences(self.text, form):
                resolved = self.resolve(Token("symbol", form, span))
                if span != symbol.definition and resolved and resolved.definition == symbol.definition:
                    yield span


class Aliases:
    """The aliases that a program defines."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def definitions(self) -> dict[str, Span]:
        """The places of the names in their definitions."""
        return {match[1]: Span(*match.span(1)) for match in alias_definitions(self.text)}

    def alias(self, token: Token) -> Alias | None:
        """Returns the alias that `#name` or `!name` is, None for attributes and types of a dialect."""
        if "." in token.text:
            return None
        kind = "type" if token.kind == "type" else "attribute"
        return Alias(token.text, kind, self.definitions.get(token.text))

    def definition_text(self, alias: Alias) -> str:
        """Returns what an alias refers to, as the first line of its definition says it."""
        if alias.definition is None:
            return ""
        end = self.text.find("\n", alias.definition.end)
        return self.text[alias.definition.end : None if end < 0 else end].lstrip(" \t=").rstrip()

    def occurrences(self, alias: Alias) -> Iterator[Span]:
        """Yields every place of its name."""
        return occurrences(self.text, alias.name)


def occurrences(text: str, name: str) -> Iterator[Span]:
    """Yields where a name is in code as a whole word, its sign with it."""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        if not NAME_END.match(text, end) and is_code(text, at):
            yield Span(at, end)
        at = text.find(name, end)


def _may_hold_symbols(operation: Operation) -> bool:
    return operation.name in (MODULE, BROKEN) or OPAQUE in operation.signature.attributes


def _unquoted(written: str) -> str:
    """Returns a symbol's name from what is behind its `@`."""
    return unescape(written.strip('"')) if written.startswith('"') else written
