"""What every operation is: one card per op, gathered by dialect."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from shlo.dialects.card import Card, Dialect

DIALECT_MODULES: dict[str, str] = {
    "builtin": "shlo.dialects.builtin",
    "func": "shlo.dialects.func",
    "stablehlo": "shlo.dialects.stablehlo.dialect",
    "chlo": "shlo.dialects.chlo",
    "sdy": "shlo.dialects.sdy.dialect",
    "check": "shlo.dialects.neighbours.check",
    "interpreter": "shlo.dialects.neighbours.interpreter",
    "quant": "shlo.dialects.neighbours.quant",
    "arith": "shlo.dialects.neighbours.arith",
    "vhlo": "shlo.dialects.vhlo",
    "math": "shlo.dialects.neighbours.math",
    "ub": "shlo.dialects.neighbours.ub",
    "shape": "shlo.dialects.neighbours.shape",
    "tensor": "shlo.dialects.neighbours.tensor",
    "scf": "shlo.dialects.neighbours.scf",
    "cf": "shlo.dialects.neighbours.cf",
    "memref": "shlo.dialects.neighbours.memref",
    "bufferization": "shlo.dialects.neighbours.bufferization",
    "ml_program": "shlo.dialects.neighbours.ml_program",
}
"""The dialects with cards, and the modules whose `DIALECT` holds them, imported when first asked for."""


@cache
def find_dialect(name: str) -> Dialect | None:
    """The dialect of that name, None where it has no cards."""
    module = DIALECT_MODULES.get(name)
    return import_module(module).DIALECT if module else None


@cache
def find_card(name: str) -> Card | None:
    """The card of an operation by its full name, None where there is none."""
    dialect = find_dialect(name.partition(".")[0])
    return dialect.cards.get(name) if dialect else None


def all_cards() -> list[Card]:
    """Every card, ordered by name."""
    dialects = [find_dialect(name) for name in DIALECT_MODULES]
    return sorted(
        (card for dialect in dialects if dialect for card in dialect.cards.values()),
        key=lambda card: card.name,
    )
