"""The names of values while a text is read: which are visible, and which are used before they are defined.

A scope belongs to a region that is isolated from what surrounds it (a function's, a module's). Names
defined in a nested region vanish at its end; as a dict keeps the order of insertion, leaving a region is
cutting off the dict's end.
"""

from __future__ import annotations

from shlo.ir.diagnostics import Diagnostic, Related
from shlo.ir.operations import ValueTable
from shlo.ir.source import Span
from shlo.ir.suggestions import RenameDefinition, Suggestion
from shlo.ir.types import Type, UnknownType
from shlo.syntax.lexer.cursor import ValueUse
from shlo.text.shortening import with_short_words

NO_NAMES: frozenset[str] = frozenset()
TYPE_MISMATCH = "type-mismatch"
"""The code of a use of a value as one of another type than it has."""


class ParserScope:
    """The values of an isolated region and their visible names (without `%`; the results of a pack also as
    `x#1`).

    `outer` are names that are visible outside: they can be neither used nor defined again. `places[value]` is
    the offset of a value's definition, or of its first use before that. Where `lenient`, unknown names are
    not reported: the region belongs to an operation that is broken itself. `unstable` are the names that were
    used before their definition or defined twice: what an operation makes of them depends on more than the
    last definition above it.
    """

    __slots__ = ("diagnostics", "forward", "lenient", "names", "outer", "places", "unstable", "values")

    follows_definitions = False
    """Whether every definition goes through `define`, and not over the cache of lines."""

    def __init__(self, diagnostics: list[Diagnostic], outer: frozenset[str] = NO_NAMES) -> None:
        self.values = ValueTable()
        self.names: dict[str, int] = {}
        self.forward: dict[str, tuple[int, Span]] = {}
        self.places: list[int] = []
        self.unstable: set[str] = set()
        self.diagnostics = diagnostics
        self.lenient = False
        self.outer = outer

    def isolated(self) -> ParserScope:
        """Returns the scope of a region in this one that sees nothing of it. Inside a broken operation, where
        the region may have come by accident, it may use the names around it again."""
        return ParserScope(self.diagnostics, outer=NO_NAMES if self.lenient else self.outer.union(self.names))

    def leave_region(self, size: int) -> None:
        """Forgets the names defined since there were `size` of them."""
        names = self.names
        if not size:
            names.clear()
        while len(names) > size:
            names.popitem()

    def resolve(self, use: ValueUse, type_: Type) -> int:
        """Returns the value that a use with a type speaks of; one not defined yet is noted for later."""
        value = self.lookup(use.name)
        if value is None:
            return self._refer_forward(use, type_)
        defined_type = self.values.types[value]
        if (
            defined_type != type_
            and not isinstance(defined_type, UnknownType)
            and not isinstance(type_, UnknownType)
        ):
            self._report_type(use, type_, defined_type, value)
        return value

    def lookup(self, name: str) -> int | None:
        """Returns the value of a visible name; `x#0` also finds the only result `x`."""
        value = self.names.get(name)
        if value is None and name.endswith("#0"):
            return self.names.get(name[:-2])
        return value

    def define(self, name: str, type_: Type, span: Span) -> int:
        """Returns a new value of that name."""
        if name in self.outer:
            self._report_redefinition(name, span, more=", which is defined outside")
            self.outer = NO_NAMES  # more likely than not a brace is missing above: saying it once is enough
        if name in self.names:
            self.unstable.add(name)
            earlier = self._place(self.names[name], "defined here before")
            self._report_redefinition(name, span, earlier)
            return self._new(type_, name, span)
        if name in self.forward:
            value = self._bind_forward(name, type_)
            self.places[value] = span.start
        else:
            value = self._new(type_, name, span)
        self.names[name] = value
        return value

    def define_group(self, name: str, types: tuple[Type, ...], span: Span) -> tuple[int, ...]:
        """Returns the values `%name#0`, `%name#1`, ... of a pack; the bare name refers to the first."""
        values = tuple(self.define(f"{name}#{index}", type_, span) for index, type_ in enumerate(types))
        if name in self.names:
            self.unstable.add(name)
            self._report_redefinition(name, span)
        elif values:
            if name in self.forward:
                self._bind_forward(name, types[0])
            self.names[name] = values[0]
        return values

    def unnamed(self, type_: Type, start: int) -> int:
        """Returns a value without a name, defined at an offset."""
        return self._new(type_, "", Span(start, start))

    def forget_unknown(self, remaining: set[str]) -> None:
        """Drops the names that are not defined yet, but for `remaining`."""
        self.forward = {name: use for name, use in self.forward.items() if name in remaining}

    def close(self) -> None:
        """Reports the names that were used and never defined."""
        for name, (_, span) in self.forward.items():
            if not self.lenient:
                self._report(f"use of undeclared value '%{name}'", span)

    def _refer_forward(self, use: ValueUse, type_: Type) -> int:
        self.unstable.add(use.name)
        base, _, number = use.name.partition("#")
        if number and base in self.names:
            self._report(f"'%{base}' has no result number {number}", use.span)
            return self._new(type_, use.name, use.span)
        if use.name in self.forward:
            value, first = self.forward[use.name]
            defined_type = self.values.types[value]
            if defined_type != type_ and not isinstance(defined_type, UnknownType):
                self._report(
                    f"'%{use.name}' is used as {type_} here, but as {defined_type} before",
                    use.span,
                    (Related(first, "used here before"),),
                    TYPE_MISMATCH,
                )
            return value
        value = self._new(type_, use.name, use.span)
        self.forward[use.name] = (value, use.span)
        return value

    def _bind_forward(self, name: str, type_: Type) -> int:
        value, span = self.forward.pop(name)
        used_as = self.values.types[value]
        if used_as != type_ and not isinstance(used_as, UnknownType) and not isinstance(type_, UnknownType):
            self._report(
                f"'%{name}' is used as {used_as}, but is defined as {type_} below", span, code=TYPE_MISMATCH
            )
        self.values.types[value] = type_
        return value

    def _report_type(self, use: ValueUse, type_: Type, defined_type: Type, value: int) -> None:
        related = self._place(value, "defined here")
        message = f"'%{use.name}' is used as {type_}, but it is {defined_type}"
        self._report(message, use.span, related, TYPE_MISMATCH)

    def _new(self, type_: Type, name: str, span: Span) -> int:
        self.places.append(span.start)
        return self.values.define(type_, name)

    def place(self, value: int) -> int:
        """Returns the offset of a value's definition, or of its first use before that."""
        return self.places[value]

    def _place(self, value: int, message: str) -> tuple[Related, ...]:
        start = self.place(value)
        return (Related(Span(start, start + 1), message),)

    def _report(
        self,
        message: str,
        span: Span,
        related: tuple[Related, ...] = (),
        code: str = "syntax",
        suggestions: tuple[Suggestion, ...] = (),
    ) -> None:
        message = with_short_words(message)
        self.diagnostics.append(Diagnostic(message, span, code, related=related, suggestions=suggestions))

    def _report_redefinition(
        self, name: str, span: Span, related: tuple[Related, ...] = (), more: str = ""
    ) -> None:
        message = f"redefinition of value '%{name}'{more}"
        self._report(message, span, related, suggestions=(RenameDefinition(name),))
