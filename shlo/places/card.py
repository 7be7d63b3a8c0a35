"""The card: what happened at an operation, as data, and its one rendering for each kind of host."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

from shlo.ir.upper_layers import RichResult
from shlo.places.place import Place, line_data, line_text
from shlo.places.remedies import Remedy
from shlo.text.escape import sanitized
from shlo.text.html import text_html

MOST_VALUES: Final = 4
"""How many numbers of a cause are shown."""


class Cause(Struct, frozen=True):
    """Elements that caused it: the text of their value (`p[:, 0] - 0.5`; its name in the program where no
    text is known), which of them (`[3:6]`; empty for all, and for a scalar), and the first of their numbers.
    """

    value: str
    elements: str = ""
    numbers: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The cause in words, `p[:, 0] - 0.5 [3:6] = -0.5, -0.25`."""
        named = f"{self.value} {self.elements}" if self.elements and " " in self.value else self.named
        return f"{named} = {', '.join(self.numbers)}" if self.numbers else named

    @property
    def named(self) -> str:
        """The elements alone, `batch['x'][3:6]`."""
        return f"{self.value}{self.elements}"


class Card(RichResult, Struct, frozen=True):
    """What happened at an operation.

    Args:
        kind: what it is, `nan`, `infinity`, the name of a finding or lint.
        subject: what did it, in Python's words where they are known (`jnp.log`), else the operation's name.
        deed: what that did, `made 3 NaN of 6`.
        place: the operation, its lines.
        code: the text of the line of Python; empty where it cannot be read.
        causes: the elements that it was made from.
        sources: the elements of arguments that those come from.
        notes: what else is known, a sentence each.
        remedy: what is known to help.
    """

    kind: str
    subject: str
    deed: str
    place: Place = Place()
    code: str = ""
    causes: tuple[Cause, ...] = ()
    sources: tuple[Cause, ...] = ()
    notes: tuple[str, ...] = ()
    remedy: Remedy | None = None

    @property
    def title(self) -> str:
        """What happened and where, in one line."""
        return next(_lines(self))

    def __str__(self) -> str:
        return card_text(self)


def card_text(card: Card) -> str:
    """Returns a card as text, the same in all hosts: lines of printable characters."""
    return "\n".join(_lines(card))


def card_html(card: Card) -> str:
    """Returns a card as HTML: its text."""
    title, *others = _lines(card)
    body = "\n".join(text_html(line) for line in others)
    return f'<div class="shlo-card"><strong>{text_html(title)}</strong><pre>{body}</pre></div>'


def card_data(card: Card) -> dict[str, Any]:
    """Returns a card for JSON; `text` is its text form."""
    return {
        "kind": card.kind,
        "subject": card.subject,
        "deed": card.deed,
        "operation": card.place.operation,
        "mlir_line": card.place.line,
        "python": line_data(card.place.origin.line),
        "code": card.code,
        "causes": [_cause_data(cause) for cause in card.causes],
        "sources": [_cause_data(cause) for cause in card.sources],
        "notes": list(card.notes),
        "remedy": None if card.remedy is None else {"text": card.remedy.sentence, "link": card.remedy.link},
        "text": card_text(card),
    }


def _cause_data(cause: Cause) -> dict[str, Any]:
    return {"value": cause.value, "elements": cause.elements, "numbers": list(cause.numbers)}


def _lines(card: Card) -> Iterator[str]:
    yield sanitized(" ".join(filter(None, (card.subject, card.deed, _where(card.place)))))
    if card.code:
        yield sanitized(f"    {card.code}")
    if card.causes:
        yield sanitized(f"  from {' and '.join(cause.text for cause in card.causes)}")
    if card.sources:
        verb = "come" if card.causes else "comes"
        yield sanitized(f"  which {verb} from {' and '.join(cause.text for cause in card.sources)}")
    if card.place.origin.line is not None and card.place.operation:
        line = "" if card.place.line is None else f" on MLIR line {card.place.line}"
        yield sanitized(f"  operation {card.place.operation}{line}")
    yield from (sanitized(f"  {note}") for note in card.notes)
    if card.remedy is not None:
        yield f"  remedy: {card.remedy.sentence} ({card.remedy.link})"


def _where(place: Place) -> str:
    python = line_text(place.origin.line)
    if python is not None or place.location:
        return f"at {python or place.location}"
    return "" if place.line is None else f"on line {place.line}"
