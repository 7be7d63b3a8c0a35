"""Cards of what made results lack digits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shlo.places.card import Card
from shlo.runner.python_source import PythonSources
from shlo.shadow.losses import Losses
from shlo.shadow.report import loss_card
from shlo.shadow.tracker import Loss

ROUNDING: Final = 1e-12
"""Up to which part of its terms a result in float64 counts as 0."""

LEAST_PART: Final = 0.5
"""What part of its digits a tensor has to lose as a whole, and a result to lack, to be reported."""


def precision_cards(losses: Losses, sources: PythonSources) -> Iterator[Card]:
    """Yields a card for each operation that loses most digits of a tensor, where a result lacks them."""
    if not any(result.total >= LEAST_PART * result.digits for result in losses.results):
        return
    for loss in losses:
        worst = loss.worst
        if worst.overall >= LEAST_PART * worst.digits and worst.cause != "narrowing" and not _is_zero(worst):
            yield loss_card(loss, sources)


def _is_zero(loss: Loss) -> bool:
    """Returns whether the exact result is 0 but for rounding in float64, as of a gradient that vanishes."""
    sizes = [abs(operand.shadow) for operand in loss.operands]
    size = loss.terms if loss.terms is not None else max(sizes, default=0.0)
    return abs(loss.element.shadow) <= ROUNDING * size
