"""Where every name of a program's text is: values, labels of blocks, symbols, aliases.

The index knows nothing until it is asked: the module says which operation is at an offset, and the text
of the few operations that matter is read then. So a hover in a large program costs little after an edit.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct

from shlo.ir.op_path import OpFinder, OpPath, children_in, root_of
from shlo.ir.operations import Module
from shlo.ir.source import Span
from shlo.language.index.op_names import NameInText
from shlo.language.index.symbols import Alias, Aliases, Symbol, SymbolIndex
from shlo.language.index.values import Value, Values, is_broken
from shlo.syntax.lexer.tokens import Token, line_span, token_at, tokens


class Label(Struct, frozen=True):
    """A block's label without `^`: the operation and the number of the region that holds the block;
    `definition` is the place of the label before its block, None where no block has it."""

    name: str
    holder: OpPath
    region: int
    definition: Span | None


Target = Value | Label | Symbol | Alias
"""What a name in a text can refer to."""


class Occurrence(NamedTuple):
    """A place of a name, with its sign; `is_definition` says that the name gets its meaning there."""

    span: Span
    is_definition: bool


class Index:
    """The names of one program. Offsets count from its start."""

    def __init__(self, text: str, module: Module) -> None:
        self.text = text
        self.root = root_of(module, text)
        self.values = Values(text)
        self._finder = OpFinder(self.root)

    @cached_property
    def symbols(self) -> SymbolIndex:
        """Returns the symbols of the program."""
        return SymbolIndex(self.text, self.root, self._finder)

    @cached_property
    def aliases(self) -> Aliases:
        """Returns the aliases of the program."""
        return Aliases(self.text)

    def place_at(self, offset: int) -> OpPath:
        """Returns the innermost operation that holds an offset or ends there."""
        return self._finder.innermost(offset)

    def target_at(self, offset: int) -> tuple[Token, Target] | None:
        """Returns the name at an offset and what it refers to, None where there is none."""
        token = token_at(self.text, offset)
        target = self.target(token) if token else None
        return (token, target) if token and target else None

    def target(self, token: Token) -> Target | None:
        """Returns what a token refers to."""
        if token.kind == "value":
            return self.value(token)
        if token.kind == "label":
            return self._label(token)
        if token.kind in ("attribute", "type"):
            return self.aliases.alias(token)
        if token.kind == "symbol":
            return self.symbols.resolve(token)
        if token.kind == "string" and self._is_symbol_name(token):
            return next((symbol for symbol in self.symbols.all if symbol.definition == token.span), None)
        return None

    def value(self, token: Token) -> Value | None:
        """Returns the value that a `%name` refers to."""
        op_path, name = self._name(token)
        return self.values.named(op_path, name) if name else None

    def _name(self, token: Token) -> tuple[OpPath, NameInText | None]:
        innermost = self.place_at(token.span.start)
        for op_path in innermost.around():
            for name in self.values.names(op_path):
                if name.span.start == token.span.start:
                    return op_path, name
        return innermost, None

    def _label(self, token: Token) -> Label | None:
        op_path, name = self._name(token)
        if name is None:
            return None
        if name.role == "label":
            return Label(name.name, op_path, name.region, name.span)
        holder = op_path.parent
        if holder is None:
            return None
        definitions = (
            label.span
            for label in self.values.names(holder)
            if label.role == "label" and (label.name, label.region) == (name.name, op_path.region)
        )
        return Label(name.name, holder, op_path.region, next(definitions, None))

    def _is_symbol_name(self, token: Token) -> bool:
        before = self.text[line_span(self.text, token.span.start).start : token.span.start]
        return before.rstrip().endswith("=") and before.rstrip("= \t").endswith("sym_name")

    def occurrences(self, target: Target) -> list[Occurrence]:
        """Returns every place of what a name refers to, in the order of the text."""
        if isinstance(target, Value):
            spans = {name.span for name, _ in self.values.occurrences(target)}
        elif isinstance(target, Label):
            spans = set(self._label_spans(target))
        elif isinstance(target, Symbol):
            spans = set(self.symbols.occurrences(target))
        else:
            spans = set(self.aliases.occurrences(target))
        return [Occurrence(span, span == target.definition) for span in sorted(spans)]

    def _label_spans(self, label: Label) -> Iterator[Span]:
        if label.definition is not None:
            yield label.definition
        for op_path in children_in(label.holder, label.region, label.holder.operation.regions[label.region]):
            if op_path.operation.successors or is_broken(op_path):
                for token in tokens(self.text, op_path.start, op_path.end):
                    if token.kind == "label" and token.text[1:] == label.name:
                        yield token.span
