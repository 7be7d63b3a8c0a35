"""Rounds of loops, and values over them, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from shlo.debugger.inspect.loops import Loop
from shlo.debugger.tensors.difference import TensorDifference
from shlo.debugger.tensors.summaries import summary_of
from shlo.interpreter.kernel_api import Value
from shlo.text.numbers import number_text, plural

BARS: Final = "▁▂▃▄▅▆▇█"
MOST_ROUNDS: Final = 30
"""How many rounds a table shows: the first and the last."""


def loop_text(loop: Loop) -> str:
    """Returns which round of which loop is open: `round 5 of the loop on line 7; 12 rounds reached`."""
    where = "" if loop.line is None else f" on line {loop.line}"
    return f"round {loop.round} of the loop{where}; {plural(len(loop.starts), 'round')} reached"


def rounds_text(name: str, rounds: Sequence[tuple[int, Value]], current: int) -> str:
    """Returns a value in each round: a line of bars over all, and a table, the open one behind `>`."""
    measures = [_measure(value) for _, value in rounds]
    lines = [f"%{name}  {bars_text(measures)}"]
    shown: list[tuple[int, Value] | None] = list(rounds)
    if len(shown) > MOST_ROUNDS:
        half = MOST_ROUNDS // 2
        shown[half:-half] = [None]
    for each in shown:
        if each is None:
            lines.append(f"  ... {len(rounds) - MOST_ROUNDS} more ...")
        else:
            lines.append(f"{'>' if each[0] == current else ' '} #{each[0]:<6} {summary_of(each[1])}")
    return "\n".join(lines)


def round_difference_text(name: str, number: int, found: TensorDifference) -> str:
    """Returns how a value differs from the one in the round before."""
    head = f"%{name} in round {number} against round {number - 1}: "
    if not found.worst:
        return f"{head}the same"
    worst = found.worst[0]
    share = f"{found.differing:,} of {found.signed.size:,} elements differ"
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
