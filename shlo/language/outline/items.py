"""Items of an outline: a tree in which consecutive items without anything inside are columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, cast, overload

from msgspec import Struct

from shlo.ir.dtypes import Array
from shlo.ir.source import Source, Span
from shlo.text.numbers import plural

OutlineKind = Literal["program", "module", "function", "symbol", "scope", "argument", "value", "page"]


class OutlineItem(NamedTuple):
    """A thing in the outline: name, what is said beside it, what it is, all of it, its name's place."""

    name: str
    detail: str
    kind: OutlineKind
    span: Span
    name_span: Span
    children: Sequence[OutlineItem] = ()


class Leaves(Struct, frozen=True):
    """Consecutive items of one kind in which nothing is, as columns; their names begin where they do."""

    kind: OutlineKind
    names: list[str]
    details: list[str]
    starts: Array
    ends: Array
    name_ends: Array


class Page(Struct, frozen=True):
    """An item for so many operations that are not shown one by one, named after the lines that they are on:
    the rest of it stays the same wherever it is."""

    span: Span
    operations: int

    @property
    def detail(self) -> str:
        """How many operations it holds."""
        return plural(self.operations, "operation")

    @staticmethod
    def name(first: int, last: int) -> str:
        """Returns the name of one from a line to another, which count from 1."""
        return f"lines {first:,} to {last:,}"


Entry = OutlineItem | Leaves | Page
"""One or many items."""


class Entries(tuple[Entry, ...]):
    """What is in an item, which editions share as long as it stays the same. `written` is what a front end
    has made of it: any thread of its may set that at any time."""

    written: Any = None


class Items(Sequence[OutlineItem]):
    """Items in the order of the text. The places in `entries`, which are the same items, count from `start`:
    items that an edit has only moved share their entries with those before.

    Those in an entry begin where it does, and count from there. `source` is the text that places without an
    entry around count in; those in an entry have none.
    """

    __slots__ = ("_items", "entries", "source", "start")

    def __init__(self, entries: Entries, start: int = 0, source: Source | None = None) -> None:
        self.entries, self.start, self.source = entries, start, source
        self._items: tuple[OutlineItem, ...] | None = None

    def within(self, start: int, source: Source | None) -> Items:
        """Returns the items with their places in a text, in which what they count from is at `start`."""
        return type(self)(self.entries, self.start + start, source)

    @property
    def items(self) -> tuple[OutlineItem, ...]:
        """The items one by one, with their places in the document."""
        if self._items is None:
            self._items = tuple(_placed(self.entries, self.start, self.source))
        return self._items

    @overload
    def __getitem__(self, index: int) -> OutlineItem: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[OutlineItem, ...]: ...

    def __getitem__(self, index: int | slice) -> OutlineItem | tuple[OutlineItem, ...]:
        return self.items[index]

    def __iter__(self) -> Iterator[OutlineItem]:
        return iter(self.items)

    def __len__(self) -> int:
        return sum(len(entry.names) if isinstance(entry, Leaves) else 1 for entry in self.entries)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self.items == tuple(cast("Sequence[object]", other))

    __hash__ = None  # type: ignore[assignment]


class Inside(Items):
    """The items in a function or module, made anew wherever the text of that changes."""

    __slots__ = ()


def _placed(entries: Iterable[Entry], by: int, source: Source | None) -> Iterator[OutlineItem]:
    for entry in entries:
        if isinstance(entry, Leaves):
            columns = (
                column.tolist() for column in (entry.starts + by, entry.ends + by, entry.name_ends + by)
            )
            for name, detail, start, end, name_end in zip(entry.names, entry.details, *columns, strict=True):
                yield OutlineItem(name, detail, entry.kind, Span(start, end), Span(start, name_end))
            continue
        if isinstance(entry, Page):
            span = entry.span.shifted(by)
            lines = [source.line_of(at) for at in span] if source else [0, 0]
            yield OutlineItem(Page.name(*lines), entry.detail, "page", span, Span(span.start, span.start))
            continue
        name, detail, kind, span, name_span, children = entry
        yield OutlineItem(
            name,
            detail,
            kind,
            span.shifted(by),
            name_span.shifted(by),
            children.within(by, source) if isinstance(children, Items) else children,
        )
