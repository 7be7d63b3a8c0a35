"""Where the StableHLO specification is read."""

from __future__ import annotations

from shlo.dialects.opdef import Card

SPECIFICATION = "https://openxla.org/stablehlo/spec"


def url_of(card: Card) -> str | None:
    """Where the specification speaks of the operation, None where it does not."""
    return f"{SPECIFICATION}#{card.section}" if card.section else None
