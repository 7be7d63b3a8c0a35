"""A hint, and how long one may be."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shlo.text.shortening import fitted

MAX_TEXT = 60

HintKind = Literal["type", "parameter", "value", "end"]


class Hint(Struct, frozen=True):
    """A text to show at an offset, which is no part of the document, and how it reads in full. `kind`: a type
    behind a name, what an operand is for, before it, the numbers of a constant, what a brace ends."""

    offset: int
    text: str
    tooltip: str
    kind: HintKind = "type"


def shortened(text: str) -> str:
    """Returns a text that fits on a line beside others."""
    return fitted(text, MAX_TEXT)
