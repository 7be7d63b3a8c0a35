"""Functions of many steps on large arrays, a block at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from shlo.interpreter.kernels.numeric import contiguous
from shlo.ir.dtypes import Array

_BLOCK = 16384
"""Elements at a time, which stay in a fast cache through all steps."""


def in_blocks(function: Callable[[Array, Array], None], x: Array) -> Any:
    """Applies `function`, which fills its second argument, to an array of float32 a block at a time."""
    if np.ndim(x) and x.size <= _BLOCK:
        result = np.empty_like(x)
        function(x, result)
        return result
    flat = contiguous(x).reshape(-1)
    result = np.empty_like(flat)
    for start in range(0, flat.size, _BLOCK):
        function(flat[start : start + _BLOCK], result[start : start + _BLOCK])
    return result.reshape(np.shape(x))
