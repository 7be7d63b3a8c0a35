"""State that the parts of the module parser share: the cursor, and the frame of the current operation."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, NamedTuple

from msgspec import Struct

from shlo.ir.diagnostics import Diagnostic
from shlo.ir.operations import Region
from shlo.ir.source import Source, Span
from shlo.syntax.lexer.cursor import Cursor
from shlo.syntax.parser.braces import BraceHints, brace_hints, missing_braces
from shlo.syntax.parser.parse_result import Lookahead, UnstableNames
from shlo.syntax.parser.scope import ParserScope


class Labels:
    """A region's blocks by label: numbered at the first mention, with a position once parsed."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.uses: dict[str, Span] = {}
        self.positions: dict[int, int] = {}

    def number(self, label: str, use: Span | None = None) -> int:
        """Returns the number of a label; `use` is the span of a successor that names it."""
        if use is not None:
            self.uses.setdefault(label, use)
        return self.numbers.setdefault(label, len(self.numbers))


class ParsedRegion(Struct, frozen=True):
    """A region, where its text ends, and the dialect that may be left out in it."""

    region: Region
    end: int
    dialect: str


class ParserFrame(NamedTuple):
    """What holds inside the operation or region being parsed.

    Attributes:
        scope: The visible values.
        labels: The blocks of the region.
        regions: The regions of the operation parsed so far; where it turns out to be broken they are kept.
        origin: The offset of the operation whose regions are being parsed.
        default_dialect: The dialect whose name may be left out.
        opening: Where the innermost region starts, -1 outside of all.
    """

    scope: ParserScope
    labels: Labels
    regions: list[ParsedRegion]
    origin: int = 0
    default_dialect: str = "builtin"
    opening: int = -1


class ParserState:
    """The cursor, the frame, and which operation each diagnostic belongs to.

    Attributes:
        owners: For each diagnostic the offset of the operation that was being parsed.
        lookaheads: The operations that depend on text behind what follows them, and how far.
        unstable: The unstable names of closed scopes by the identity of their value tables.
        hints: What to do about braces that are missing or too many.
        missing_before: The last statement before which a brace was reported as missing, -1 for none. What
            else is wrong there follows from it.
        has_inner_definitions: Whether an alias is defined inside an operation, where MLIR allows none.
    """

    def __init__(
        self,
        source: Source,
        cursor: Cursor,
        make_scope: Callable[[list[Diagnostic]], ParserScope],
        hints: BraceHints | None = None,
    ) -> None:
        self.source = source
        self.cursor = cursor
        self.frame = ParserFrame(make_scope(self.cursor.diagnostics), Labels(), [])
        self.hints = brace_hints(source.text, missing_braces(source.text)) if hints is None else hints
        self.owners: list[int] = []
        self.lookaheads: list[Lookahead] = []
        self.unstable: dict[int, UnstableNames] = {}
        self.missing_before = -1
        self.has_inner_definitions = False
        self.owner = 0

    def within(self, **changes: Any) -> _Within:
        """Returns a context in which the frame has some other values."""
        return _Within(self, self.frame._replace(**changes))

    def set_owner(self, owner: int) -> int:
        """Ascribes the diagnostics since the last call; later ones are `owner`'s. Returns the old owner."""
        missing = len(self.cursor.diagnostics) - len(self.owners)
        if missing:
            self.owners.extend([self.owner] * missing)
        before, self.owner = self.owner, owner
        return before

    @contextmanager
    def owned_by(self, owner: int) -> Generator[None]:
        """Ascribes the diagnostics found inside to the operation at an offset."""
        before = self.set_owner(owner)
        try:
            yield
        finally:
            self.set_owner(before)

    def close_scope(self) -> None:
        """Reports the names that the scope's text uses and does not define."""
        scope = self.frame.scope
        scope.close()
        if scope.unstable:
            self.unstable[id(scope.values)] = UnstableNames(scope.values, frozenset(scope.unstable))


class _Within:
    """Puts a frame in place of the state's own while its block runs."""

    __slots__ = ("_inner", "_outer", "_state")

    def __init__(self, state: ParserState, inner: ParserFrame) -> None:
        self._state, self._inner, self._outer = state, inner, state.frame

    def __enter__(self) -> ParserFrame:
        self._state.frame = self._inner
        return self._inner

    def __exit__(self, *_: object) -> None:
        self._state.frame = self._outer
