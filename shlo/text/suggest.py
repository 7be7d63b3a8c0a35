"""Suggestions: the known names that are most similar to an unknown one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from os.path import commonprefix
from typing import Final

MOST: Final = 1_000
"""How many known names are compared with an unknown one."""
CUTOFF: Final = 0.6
"""Names are similar from this ratio on: twice the characters in common over those of both."""
CLASSES: Final = 32
"""Characters are told apart by this many classes."""
MOST_COUNTED: Final = 64
"""In names up to this length all characters are counted."""
MOST_SUGGESTIONS: Final = 5
"""For how many unknown names of one scope a suggestion is looked for."""


class NameSuggester:
    """Suggests names of one scope, for the first few unknown names."""

    def __init__(self) -> None:
        self._left = MOST_SUGGESTIONS

    def __call__(self, name: str, among: Iterable[str]) -> str | None:
        """Returns the most similar name, None where none is similar or the limit is reached."""
        if self.limit_reached:
            return None
        self._left -= 1
        return nearest_name(name, among)

    @property
    def limit_reached(self) -> bool:
        """Whether as many names were looked up as people read on to."""
        return self._left == 0


def nearest_name(name: str, among: Iterable[str]) -> str | None:
    """Returns the most similar of some known names, None where none is similar."""
    return _nearest(name, tuple(dict.fromkeys(islice(among, MOST))))


def did_you_mean(name: str, among: Iterable[str], form: str = "{}", otherwise: str = "") -> str:
    """Returns `did you mean NEAREST?`, the name written in `form`; `otherwise` where none is similar."""
    close = nearest_name(name, among)
    return f"did you mean {form.format(close)}?" if close else otherwise


@lru_cache(maxsize=1024)
def _nearest(name: str, among: tuple[str, ...]) -> str | None:
    """Compares the names that share most characters first, until no other can be more similar than the best
    one: a similarity takes a hundred times as long as its bound. What all names begin with, such as a
    dialect, matches itself. Of names that are as similar, the one that begins like the name is nearest."""
    from difflib import SequenceMatcher

    start = len(commonprefix((name, *among)))  # noqa: RUF071 - of names, not of paths
    matcher = SequenceMatcher(b=name[start:])
    letters, best = _letters(name), (CUTOFF, 0, "")
    for bound, other in sorted(
        [(_bound(name, letters, other_name), other_name) for other_name in among], reverse=True
    ):
        if bound < best[0]:
            break
        matcher.set_seq1(other[start:])
        common = start + sum(match.size for match in matcher.get_matching_blocks())
        beginning = len(commonprefix((name, other)))  # noqa: RUF071
        best = max(best, (2.0 * common / max(len(name) + len(other), 1), beginning, other))
    return best[2] or None


def nearest_names(name: str, among: Iterable[str], count: int) -> list[str]:
    """Returns up to `count` known names that are similar, the most similar first."""
    import difflib

    letters = _letters(name)
    alike = [
        known_name
        for known_name in dict.fromkeys(islice(among, MOST))
        if _bound(name, letters, known_name) >= CUTOFF
    ]
    return difflib.get_close_matches(name, alike, count, CUTOFF)


def _bound(name: str, letters: int, other: str) -> float:
    """Returns an upper bound of the similarity of two names: that of their characters in the best order."""
    if max(len(name), len(other)) > MOST_COUNTED:
        return 1.0
    common = (letters & _letters(other)).bit_count()
    return 2.0 * common / max(len(name) + len(other), 1)


@lru_cache(maxsize=4096)
def _letters(name: str) -> int:
    """Returns the characters of a name as a set of bits: for each character a bit for each time that it
    occurs. Characters that share their bits count as equal."""
    letters = 0
    for character, number in Counter(ord(character_code) % CLASSES for character_code in name).items():
        letters |= ((1 << min(number, MOST_COUNTED)) - 1) << (character * MOST_COUNTED)
    return letters
