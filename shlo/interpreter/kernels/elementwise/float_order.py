"""Floats as integers in the order of IEEE 754-2019 maximum and minimum: -0 below +0, NaN beyond all numbers.

Formats of 16 bits and more are ordered by their bits; narrower ones, in which NaN and zero have codes of
their own, by a table of their 256 codes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from shlo.interpreter.kernels.numeric import where
from shlo.ir.dtypes import Array


@dataclass(frozen=True, slots=True)
class FloatOrder:
    """Order of a dtype's values as integers; `nan_key` is the key of every NaN: above all others for maximum,
    below them for minimum.

    `infinity` are the bits of +inf, `ranks` and `codes` the tables of an 8-bit format, None for wider ones.
    """

    dtype: np.dtype[Any]
    keys: np.dtype[Any]
    nan_key: int
    infinity: int
    ranks: Array | None = None
    codes: Array | None = None

    @property
    def is_narrow(self) -> bool:
        """Whether comparing keys is faster than NumPy's maximum and minimum of the floats."""
        return self.dtype.itemsize < 4

    def encode(self, x: Any) -> Any:
        """Returns the keys of values."""
        if self.ranks is not None:
            return self.ranks[x.view(np.uint8)]
        bits = x.view(self.keys)
        magnitude_bits = np.iinfo(self.keys).max
        keys = bits ^ ((bits >> (8 * self.keys.itemsize - 1)) & magnitude_bits)
        is_nan = (bits & magnitude_bits) > self.infinity
        return where(is_nan, self.keys.type(self.nan_key), keys) if is_nan.any() else keys

    def decode(self, keys: Any) -> Any:
        """Returns the values of keys."""
        if self.codes is not None:
            return self.codes[keys].view(self.dtype)
        bits = keys ^ ((keys >> (8 * self.keys.itemsize - 1)) & np.iinfo(self.keys).max)
        return bits.view(self.dtype)


@cache
def float_order(dtype: np.dtype[Any], nan_is_highest: bool) -> FloatOrder:
    """Returns the order of a float dtype."""
    if dtype.itemsize == 1:
        return _tabled(dtype, nan_is_highest)
    keys = np.dtype(f"i{dtype.itemsize}")
    infinity = int(np.array(np.inf).astype(dtype).view(keys))
    nan_key = np.iinfo(keys).max if nan_is_highest else np.iinfo(keys).min
    return FloatOrder(dtype, keys, int(nan_key), infinity)


def _tabled(dtype: np.dtype[Any], nan_is_highest: bool) -> FloatOrder:
    codes = np.arange(256, dtype=np.uint8)
    with np.errstate(all="ignore"):
        values = codes.view(dtype).astype(np.float32)
    is_nan = np.isnan(values)
    order = np.lexsort((~np.signbit(values), np.where(is_nan, 0, values), is_nan == nan_is_highest))
    ranks = np.empty(256, np.uint8)
    ranks[order] = codes
    return FloatOrder(dtype, ranks.dtype, 255 if nan_is_highest else 0, 0, ranks, codes[order])
