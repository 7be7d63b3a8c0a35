"""What a diagnosis found, what it looked at and what not, as text and as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

from shlo.ir.upper_layers import RichResult
from shlo.places.card import Card, card_data, card_html, card_text
from shlo.text.html import text_html
from shlo.text.numbers import plural

MOST_SHOWN: Final = 20
"""How many causes the text lists."""


class Diagnosis(RichResult, Struct, frozen=True):
    """The causes of what a program gives, the likeliest first; false where there are none. It is printed as
    `shlo why` prints it, and displayed with a card for each.

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

    @property
    def html(self) -> str:
        """The first card in full, the others folded, what was looked at and what not."""
        from shlo.pages.report import badge_html, folded_html, heading_html, report_html, text_twin_html

        first, *others = self.causes or (None,)
        count = plural(len(self.causes), "cause") if first else _NOTHING[bool(self.looked_at)]
        coverage = (("looked at", self.looked_at), ("not looked at", self.left_out))
        return report_html(
            heading_html(count, *([badge_html(first.kind, kind="error")] if first else [])),
            card_html(first) if first else "",
            *(
                folded_html(f"{number}. {card.title}", card_html(card))
                for number, card in enumerate(others, 2)
            ),
            *(
                f'<div class="shlo-dim">{words}: {text_html("; ".join(parts))}</div>'
                for words, parts in coverage
                if parts
            ),
            text_twin_html(str(self)),
        )


_NOTHING: Final = ("nothing was looked at", "no cause found")
"""What is said where there is no cause, by whether anything was looked at."""


def lines_of(diagnosis: Diagnosis) -> Iterator[str]:
    """Yields what `shlo why` prints: the first cause in full, of the others a line each."""
    if diagnosis.causes:
        yield card_text(diagnosis.causes[0])
    for number, card in enumerate(diagnosis.causes[1:MOST_SHOWN], 2):
        yield f"{number}. {card.title}"
    if len(diagnosis.causes) > MOST_SHOWN:
        yield f"and {len(diagnosis.causes) - MOST_SHOWN:,} more"
    if not diagnosis.causes:
        yield _NOTHING[bool(diagnosis.looked_at)]
    if diagnosis.looked_at:
        yield f"looked at: {'; '.join(diagnosis.looked_at)}"
    if diagnosis.left_out:
        yield f"not looked at: {'; '.join(diagnosis.left_out)}"


def data_of(diagnosis: Diagnosis) -> dict[str, Any]:
    """Returns a diagnosis for `--format json`."""
    return {
        "causes": [card_data(card) for card in diagnosis.causes],
        "looked_at": list(diagnosis.looked_at),
        "not_looked_at": list(diagnosis.left_out),
    }
