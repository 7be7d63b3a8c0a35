"""What a parser does about braces that are missing or too many."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field


class BraceHints(Struct, frozen=True):
    """What a parser does about braces that are missing or too many.

    Attributes:
        missing: By the offset of a statement or `}`: the first `{` whose region has ended before it, and with
            it those of all later ones.
        stray: The offsets of `}` that close nothing.
        unopened: The offsets of statements with which the body of a function or module begins whose `{` is
            missing.
        excess: How many more `{` than `}` the text has, in strings and comments too.
    """

    missing: dict[int, int] = field(default_factory=dict[int, int])
    stray: frozenset[int] = frozenset()
    unopened: frozenset[int] = frozenset()
    excess: int = 0
    _order: list[int] = field(default_factory=list[int])

    def __bool__(self) -> bool:
        return bool(self.missing or self.stray or self.unopened)

    def places(self) -> Iterator[tuple[int, int]]:
        """Yields the offsets at which a brace is missing or too many, with the `{` that has no end, or a
        negative number that tells what it is."""
        yield from self.missing.items()
        yield from ((at, -1) for at in self.stray)
        yield from ((at, -2) for at in self.unopened)

    def ends(self, opening: int, pos: int) -> bool:
        """Returns whether the region that starts at an offset has ended before another one."""
        first = self.missing.get(pos)
        return first is not None and opening >= first

    def next_stop(self, pos: int, end: int) -> int:
        """Returns the next offset from `pos` on at which a region ends without a brace, else `end`."""
        at = bisect_right(self._order, pos - 1)
        return self._order[at] if at < len(self._order) else end

    def region_end(self, text: str, opening: int) -> int:
        """Returns where the region that starts at an offset ends, by its braces or before them."""
        from shlo.syntax.parser.recovery import region_end

        end = region_end(text, opening, self.stray)
        stop = self.next_stop(opening + 1, end)
        while stop < end and not self.ends(opening, stop):
            stop = self.next_stop(stop + 1, end)
        return stop


NO_HINTS: Final = BraceHints()


def missing_braces(text: str, start: int = 0, end: int | None = None) -> int:
    """Returns how many more `{` than `}` a text has between two offsets, in strings and comments too."""
    return text.count("{", start, end) - text.count("}", start, end)


def brace_hints(text: str, missing: int) -> BraceHints:
    """Returns what to do about the braces of a text that has so many `}` too few: nothing where it is 0."""
    if not missing:
        return NO_HINTS
    from shlo.syntax.parser.brace_search import BraceSearch

    search = BraceSearch(text)
    search.find(missing)
    return BraceHints(
        search.missing,
        frozenset(search.stray),
        frozenset(search.unopened),
        missing,
        sorted(search.missing),
    )
