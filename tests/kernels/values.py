"""Values at the edges of element types, and how far two results are apart."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

Array = np.ndarray[Any, Any]

INTEGERS = ("int2", "int4", "int8", "int16", "int32", "int64")
UNSIGNED = ("uint2", "uint4", "uint8", "uint16", "uint32", "uint64")
WIDE_FLOATS = ("float64", "float32", "float16", "bfloat16")
BYTE_FLOATS = (
    "float8_e5m2",
    "float8_e4m3",
    "float8_e4m3fn",
    "float8_e5m2fnuz",
    "float8_e4m3fnuz",
    "float8_e4m3b11fnuz",
    "float8_e3m4",
    "float4_e2m1fn",
)
COMPLEX = ("complex64", "complex128")

_NUMBERS = [0, 1, 0.5, 1.5, 2.5, 0.49999997, 2, 3, 0.1, 1e-3, 100, 88, 255, 256, 128, 127.5, 10.7, np.pi, 1e4]
_LARGE = [2.0**23 + 1, 2.0**31, 2.0**31 - 1, 2.0**32, 2.0**63, 2.0**64, 1e10, np.inf, np.nan]
_COUNTS = [0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 100, 127, 128, 200, 1000]


def dtype_named(name: str) -> np.dtype[Any]:
    return np.dtype(getattr(ml_dtypes, name, name))


def edge_values(name: str) -> Array:
    """Limits, zeros, ones, ties and neighbours of powers of two of a type; no subnormals of wide floats."""
    dtype = dtype_named(name)
    if name == "bool":
        return np.array([False, True])
    if name in COMPLEX:
        return _complex_values(dtype)
    if name in INTEGERS or name in UNSIGNED:
        return _integer_values(dtype)
    if dtype.itemsize == 1:
        bits = 16 if name == "float4_e2m1fn" else 256
        return np.arange(bits, dtype=np.uint8).view(dtype)
    numbers = np.array(_NUMBERS + _LARGE + [float(ml_dtypes.finfo(dtype).max)])
    with np.errstate(over="ignore"):
        return np.concatenate([numbers, -numbers]).astype(dtype)


def _integer_values(dtype: np.dtype[Any]) -> Array:
    info = ml_dtypes.iinfo(dtype)
    low, high = int(info.min), int(info.max)
    values = {low, low + 1, high - 1, high, high // 2, *_COUNTS, *(-count for count in _COUNTS)}
    wide = np.uint64 if low == 0 else np.int64
    return np.array(sorted(v for v in values if low <= v <= high), wide).astype(dtype)


def _complex_values(dtype: np.dtype[Any]) -> Array:
    parts = np.array([0.25, -0.5, 1, -1, 2.5, -3.25, 1e-3])
    return (parts[:, None] + 1j * parts).reshape(-1).astype(dtype)


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
