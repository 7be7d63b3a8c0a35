"""Which lines differ in two editions of a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import islice

from shlo.support.cancellation import checked

MAX_COMPARED = 2_000
"""How many lines are compared one by one; more become one change."""


def line_changes(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Yields which lines of the old text become which of the new one: `old[first:last]`, `new[begin:end]`."""
    shorter = min(len(old), len(new))
    head = _common(zip(old, new), shorter)
    tail = _common(zip(reversed(old), reversed(new)), shorter - head)
    last_old, last_new = len(old) - tail, len(new) - tail
    changes: Iterable[tuple[int, int, int, int]]
    if last_old == last_new:
        pairs = checked(range(head, last_old))
        changes = ((index, index + 1, index, index + 1) for index in pairs if old[index] != new[index])
    elif max(last_old, last_new) - head <= MAX_COMPARED:
        opcodes = SequenceMatcher(None, old[head:last_old], new[head:last_new], autojunk=False).get_opcodes()
        changes = (
            (head + first, head + last, head + begin, head + end)
            for tag, first, last, begin, end in opcodes
            if tag != "equal"
        )
    else:
        changes = [(head, last_old, head, last_new)]
    yield from changes


def _common(pairs: Iterable[tuple[str, str]], most: int) -> int:
    """Returns how many pairs are equal from the first, at most so many."""
    return next((index for index, (a, b) in enumerate(checked(islice(pairs, most))) if a != b), most)
