"""maximum, minimum and clamp of floats as IEEE 754-2019 defines them: +0 is above -0, and NaN propagates.

NumPy's own loops return either zero where zeros of both signs meet. For f32 and f64 its result is right
unless it holds the zero that may be wrong, which one pass over the result tells (a fifth to a third of the
time of the maximum); only then the operands are read again, as integers. The bound 0 of relu and clamp goes
to NumPy's clip, which is faster than its maximum with a number. Narrower floats are compared by their
`FloatOrder`, which is faster than NumPy's conversions. NaN has no sign and no payload here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
from msgspec import Struct

from shlo.interpreter.kernel_api import UfuncLike
from shlo.interpreter.kernels.numeric import where
from shlo.ir.dtypes import Array

_SIGNED = {4: np.dtype(np.int32), 8: np.dtype(np.int64)}
_UNSIGNED = {4: np.dtype(np.uint32), 8: np.dtype(np.uint64)}
_MINUS_ZERO = {4: -(2**31), 8: -(2**63)}
"""The bits of -0 as a signed integer: the least one."""

_BLOCK = 1 << 15
"""Elements of a result that are checked while they are in a cache, where it overwrites an operand."""
_LEAST_CLIPPED = 1 << 12
"""Elements from which on NumPy's clip is faster than a maximum and a check."""

_least = np.minimum.reduce


class FloatMinMax(UfuncLike, Struct, frozen=True):
    """Maximum or minimum of arrays of one float dtype; operands broadcast."""

    ufunc: np.ufunc
    is_largest: bool

    def __call__(self, lhs: Any, rhs: Any, out: Array | None = None) -> Any:
        """Returns the extreme of each pair of elements; `out` is memory that may hold the result."""
        if lhs.dtype.itemsize < 4:
            order = self.order(lhs.dtype)
            return order.decode(self.ufunc(order.encode(lhs), order.encode(rhs)))
        if _is_bound(rhs):
            return self._with_bound(lhs, rhs, out)
        if _is_bound(lhs):
            return self._with_bound(rhs, lhs, out)
        return self._checked(lhs, rhs) if out is None else self._into(lhs, rhs, out)

    def at(self, table: Array, index: Any, updates: Array) -> None:
        """Combines updates into the elements of a table at an index, which may repeat elements."""
        order = self.order(table.dtype)
        if not order.is_narrow and not (_has_minus_zero(table) or _has_minus_zero(updates)):
            self.ufunc.at(table, index, updates)
            return
        keys = order.encode(table)
        self.ufunc.at(keys, index, order.encode(updates))
        table[...] = order.decode(keys)

    def order(self, dtype: np.dtype[Any]) -> FloatOrder:
        """Returns the order of a dtype in which this is the extreme of keys."""
        return float_order(dtype, self.is_largest)

    def repaired(self, result: Any, of_bits: Callable[[], Any]) -> Any:
        """Returns NumPy's result on f32 or f64 with its zeros corrected. `of_bits` computes the extreme of
        the operands' bits as signed integers, which tells the zeros: -0 is the least integer, and all other
        numbers involved lie on one side of zero."""
        size = result.dtype.itemsize
        if not result.size:
            return result
        if self.is_largest:
            if _least(result.view(_SIGNED[size]), axis=None) != _MINUS_ZERO[size]:
                return result
            mixed, right = 0, 0.0
        else:
            if _least(result.view(_UNSIGNED[size]), axis=None) != 0:
                return result
            mixed, right = _MINUS_ZERO[size], -0.0
        return where((result == 0) & (of_bits() == mixed), result.dtype.type(right), result)

    def _checked(self, lhs: Any, rhs: Any) -> Any:
        return self.repaired(self.ufunc(lhs, rhs), partial(self._of_bits, lhs, rhs))

    def _of_bits(self, lhs: Any, rhs: Any) -> Any:
        dtype = _SIGNED[lhs.dtype.itemsize]
        return self.ufunc(lhs.view(dtype), rhs.view(dtype))

    def _with_bound(self, x: Any, bound: Any, out: Array | None) -> Any:
        number = bound[(0,) * bound.ndim]
        if x.ndim == 0:
            return self._of_scalars(x, number) if bound.ndim == 0 else self._checked(x, bound)
        if self.is_largest and _is_plus_zero(number) and x.size >= _LEAST_CLIPPED:
            return _without_minus_zero(np.clip(x, number, np.inf, out=out))
        if number != 0:
            return self.ufunc(x, number, out=out)
        return (
            self._checked(x, number) if out is None else self._into(x, np.broadcast_to(number, x.shape), out)
        )

    def _of_scalars(self, lhs: Any, rhs: Any) -> Any:
        if lhs == rhs == 0:
            return lhs + rhs if self.is_largest else -(-lhs - rhs)
        return self.ufunc(lhs, rhs)

    def _into(self, lhs: Array, rhs: Array, out: Array) -> Array:
        """Returns the result in the memory of one of the operands if these are contiguous."""
        if not (out.flags.c_contiguous and lhs.shape == rhs.shape == out.shape):
            return self._checked(lhs, rhs)
        flat, left, right = (array.reshape(-1) for array in (out, lhs, rhs))
        for start in range(0, out.size, _BLOCK):
            part = slice(start, start + _BLOCK)
            flat[part] = self._checked(left[part], right[part])
        return out


maximum = FloatMinMax(np.maximum, is_largest=True)
minimum = FloatMinMax(np.minimum, is_largest=False)

MAXIMUM_SOURCE = "({0} if {0} > {1} or {0} == {1} != 0 else {1} if {0} < {1} else {0} + {1})"
MINIMUM_SOURCE = "({0} if {0} < {1} or {0} == {1} != 0 else {1} if {0} > {1} else -(-{0} - {1}))"
"""On NumPy scalars: the last case is two zeros, or NaN."""


class FloatClamp(UfuncLike):
    """Clamp of x to two bounds (arrays or scalars); NaN where any of the three is."""

    __slots__ = ()

    def __call__(self, least: Any, x: Any, greatest: Any, out: Array | None = None) -> Any:
        """Returns x clamped to [least, greatest]; `out` is memory that may hold the result."""
        is_plain = x.ndim and x.dtype.itemsize >= 4 and not (least.ndim or greatest.ndim)
        if is_plain and greatest != 0 and (least != 0 or _is_plus_zero(least)):
            result = np.clip(x, least, greatest, out=out)
            return result if least != 0 else _without_minus_zero(result)
        return minimum(maximum(x, least), greatest)


clamp = FloatClamp()


def _without_minus_zero(x: Array) -> Array:
    """Returns the array, in which every -0 becomes +0."""
    return np.add(x, x.dtype.type(0), out=x) if _has_minus_zero(x) else x


def _is_plus_zero(number: Any) -> bool:
    return bool(number == 0 and not np.signbit(number))


def _is_bound(value: Any) -> bool:
    """Returns whether an operand is one number, repeated or not."""
    return value.ndim == 0 or (value.size > 0 and not any(value.strides))


def _has_minus_zero(x: Array) -> bool:
    size = x.dtype.itemsize
    return bool(x.size) and bool(_least(x.view(_SIGNED[size]), axis=None) == _MINUS_ZERO[size])


class FloatOrder(Struct, frozen=True):
    """Order of a dtype's values as integers; `nan_key` is the key of every NaN: above all others for maximum,
    below them for minimum. `infinity` are the bits of +inf, `ranks` and `codes` the tables of an 8-bit
    format, None for wider ones."""

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
