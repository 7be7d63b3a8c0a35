"""Numbers by which a client names what it was shown, until the session moves on."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

from shlo.debugger.errors import DebuggerError

Item = TypeVar("Item")


class StaleError(DebuggerError):
    """A number of another position: a client asked for it before it knew that the session had moved."""


class Handles(Generic[Item]):
    """Numbers, from 1, for items of one position. A number is never given twice, so that one of an earlier
    position is refused; an item of an equal key has the same number as long as the session stays.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._next = 1
        self._items: dict[int, Item] = {}
        self._numbers: dict[Hashable, int] = {}

    def add(self, key: Hashable, item: Item) -> int:
        """Returns the number of an item."""
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = self._next
            self._next += 1
        self._items[number] = item
        return number

    def __getitem__(self, number: int) -> Item:
        """Returns the item of a number; raises StaleError for none that is known here."""
        if number not in self._items:
            raise StaleError(f"expected {self._what} of this position, got {number}")
        return self._items[number]

    def clear(self) -> None:
        """Forgets all items: the session moves."""
        self._items.clear()
        self._numbers.clear()
