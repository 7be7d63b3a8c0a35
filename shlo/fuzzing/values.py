"""Values at the edges of element types, by NumPy's and ml_dtypes' names."""

from __future__ import annotations

from typing import Any, Final

import ml_dtypes
import numpy as np

from shlo.ir.dtypes import Array

_types: Any = ml_dtypes

INTEGERS: Final = ("int2", "int4", "int8", "int16", "int32", "int64")
UNSIGNED: Final = ("uint2", "uint4", "uint8", "uint16", "uint32", "uint64")
WIDE_FLOATS: Final = ("float64", "float32", "float16", "bfloat16")
BYTE_FLOATS: Final = (
    "float8_e5m2",
    "float8_e4m3",
    "float8_e4m3fn",
    "float8_e5m2fnuz",
    "float8_e4m3fnuz",
    "float8_e4m3b11fnuz",
    "float8_e3m4",
    "float4_e2m1fn",
)
COMPLEX: Final = ("complex64", "complex128")

_NUMBERS: Final = [
    0,
    1,
    0.5,
    1.5,
    2.5,
    0.49999997,
    2,
    3,
    0.1,
    1e-3,
    100,
    88,
    255,
    256,
    128,
    127.5,
    10.7,
    np.pi,
    1e4,
]
_LARGE: Final = [2.0**23 + 1, 2.0**31, 2.0**31 - 1, 2.0**32, 2.0**63, 2.0**64, 1e10, np.inf, np.nan]
_COUNTS: Final = [0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 100, 127, 128, 200, 1000]


def dtype_named(name: str) -> np.dtype[Any]:
    """Returns the type of that name, one of ml_dtypes or of NumPy."""
    return np.dtype(getattr(_types, name, name))


def edge_values(name: str) -> Array:
    """Returns limits, zeros, ones, ties and neighbours of powers of two of a type; no subnormals of wide
    floats.
    """
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
    numbers = np.array(_NUMBERS + _LARGE + [float(_types.finfo(dtype).max)])
    with np.errstate(over="ignore"):
        return np.concatenate([numbers, -numbers]).astype(dtype)


def _integer_values(dtype: np.dtype[Any]) -> Array:
    info = _types.iinfo(dtype)
    low, high = int(info.min), int(info.max)
    values = {low, low + 1, high - 1, high, high // 2, *_COUNTS, *(-count for count in _COUNTS)}
    wide = np.uint64 if low == 0 else np.int64
    return np.array(sorted(v for v in values if low <= v <= high), wide).astype(dtype)


def _complex_values(dtype: np.dtype[Any]) -> Array:
    parts = np.array([0.25, -0.5, 1, -1, 2.5, -3.25, 1e-3])
    return (parts[:, None] + 1j * parts).reshape(-1).astype(dtype)
