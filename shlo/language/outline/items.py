"""Items of an outline: a tree in which consecutive items without anything inside are columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, Self, cast, overload

from shlo.ir.dtypes import Array
from shlo.ir.source import Span

OutlineKind = Literal["program", "module", "function", "symbol", "scope", "argument", "value", "page"]


class OutlineItem(NamedTuple):
    """A thing in the outline: name, what is said beside it, what it is, all of it, its name's place."""

    name: str
    detail: str
    kind: OutlineKind
    span: Span
    name_span: Span
    children: Sequence[OutlineItem] = ()


class Leaves(NamedTuple):
    """Consecutive items of one kind in which nothing is, as columns; their names begin where they do."""

    kind: OutlineKind
    names: list[str]
    details: list[str]
    starts: Array
    ends: Array
    name_ends: Array


Entry = OutlineItem | Leaves
"""One or many items."""


class Items(Sequence[OutlineItem]):
    """Items in the order of the text. The places in `entries`, which are the same items, count from `start`:
    items that an edit has only moved share their entries with those before."""

    __slots__ = ("_count", "_items", "entries", "start")

    def __init__(self, entries: tuple[Entry, ...], start: int = 0) -> None:
        self.entries, self.start = entries, start
        self._count = sum(len(each.names) if isinstance(each, Leaves) else 1 for each in entries)
        self._items: tuple[OutlineItem, ...] | None = None

    def shifted(self, by: int) -> Self:
        """Returns the items at places so far behind."""
        return type(self)(self.entries, self.start + by)

    @property
    def items(self) -> tuple[OutlineItem, ...]:
        """The items one by one, with their places in the document."""
        if self._items is None:
            self._items = tuple(_placed(self.entries, self.start))
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
        return self._count

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self.items == tuple(cast("Sequence[object]", other))

    __hash__ = None  # type: ignore[assignment]


class Inside(Items):
    """The items in a function or module. Editions share the entries of one that has not changed, so what is
    made of these can be kept with them."""

    __slots__ = ()


def insides(entries: Iterable[Entry]) -> Iterator[Inside]:
    """Yields what is inside of the functions and modules among entries, and inside of these."""
    for each in entries:
        if isinstance(each, OutlineItem) and isinstance(each.children, Inside):
            yield each.children
            yield from insides(each.children.entries)


def _placed(entries: Iterable[Entry], by: int) -> Iterator[OutlineItem]:
    for each in entries:
        if isinstance(each, Leaves):
            columns = (column.tolist() for column in (each.starts + by, each.ends + by, each.name_ends + by))
            for name, detail, start, end, name_end in zip(each.names, each.details, *columns, strict=True):
                yield OutlineItem(name, detail, each.kind, Span(start, end), Span(start, name_end))
            continue
        name, detail, kind, span, name_span, children = each
        yield OutlineItem(
            name,
            detail,
            kind,
            Span(span.start + by, span.end + by),
            Span(name_span.start + by, name_span.end + by),
            children.shifted(by) if isinstance(children, Items) else children,
        )
