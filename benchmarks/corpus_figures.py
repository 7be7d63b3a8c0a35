"""What the figures that benchmarks/corpus.py saves say: ratios, their means, and what got slower."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

LEAST_MEMORY = 4 << 20
"""Bytes below which a difference in memory is the allocator's."""
MOST: Final = 4.0
"""How many times XLA's CPU time a warm program may take that is not among EXCEPTIONS."""
WARM_UP_SECONDS: Final = 1.5
"""How long each side runs before it is warm: what runs often is compiled on the way, once it has run as long
as compiling it takes."""
COUNTS: Final = (1, 10, 100, 1000)
"""Numbers of results up to which benchmarks/totals.py measures."""
_TANH: Final = "NumPy's hyperbolic tangent takes 3.2 ns an element on a processor without AVX-512"
_SMALL_PRODUCTS: Final = "each a call of NumPy's loop, 0.2 us apiece, which decides how they are summed"
EXCEPTIONS: Final = {
    "rk4_fori": (
        "three cosines a step of one number each, 40 ns apiece: NumPy's loop has the bits, and is "
        "made for arrays"
    ),
    "gelu_1m": _TANH,
    "sigmoid_tanh_1m": _TANH,
    "kalman_scan": f"600 products of 2 x 2, {_SMALL_PRODUCTS}",
    "matrix_chain": f"500 products of 2 x 2, {_SMALL_PRODUCTS}",
}
"""Why programs take more than that."""


def ratio_of(figures: Mapping[str, Any], what: str, clock: str, peer: str = "xla") -> float:
    """Returns our time over a peer's, of "warm" or "cold" runs; of "bytes" our memory over the peer's."""
    ours, theirs = figures["shlo"][what], figures[peer][what]
    if what == "bytes":
        return max(ours, LEAST_MEMORY) / max(theirs, LEAST_MEMORY)
    return ours[clock] / theirs[clock]


def geometric_mean(values: Iterable[float]) -> float:
    """Returns the geometric mean of some numbers."""
    logarithms = [math.log(value) for value in values]
    return math.exp(sum(logarithms) / len(logarithms))


def summary(programs: Mapping[str, Any]) -> dict[str, float]:
    """Returns the geometric means of the ratios to XLA, by what was measured and by which clock."""
    kinds = [("warm", "cpu"), ("warm", "wall"), ("cold", "cpu"), ("cold", "wall"), ("bytes", "")]
    return {
        f"{what} {clock}".strip(): geometric_mean(ratio_of(each, what, clock) for each in programs.values())
        for what, clock in kinds
    }


def total_ratio(figures: Mapping[str, Any], count: int, clock: str) -> float:
    """Returns our time over XLA's from the text to so many results."""
    ours, theirs = (figures[side]["totals"][str(count)][clock] for side in ("shlo", "xla"))
    return ours / theirs


def totals_summary(programs: Mapping[str, Any]) -> dict[tuple[str, int], tuple[float, str]]:
    """Returns the geometric mean of `total_ratio`, and the program with the largest, by clock and count."""
    return {
        (clock, count): (
            geometric_mean(total_ratio(figures, count, clock) for figures in programs.values()),
            max(programs, key=lambda name: total_ratio(programs[name], count, clock)),
        )
        for clock in ("wall", "cpu")
        for count in COUNTS
    }


def over_most(programs: Mapping[str, Any]) -> dict[str, float]:
    """Returns the ratios of the programs that take more than MOST times XLA's time, the worst first."""
    ratios = {name: ratio_of(figures, "warm", "cpu") for name, figures in programs.items()}
    over = [name for name, ratio in ratios.items() if ratio > MOST]
    return {name: ratios[name] for name in sorted(over, key=lambda name: -ratios[name])}


def growth(old: Mapping[str, Any], new: Mapping[str, Any], what: str) -> float:
    """Returns by which factor a program grew, the lesser of its CPU time and its ratio to XLA's."""
    time = new["shlo"][what]["cpu"] / old["shlo"][what]["cpu"]
    ratio = ratio_of(new, what, "cpu") / ratio_of(old, what, "cpu")
    return min(time, ratio)


def slower(old: Mapping[str, Any], new: Mapping[str, Any], limit: float) -> list[tuple[str, str, float]]:
    """Returns the programs of both runs that got slower: name, "warm" or "cold", factor; the worst first."""
    factors = [
        (name, what, growth(old[name], new[name], what))
        for name in new
        if name in old
        for what in ("warm", "cold")
    ]
    return sorted((each for each in factors if each[2] > limit), key=lambda each: -each[2])
