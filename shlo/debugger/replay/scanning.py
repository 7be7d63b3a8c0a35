"""Probes that search what generated code computes for NaN, infinities and numbers out of range."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from shlo.debugger.replay.nonfinite import detect
from shlo.debugger.replay.program_points import program_point
from shlo.interpreter.jit.traced import ProbeHit, Probes
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import CodeBlock

NATIVE: Final = frozenset(map(np.dtype, (np.float16, np.float32, np.float64, np.complex64, np.complex128)))
"""The types that NumPy can search."""


def _after(code: CodeBlock, index: int) -> Callable[..., object] | None:
    """Returns a function that raises ProbeHit where a kernel made a NaN or infinity."""
    point = program_point(code, index)
    if not point.is_searched:
        return None
    count = len(code.instructions[index].results)

    def search(*values: Value) -> None:
        if count == 1 and getattr(values[0], "dtype", None) in NATIVE and np.isfinite(values[0]).all():
            return
        if detect(point, values[count:], values[:count]):
            raise ProbeHit

    return search


SCANNING: Final = Probes(after=_after, keeps_operands=True)
"""Ends a call where a kernel makes a NaN or infinity."""
