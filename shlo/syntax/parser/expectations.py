"""What fits behind an unfinished operation: what the parser tries to read at the end of its text.

It is the parser itself that runs, with the operation's assembly format, so it expects what it accepts.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Collection
from typing import Literal, NoReturn, TypeVar, cast

from msgspec import Struct

from shlo.dialects.attr_constraints import EnumDef
from shlo.dialects.opdef import AttributeDef
from shlo.ir.recursion import recursive
from shlo.ir.source import Source, Span
from shlo.ir.suggestions import Suggestion
from shlo.syntax.lexer.context import AliasTable
from shlo.syntax.lexer.cursor import VALUE, Cursor, EntryOwner, Expectable, SyntaxFault
from shlo.syntax.parser.definitions import parse_definition
from shlo.syntax.parser.module import ModuleParser

MAX_TEXT = 100_000
"""Characters of an unfinished operation that is read."""


Item = TypeVar("Item")
ExpectationKind = Literal[
    "literal",
    "value",
    "attribute",
    "word",
    "entry",
    "entry value",
    "type",
    "function type",
    "integers",
    "operation",
]


class ExpectedItem(Struct, frozen=True):
    """Something that fits: punctuation or a keyword `text`, an entry of a list of `owner` that has those
    `written` already, the value of its entry `text`, or another part of the grammar."""

    kind: ExpectationKind
    text: str = ""
    of: AttributeDef | EnumDef | None = None
    owner: EntryOwner = None
    written: frozenset[str] = frozenset()


class Expectations(Struct, frozen=True):
    """What fits, in the order of the grammar, and the attribute to whose value it belongs, if any."""

    items: tuple[ExpectedItem, ...] = ()
    attribute: str = ""


def _layer(table: dict[str, Item]) -> dict[str, Item]:
    """Returns a table that has what another one has, which may be large, and takes entries of its own."""
    return cast("dict[str, Item]", ChainMap[str, Item]({}, table))


class ExpectationCursor(Cursor):
    """Collects what the parser tries to read at the end of the text, up to where it cannot do without."""

    goes_on = True

    def __init__(self, text: str, aliases: AliasTable) -> None:
        super().__init__(text)
        self.aliases = AliasTable(
            _layer(aliases.attributes), _layer(aliases.types), extents=_layer(aliases.extents)
        )
        self.items: dict[ExpectedItem, None] = {}
        self.is_over = False

    def _add(self, expectation: ExpectedItem) -> None:
        if not self.is_over and self.at_end:
            self.items[expectation] = None

    def expects(self, what: Expectable) -> None:
        """Adds what a part of the grammar reads."""
        if isinstance(what, str):
            self._add(ExpectedItem(what))
        else:
            self._add(ExpectedItem("attribute" if isinstance(what, AttributeDef) else "word", of=what))

    def expects_entry(self, owner: EntryOwner, written: Collection[str]) -> None:
        """Adds an entry of a list."""
        self._add(ExpectedItem("entry", owner=owner, written=frozenset(written)))

    def expects_entry_value(self, owner: EntryOwner, name: str) -> None:
        """Adds the value of an entry."""
        self._add(ExpectedItem("entry value", name, owner=owner))

    def accept(self, literal: str) -> bool:
        """Adds the literal at the end of the text."""
        if self.at_end:
            self._add(ExpectedItem("value") if literal == "%" else ExpectedItem("literal", literal))
            return False
        return super().accept(literal)

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Adds a value where one is looked for at the end of the text."""
        if pattern is VALUE:
            self._add(ExpectedItem("value"))
        return super().match(pattern)

    def fail(
        self,
        message: str,
        span: Span | None = None,
        suggestions: tuple[Suggestion, ...] = (),
        code: str = "syntax",
    ) -> NoReturn:
        """Ends the collection: at the end of the text, something is missing that is no choice."""
        self.is_over = True
        super().fail(message, span, suggestions, code)


@recursive
def expectations(text: str, default_dialect: str, aliases: AliasTable) -> Expectations:
    """Returns what fits behind a text: the start of an operation, of the label of a block or of an alias."""
    if len(text) > MAX_TEXT:
        return Expectations()
    cursor = ExpectationCursor(text, aliases)
    parser = ModuleParser(Source(text), cursor=cursor)
    parser.state.frame.scope.lenient = True
    state = parser.state
    start = cursor.peek()
    try:
        with state.within(default_dialect=default_dialect):
            if start == "^":
                parser.regions.labelled_block(0)
            elif start not in ("#", "!") or not parse_definition(state, is_outermost=True):
                parser.single.operation(cursor.pos)
    except SyntaxFault:
        pass
    finally:
        parser.release()
    return Expectations(tuple(cursor.items), cursor.attribute)
