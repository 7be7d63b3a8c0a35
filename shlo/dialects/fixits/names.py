"""The name that is meant where another one is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from os.path import commonprefix
from typing import Final

MOST: Final = 1_000
"""Among how many names the one that is meant is looked for."""
CUTOFF: Final = 0.6
"""From which similarity on names count as alike: twice the characters in common over those of both."""
CLASSES: Final = 32
"""Characters are told apart by this many classes."""
MOST_COUNTED: Final = 64
"""In names up to this length all characters are counted."""
READ: Final = 5
"""For how many wrong names of one scope that is done."""


class Nearest:
    """Looks for the names that are meant in one scope, for as many mistakes as somebody reads."""

    def __init__(self) -> None:
        self._left = READ

    def __call__(self, name: str, among: Iterable[str]) -> str | None:
        """The name that is most like another one, None where none is, or after many of them."""
        if self.limit_reached:
            return None
        self._left -= 1
        return nearest(name, among)

    @property
    def limit_reached(self) -> bool:
        """Whether there were so many mistakes that nobody reads on."""
        return self._left == 0


def nearest(name: str, among: Iterable[str]) -> str | None:
    """The name that is most like another one, None where none is."""
    return _nearest(name, tuple(dict.fromkeys(islice(among, MOST))))


@lru_cache(maxsize=1024)
def _nearest(name: str, among: tuple[str, ...]) -> str | None:
    """Compares the names that share most characters first, until no other can be more similar than the best
    one: a similarity takes a hundred times as long as its bound. What all names begin with, such as a
    dialect, matches itself."""
    from difflib import SequenceMatcher

    start = len(commonprefix((name, *among)))  # noqa: RUF071 - of names, not of paths
    matcher = SequenceMatcher(b=name[start:])
    letters, best = _letters(name), (CUTOFF, "")
    for bound, other in sorted([(_bound(name, letters, each), each) for each in among], reverse=True):
        if bound < best[0]:
            break
        matcher.set_seq1(other[start:])
        common = start + sum(match.size for match in matcher.get_matching_blocks())
        best = max(best, (2.0 * common / max(len(name) + len(other), 1), other))
    return best[1] or None


def nearest_names(name: str, among: Iterable[str], count: int) -> list[str]:
    """The names that are like another one, the nearest one first."""
    import difflib

    letters = _letters(name)
    alike = [each for each in dict.fromkeys(islice(among, MOST)) if _bound(name, letters, each) >= CUTOFF]
    return difflib.get_close_matches(name, alike, count, CUTOFF)


def _bound(name: str, letters: int, other: str) -> float:
    """An upper bound of the similarity of two names: that of the same characters in the best order."""
    if max(len(name), len(other)) > MOST_COUNTED:
        return 1.0
    common = (letters & _letters(other)).bit_count()
    return 2.0 * common / max(len(name) + len(other), 1)


@lru_cache(maxsize=4096)
def _letters(name: str) -> int:
    """The characters of a name as a set of bits: for each character a bit for each time that it occurs.
    Characters that share their bits count as equal."""
    found = 0
    for character, number in Counter(ord(each) % CLASSES for each in name).items():
        found |= ((1 << min(number, MOST_COUNTED)) - 1) << (character * MOST_COUNTED)
    return found
