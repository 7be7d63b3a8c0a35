"""Values at the edges of element types, combinations of them, and how far two results are apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from shlo.fuzzing.values import (
    BYTE_FLOATS,
    COMPLEX,
    INTEGERS,
    UNSIGNED,
    WIDE_FLOATS,
    dtype_named,
    edge_values,
)

__all__ = [
    "BYTE_FLOATS",
    "COMPLEX",
    "INTEGERS",
    "UNSIGNED",
    "WIDE_FLOATS",
    "Array",
    "combinations",
    "distance",
    "dtype_named",
    "edge_values",
]

Array = np.ndarray[Any, Any]


def combinations(values: Array, count: int) -> list[Array]:
    """Operands that together hold every combination of the values."""
    return [np.ascontiguousarray(grid.reshape(-1)) for grid in np.meshgrid(*[values] * count)]


def distance(got: Any, want: Any) -> float:
    """Returns the greatest number of steps between representable values from one result to the other.

    Infinity where only one is NaN; zeros of unlike sign are one apart. For complex numbers, the relative
    error in units of the type's precision.
    """
    got, want = np.atleast_1d(got), np.atleast_1d(want)
    assert got.dtype == want.dtype
    assert got.shape == want.shape
    if got.dtype.kind == "c":
        scale = np.maximum(np.abs(want), np.finfo(want.dtype).tiny)
        return float(np.max(np.abs(got - want) / scale) / np.finfo(want.dtype).eps)
    if got.dtype.kind in "biu" or "int" in got.dtype.name:
        return 0.0 if np.array_equal(got, want) else np.inf
    nan = np.isnan(got) & np.isnan(want)
    steps = np.abs(_place(got) - _place(want))
    return float(
        np.max(np.where(nan, 0, np.where(np.isnan(got) != np.isnan(want), np.inf, steps)), initial=0)
    )


def _place(x: Array) -> Array:
    """Returns where each number stands among those of its type, -0 just below 0."""
    bits = x.view(f"i{x.dtype.itemsize}").astype(np.int64)
    if x.dtype.name == "float4_e2m1fn":
        bits = np.where(bits >= 8, bits - 8 - 128, bits)
    top = 1 << (8 * x.dtype.itemsize - 1)
    return np.where(bits < 0, -(bits & (top - 1)) - 1, bits).astype(np.float64)
