"""What a diagnosis found, what it looked at and what not, as text and as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

from shlo.places.card import Card, card_data, card_text

VERSION: Final = 1
"""The version of the JSON form."""

MOST_SHOWN: Final = 20
"""How many causes the text lists."""


class Diagnosis(Struct, frozen=True):
    """The causes of what a program gives, the likeliest first; false where there are none. It is printed as
    `shlo why` prints it.

    Args:
        causes: the cards.
        looked_at: what was looked at, in words.
        left_out: what was not, and why.
    """

    causes: tuple[Card, ...]
    looked_at: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.causes)

    def __str__(self) -> str:
        return "\n".join(lines_of(self))

    __repr__ = __str__


def lines_of(diagnosis: Diagnosis) -> Iterator[str]:
    """Yields what `shlo why` prints: the first cause in full, of the others a line each."""
    if diagnosis.causes:
        yield card_text(diagnosis.causes[0])
    for number, card in enumerate(diagnosis.causes[1:MOST_SHOWN], 2):
        yield f"{number}. {card.title}"
    if len(diagnosis.causes) > MOST_SHOWN:
        yield f"and {len(diagnosis.causes) - MOST_SHOWN:,} more"
    if not diagnosis.causes:
        yield "no cause found" if diagnosis.looked_at else "nothing was looked at"
    if diagnosis.looked_at:
        yield f"looked at: {'; '.join(diagnosis.looked_at)}"
    if diagnosis.left_out:
        yield f"not looked at: {'; '.join(diagnosis.left_out)}"


def data_of(diagnosis: Diagnosis) -> dict[str, Any]:
    """Returns a diagnosis for `--format json`."""
    return {
        "version": VERSION,
        "causes": [card_data(card) for card in diagnosis.causes],
        "looked_at": list(diagnosis.looked_at),
        "not_looked_at": list(diagnosis.left_out),
    }
