"""Rounds of loops, and values over them, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from shlo.debugger.inspect.loops import Loop
from shlo.debugger.tensors.difference import TensorDifference
from shlo.debugger.tensors.summaries import summary_of
from shlo.interpreter.kernel_api import Value
from shlo.text.numbers import number_text, plural

BARS: Final = "▁▂▃▄▅▆▇█"
MOST_BARS: Final = 500
"""How many rounds, at equal distances, a line of bars shows."""

MOST_ROUNDS: Final = 30
"""How many rounds a table shows: the first and the last."""


def loop_text(loop: Loop) -> str:
    """Returns which round of which loop is open: `round 5 of the loop on line 7; 12 rounds reached`."""
    where = "" if loop.line is None else f" on line {loop.line}"
    return f"round {loop.round} of the loop{where}; {plural(len(loop.starts), 'round')} reached"


def sampled_rounds(count: int) -> list[int]:
    """Returns the rounds, of so many, that `rounds_text` shows: the first and the last, and so many of those
    between, at equal distances, as a line has bars.
    """
    ends = range(count)[:MOST_ROUNDS], range(count)[-MOST_ROUNDS:]
    return sorted({*ends[0], *ends[1], *range(0, count, -(-count // MOST_BARS) or 1)})


def rounds_text(name: str, rounds: Iterable[tuple[int, Value]], current: int, count: int) -> str:
    """Returns a value in each round, of `count`: a line of bars, and a table, the open one behind `>`."""
    distance = -(-count // MOST_BARS) or 1
    measures: list[float] = []
    rows: list[str] = []
    for number, value in rounds:
        if number % distance == 0:
            measures.append(_measure(value))
        rows.append(f"{'>' if number == current else ' '} #{number:<6} {summary_of(value)}")
    every = f"  (one round in {distance})" if distance > 1 else ""
    if len(rows) > MOST_ROUNDS:
        half = MOST_ROUNDS // 2
        rows[half:-half] = [f"  ... {count - MOST_ROUNDS:,} more ..."]
    return "\n".join([f"%{name}  {bars_text(measures)}{every}", *rows])


def round_difference_text(name: str, number: int, difference: TensorDifference) -> str:
    """Returns how a value differs from the one in the round before."""
    head = f"%{name} in round {number} against round {number - 1}: "
    if not difference.worst:
        return f"{head}the same"
    worst = difference.worst[0]
    share = f"{difference.differing:,} of {difference.signed.size:,} elements differ"
    change = f"{number_text(worst.other)} -> {number_text(worst.one)}"
    return f"{head}{share}, most at [{', '.join(map(str, worst.index))}]: {change}"


def bars_text(numbers: Sequence[float]) -> str:
    """Returns numbers as bars, `N` for NaN and `I` for infinities."""
    finite = [number for number in numbers if np.isfinite(number)]
    low, high = min(finite, default=0.0), max(finite, default=0.0)
    span = high - low

    def bar(number: float) -> str:
        if not np.isfinite(number):
            return "N" if np.isnan(number) else "I"
        return BARS[min(len(BARS) - 1, int((number - low) / span * len(BARS)))] if span else BARS[0]

    return "".join(map(bar, numbers))


def _measure(value: Value) -> float:
    """Returns the number of a value in a line of bars: the number itself, or the mean of a tensor."""
    array = np.asarray(value)
    if array.dtype.kind == "c":
        array = np.abs(array)
    with np.errstate(all="ignore"):
        return float(array.astype(np.float64).mean()) if array.size else 0.0
