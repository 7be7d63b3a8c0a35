"""The name that is meant where another one is written."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Final

MOST: Final = 1_000
"""Among how many names the one that is meant is looked for."""
READ: Final = 5
"""For how many wrong names of one scope that is done."""


class Nearest:
    """Looks for the names that are meant in one scope, for as many mistakes as somebody reads."""

    def __init__(self) -> None:
        self._left = READ

    def __call__(self, name: str, among: Iterable[str]) -> str | None:
        """The name that is most like another one, None where none is, or after many of them."""
        if self.is_tired:
            return None
        self._left -= 1
        return nearest(name, among)

    @property
    def is_tired(self) -> bool:
        """Whether there were so many mistakes that nobody reads on."""
        return self._left == 0


def nearest(name: str, among: Iterable[str]) -> str | None:
    """The name that is most like another one, None where none is."""
    found = nearest_names(name, among, 1)
    return found[0] if found else None


def nearest_names(name: str, among: Iterable[str], count: int) -> list[str]:
    """The names that are like another one, the nearest one first."""
    import difflib

    return difflib.get_close_matches(name, dict.fromkeys(islice(among, MOST)), count)
