"""Rooflines: the least time that work takes on a machine of a given arithmetic speed and memory bandwidth."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Final, Literal

from msgspec import Struct

from shlo.costs.model import Work

Bound = Literal["compute", "memory"]

_SIZE: Final = 1024
"""Rows and columns of the matrices that are multiplied to measure arithmetic."""

_COPIED: Final = 1 << 26
"""How many bytes are copied to measure bandwidth: more than caches hold."""

_TRIES: Final = 5


class Roofline(Struct, frozen=True):
    """A machine's peak arithmetic operations and bytes in a second."""

    flops_per_second: float
    bytes_per_second: float

    @property
    def ridge(self) -> float:
        """The intensity, in FLOPs for each byte, from which on arithmetic takes longer than memory."""
        return self.flops_per_second / self.bytes_per_second

    def seconds(self, work: Work) -> float:
        """Returns the least time that work takes; evaluations of functions count as one operation each."""
        return max(work.operations / self.flops_per_second, work.accessed_bytes / self.bytes_per_second)

    def bound(self, work: Work) -> Bound:
        """Returns what limits work: arithmetic or memory."""
        compute = work.operations / self.flops_per_second
        return "compute" if compute > work.accessed_bytes / self.bytes_per_second else "memory"


def measured_roofline() -> Roofline:
    """Returns what this machine reaches: a product of float32 matrices, and a copy in memory."""
    import numpy as np

    left = np.ones((_SIZE, _SIZE), np.float32)
    product, source = np.empty_like(left), np.zeros(_COPIED, np.uint8)
    target = np.empty_like(source)
    arithmetic = _shortest(lambda: np.matmul(left, left, out=product))
    copy = _shortest(lambda: np.copyto(target, source))
    return Roofline(2 * _SIZE**3 / arithmetic, 2 * _COPIED / copy)


def _shortest(action: Callable[[], object]) -> float:
    """Returns the seconds of the quickest of some tries, after one that is not counted."""
    action()
    seconds: list[float] = []
    for _ in range(_TRIES):
        start = perf_counter()
        action()
        seconds.append(perf_counter() - start)
    return max(min(seconds), 1e-9)
