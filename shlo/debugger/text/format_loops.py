"""Rounds of loops, and values over them, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from shlo.debugger.inspect.loops import Loop
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


def difference_text(name: str, number: int, before: Value, now: Value) -> str:
    """Returns how a value differs from the one in the round before."""
    one, other = (np.asarray(value).astype(np.float64) for value in (before, now))
    changed = ~((one == other) | (np.isnan(one) & np.isnan(other)))
    head = f"%{name} in round {number} against round {number - 1}: "
    if not changed.any():
        return f"{head}the same"
    with np.errstate(all="ignore"):
        difference = np.where(changed, np.abs(other - one), 0.0)
    worst = np.unravel_index(int(np.argmax(np.nan_to_num(difference, nan=np.inf))), difference.shape)
    at = ", ".join(map(str, map(int, worst)))
    return (
        f"{head}{np.count_nonzero(changed):,} of {changed.size:,} elements differ, most at [{at}]: "
        f"{number_text(one[worst])} -> {number_text(other[worst])}"
    )


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
