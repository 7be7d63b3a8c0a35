"""Arrays that a kernel makes on the way to its result, held against the limits of the run."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from shlo.interpreter.kernels.shapes import Sizes
from shlo.interpreter.runtime.context import current_context

LEAST_BYTES = 1 << 20
"""Smaller arrays are not counted."""


def check_temporary(shape: Sizes, dtype: np.dtype[Any]) -> None:
    """Raises OutOfBytes where an array of this shape is more than the current run may take."""
    size = math.prod(shape) * dtype.itemsize
    if size >= LEAST_BYTES:
        current_context().budget.check_temporary(size)
