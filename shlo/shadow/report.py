"""What digits a run loses, as text and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Any, Final

import numpy as np
from msgspec import Struct

from shlo.ir.upper_layers import RichResult
from shlo.places.card import Card, card_text
from shlo.places.place import Place, line_data, line_text
from shlo.places.remedies import CANCELLATION, NARROW, Remedy
from shlo.runner.display import array_text, json_value
from shlo.runner.python_source import PythonSources
from shlo.runner.statistics import index_at
from shlo.shadow.losses import CarriedLoss, LoopLoss, Losses, OperationLoss, WidenedLoss
from shlo.shadow.measures import FEWEST, precision_of, value_digits_lost
from shlo.shadow.tracker import SENTENCES, Loss, Pair
from shlo.text.escape import sanitized
from shlo.text.numbers import number_text, plural

MOST_SHOWN = 10
"""How many operations, and loops, are shown."""


SINGLE_DIGITS: Final = 7.0
"""How many digits a type has at least that is no narrow one."""

SHOWN_FROM: Final = 0.5
"""From how many lost digits on a summary tells of them."""


class ShadowedRun(RichResult, Struct, frozen=True):
    """The results of a run, and what digits it loses. It is printed as `shlo run --shadow` prints that."""

    results: Any
    losses: Losses
    sources: PythonSources

    def __str__(self) -> str:
        return "\n".join(lines_of(self.losses, self.sources))

    __repr__ = __str__


def lines_of(losses: Losses, sources: PythonSources) -> Iterator[str]:
    """Yields what `--shadow` prints: a card for each operation that loses digits, loops and results."""
    for loss in list(losses)[:MOST_SHOWN]:
        yield card_text(loss_card(loss, sources))
    more = len(losses) - MOST_SHOWN
    if more > 0:
        yield f"and {plural(more, 'more operation')}"
    for loop in losses.growing_loops[:MOST_SHOWN]:
        yield from _loop_lines(loop)
    for title, count in list(losses.without_shadow.items())[:MOST_SHOWN]:
        yield f"no shadow, taken as exact: {sanitized(title)}{_times(count)}"
    if len(losses.without_shadow) > MOST_SHOWN:
        yield f"and {plural(len(losses.without_shadow) - MOST_SHOWN, 'more operation')} without a shadow"
    if any(result.total >= FEWEST for result in losses.results):
        yield from map(_widened_text, losses.widened.values())
    for result in losses.results:
        lost = f"result {result.number} lacks {_of(result.total, result.digits)}"
        yield lost + (
            f", {_element_text(result.index, result.element, result.digits)}" if result.total else ""
        )
    number = "1 loses" if len(losses) == 1 else f"{f'{len(losses):,}' if losses else 'none'} lose"
    yield f"shadow f64: {plural(losses.looked_at, 'operation')} looked at, {number} digits"


def loss_card(found: OperationLoss, sources: PythonSources) -> Card:
    """Returns the card of an operation that loses digits: the worst time, how often, the worst element."""
    loss = found.worst
    return sources.card_at(
        "precision",
        Place.at(found.operation.name, found.place, found.origin),
        f"loses {loss.here:.1f} of {loss.digits:.1f} digits, {SENTENCES[loss.cause]},",
        _remedy(loss),
        *(f"in {part}" for part in found.path),
        f"{plural(found.elements, 'element')}{_times(found.executions)}; the tensor as a whole loses "
        f"{loss.overall:.1f} digits, its worst element lacks {loss.total:.1f} in all",
        element_text(loss),
    )


def _remedy(loss: Loss) -> Remedy | None:
    """Returns what helps against a loss; None where the type is no narrow one, and for a conversion."""
    if loss.cause == "narrowing":
        return None
    if loss.digits < SINGLE_DIGITS:
        return NARROW
    return CANCELLATION if loss.cause == "cancellation" else None


def note_of(value: Any, shadow: Any) -> str:
    """Returns what a summary of a tensor says of its shadow: a single number's, and what its worst element
    lacks; empty where nothing is lost.
    """
    lost = value_digits_lost(value, shadow)
    worst, digits = float(lost.max()), precision_of(np.asarray(value).dtype).digits
    if worst < SHOWN_FROM:
        return ""
    index = index_at(int(lost.argmax()), lost.shape)
    at = f" at [{', '.join(map(str, index))}]" if lost.size > 1 else ""
    number = number_text(np.asarray(shadow)[index], ceil(digits) + 1)
    return f" ({worst:.1f} of {digits:.1f} digits lost{at}, in f64 {number})"


def shadow_text(name: str, value: Any, shadow: Any, index: tuple[int, ...] | None) -> str:
    """Returns a value, or an element of it, beside its shadow, a line each, and what is lost."""
    array = np.asarray(value)[index or ()]
    title = f"%{name}[{', '.join(map(str, index))}]" if index else f"%{name}"
    return f"{title} = {array_text(array)}\n{_comparison(value, shadow, index)}"


def lacking_text(value: Any, shadow: Any, index: tuple[int, ...] | None) -> str:
    """Returns the shadow of a value, or of an element of it, and what is lost; empty where nothing is."""
    lost = value_digits_lost(value, shadow)[index or ()]
    return _comparison(value, shadow, index) if float(np.max(lost)) >= SHOWN_FROM else ""


def _comparison(value: Any, shadow: Any, index: tuple[int, ...] | None) -> str:
    lost = np.asarray(value_digits_lost(value, shadow)[index or ()])
    worst = np.unravel_index(int(lost.argmax()), lost.shape)
    where = f" at [{', '.join(map(str, map(int, worst)))}]" if lost.size > 1 else ""
    total = _of(float(lost.max()), precision_of(np.asarray(value).dtype).digits)
    return f"in f64 {array_text(np.asarray(shadow)[index or ()])}\n{total} lost{where}"


def loss_text(loss: Loss) -> str:
    """Returns what an operation loses in one execution, in one line."""
    return (
        f"loses {loss.here:.1f} digits ({loss.total:.1f} of {loss.digits:.1f} in all), "
        f"{SENTENCES[loss.cause]}: " + element_text(loss)
    )


def element_text(loss: Loss) -> str:
    """Returns the worst element of a loss beside its shadow, with those of its operands."""
    parts = [_element_text(loss.index, loss.element, loss.digits)]
    parts += [f"{_named(operand)} {_pair_text(operand, loss.digits)}" for operand in loss.operands]
    if loss.terms is not None and not loss.operands:
        parts.append(f"terms of {number_text(loss.terms)} together")
    return "; ".join(parts)


def _loop_lines(loop: LoopLoss) -> Iterator[str]:
    title = sanitized(f"{loop.place}: {loop.operation.name}" if loop.place else loop.operation.name)
    yield f"errors grow in {title}"
    python = line_text(loop.origin.line)
    if python is not None:
        yield f"      from {sanitized(python)}"
    for part in loop.path:
        yield f"      in {sanitized(part)}"
    for carried in loop.growing:
        yield f"      {_carried_text(carried)}"


def _widened_text(widened: WidenedLoss) -> str:
    name = widened.operation.name
    title = sanitized(f"{widened.place}: {name}" if widened.place else name)
    return (
        f"digits are those of {widened.narrow}, {widened.narrow_digits:.1f}, before {title}: "
        f"what it makes of them lacks {_of(widened.total, widened.digits)}"
    )


def _carried_text(carried: CarriedLoss) -> str:
    name = f"%{sanitized(carried.name)}" if carried.name else "a value"
    assert carried.element is not None
    return (
        f"{name} lacks {carried.first:.1f} digits at first, one more from iteration {carried.passed} on, "
        f"{_of(carried.worst, carried.digits)} in iteration {carried.iteration}, "
        + _element_text(carried.index, carried.element, carried.digits)
    )


def _of(lost: float, digits: float) -> str:
    return f"{lost:.1f} of {digits:.1f} digits"


def _times(count: int) -> str:
    return f", in {count:,} executions" if count > 1 else ""


def _element_text(index: Sequence[int], element: Pair, digits: float) -> str:
    at = f"at [{', '.join(map(str, index))}] " if index else ""
    return at + _pair_text(element, digits)


def _pair_text(pair: Pair, digits: float) -> str:
    shown = ceil(digits) + 1
    return f"{number_text(pair.value, shown)}, in f64 {number_text(pair.shadow, shown)}"


def _named(pair: Pair) -> str:
    return f"%{sanitized(pair.name)} is" if pair.name else "operand"


def data_of(losses: Losses) -> dict[str, Any]:
    """Returns losses for `--format json`."""
    return {
        "precision": "f64",
        "looked_at": losses.looked_at,
        "left_out": len(losses.beyond),
        "operations": [_operation_data(loss) for loss in losses],
        "loops": [_loop_data(growing_loop) for growing_loop in losses.growing_loops],
        "results": [
            {
                "number": result.number,
                "total": result.total,
                "digits": result.digits,
                "worst": _data(result.index, result.element),
            }
            for result in losses.results
        ],
        "widened": [
            {
                "operation": widened.operation.name,
                "place": widened.place,
                "python": line_data(widened.origin.line),
                "narrow": widened.narrow,
                "narrow_digits": widened.narrow_digits,
                "total": widened.total,
                "digits": widened.digits,
            }
            for widened in losses.widened.values()
        ],
        "without_shadow": dict(losses.without_shadow),
    }


def _operation_data(found: OperationLoss) -> dict[str, Any]:
    loss = found.worst
    return {
        "operation": found.operation.name,
        "place": found.place,
        "python": line_data(found.origin.line),
        "path": list(found.path),
        "here": loss.here,
        "overall": loss.overall,
        "total": loss.total,
        "digits": loss.digits,
        "cause": loss.cause,
        "executions": found.executions,
        "elements": found.elements,
        "worst": _data(loss.index, loss.element),
        "operands": [_data(loss.index, operand) for operand in loss.operands],
        "terms": None if loss.terms is None else json_value(np.float64(loss.terms)),
    }


def _loop_data(loop: LoopLoss) -> dict[str, Any]:
    return {
        "operation": loop.operation.name,
        "place": loop.place,
        "python": line_data(loop.origin.line),
        "path": list(loop.path),
        "carried": [
            {
                "name": growing.name,
                "digits": growing.digits,
                "first": growing.first,
                "worst": growing.worst,
                "iteration": growing.iteration,
                "passed": growing.passed,
            }
            for growing in loop.growing
        ],
    }


def _data(index: Sequence[int], pair: Pair) -> dict[str, Any]:
    return {
        "name": pair.name,
        "index": list(index),
        "value": number_text(pair.value, 17),
        "shadow": number_text(pair.shadow, 17),
    }
