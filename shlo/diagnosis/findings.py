"""Findings of the sanitizer and losses of the shadow as cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shlo.diagnosis.program import card_at
from shlo.places.card import Card
from shlo.places.place import Place
from shlo.places.remedies import INDEX, INTEGERS, NARROW, Remedy
from shlo.runner.python_source import PythonSources
from shlo.sanitizer.findings import Finding, Findings
from shlo.sanitizer.report import element_text
from shlo.shadow.losses import Losses, OperationLoss
from shlo.shadow.report import element_text as element_text_of_loss
from shlo.shadow.tracker import SENTENCES, Loss
from shlo.text.numbers import plural

_REMEDIES: Final[dict[str, Remedy]] = {
    "clamped": INDEX,
    "dropped": INDEX,
    "wrapped": INTEGERS,
    "lost": NARROW,
}
_DEEDS: Final = {
    "clamped": "clamped a start index that is out of bounds",
    "dropped": "dropped an update that is out of bounds",
    "wrapped": "wrapped around: the exact result does not fit its type",
}
ROUNDING: Final = 1e-12
"""Up to which part of its terms a result in float64 counts as 0."""

LEAST_PART: Final = 0.5
"""What part of its digits a tensor has to lose as a whole, and a result to lack, to be reported."""


def finding_cards(findings: Findings, sources: PythonSources) -> Iterator[Card]:
    """Yields a card for each finding of the sanitizer."""
    for finding in findings:
        name = finding.check.name
        place = Place(finding.operation.name, _line_of(finding.place), finding.origin)
        deed = _DEEDS.get(name, f"does what is not defined ({finding.check.sentence})")
        yield card_at(sources, name, place, deed, _REMEDIES.get(name), *_notes(finding, findings.processes))


def _notes(finding: Finding, processes: int) -> Iterator[str]:
    where = f" in process {finding.process}" if processes > 1 else ""
    again = f" in {finding.times:,} executions" if finding.times > 1 else ""
    yield f"{plural(finding.count, 'element')}{again}{where}, the worst {element_text(finding.worst[0])}"
    yield from finding.path[-2:]


def precision_cards(losses: Losses, sources: PythonSources) -> Iterator[Card]:
    """Yields a card for each operation that loses most digits of a tensor, where a result lacks them."""
    if not any(result.total >= LEAST_PART * result.digits for result in losses.results):
        return
    for loss in losses:
        worst = loss.worst
        if worst.overall >= LEAST_PART * worst.digits and worst.cause != "narrowing" and not _is_zero(worst):
            yield _loss_card(loss, sources)


def _is_zero(loss: Loss) -> bool:
    """Returns whether the exact result is 0 but for rounding in float64, as of a gradient that vanishes."""
    sizes = [abs(operand.shadow) for operand in loss.operands]
    size = loss.terms if loss.terms is not None else max(sizes, default=0.0)
    return abs(loss.element.shadow) <= ROUNDING * size


def _loss_card(loss: OperationLoss, sources: PythonSources) -> Card:
    place = Place(loss.operation.name, _line_of(loss.place), loss.origin)
    worst = loss.worst
    deed = f"loses {worst.here:.1f} of {worst.digits:.1f} digits, {SENTENCES[worst.cause]},"
    return card_at(sources, "precision", place, deed, NARROW, element_text_of_loss(worst))


def _line_of(place: str | None) -> int | None:
    """Returns the line of `file:line:column`."""
    parts = (place or "").rsplit(":", 2)
    return int(parts[1]) if len(parts) == 3 and parts[1].isdecimal() else None
