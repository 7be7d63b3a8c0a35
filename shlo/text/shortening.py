"""Texts as they stand in a line, a message or a title."""

from __future__ import annotations

import re
from typing import Final

LONGEST_WORD: Final = 200
"""Characters of a word that a message repeats: a name, a number, a path."""
_LONG_WORD: Final = re.compile(rf"\S{{{LONGEST_WORD + 1},}}")


def clipped(text: str, most: int, sign: str = "...") -> str:
    """Returns a text; of one that is longer than `most` characters these, and a sign behind them."""
    return text if len(text) <= most else text[:most] + sign


def with_short_words(message: str) -> str:
    """Returns a message in which of each word that is longer than `LONGEST_WORD` there are the two ends."""
    half = LONGEST_WORD // 2
    return _LONG_WORD.sub(lambda word: f"{word[0][:half]}...{word[0][-half:]}", message)


def capitalized(text: str) -> str:
    """Returns a text whose first letter is a capital, as titles and sentences begin; the rest stays."""
    return text[:1].upper() + text[1:]


def fitted(text: str, width: int, sign: str = "…") -> str:
    """Returns a text; of one that is longer than `width` characters its start and a sign in that width."""
    return text if len(text) <= width else (text[: max(width - len(sign), 0)] + sign)[: max(width, 0)]
