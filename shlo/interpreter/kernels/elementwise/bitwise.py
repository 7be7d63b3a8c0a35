"""Functions of an integer's bits, on arrays. Those that depend on the width take it as an argument."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from msgspec import Struct

from shlo.interpreter.kernel_api import KernelFn, OpView
from shlo.interpreter.kernels.numeric import (
    FAST_DTYPES,
    Kind,
    bits_in,
    element_dtype,
    kind_of,
    not_defined,
    unsigned_of,
    where,
    widened,
)
from shlo.interpreter.registry import kernel
from shlo.interpreter.semantics import BITS_OF_BYTES
from shlo.ir.dtypes import Array
from shlo.ir.types import Type

UnsignedArray = Any


def as_unsigned(x: Array, bits: int) -> UnsignedArray:
    """Returns the same bits as an unsigned integer, those above the element's width cleared."""
    view = x.view(unsigned_of(x.dtype))
    return view if bits == 8 * x.dtype.itemsize else view & ((1 << bits) - 1)


def shift_left(x: Array, amount: Array, bits: int) -> Any:
    """Returns x shifted left; 0 if the amount, read as unsigned, is the width or more."""
    amount = as_unsigned(amount, bits)
    return where(amount < bits, np.left_shift(x, amount.view(x.dtype)), 0)


def shift_right_arithmetic(x: Array, amount: Array, bits: int) -> Any:
    """Returns x shifted right, filled with its sign bit: all of it if the amount is the width or more."""
    signed = f"i{x.dtype.itemsize}"
    spare = 8 * x.dtype.itemsize - bits
    amount = np.minimum(as_unsigned(amount, bits), bits - 1) + spare
    return np.right_shift(np.left_shift(x, spare).view(signed), amount.view(signed)).view(x.dtype)


def shift_right_logical(x: Array, amount: Array, bits: int) -> Any:
    """Returns x shifted right, filled with zeros; 0 if the amount is the width or more."""
    amount = as_unsigned(amount, bits)
    shifted = np.right_shift(as_unsigned(x, bits), amount)
    return where(amount < bits, shifted, 0).astype(shifted.dtype).view(x.dtype)


def popcnt(x: Array, bits: int) -> Any:
    """Returns the number of set bits."""
    return np.bitwise_count(as_unsigned(x, bits)).astype(x.dtype)


def count_leading_zeros(x: Array, bits: int) -> Any:
    """Returns the number of zero bits above the highest set one."""
    value = as_unsigned(x, bits)
    high = _bit_length(value >> 32) if bits == 64 else 0
    low = _bit_length(value & 0xFFFFFFFF) if bits == 64 else _bit_length(value)
    return (bits - where(np.greater(high, 0), 32 + high, low)).astype(x.dtype)


def _bit_length(value: UnsignedArray) -> Any:
    """Returns the position of the highest set bit, counted from 1 (0 for 0), of integers exact in float64."""
    return np.frexp(value.astype(np.float64))[1]


class _OfBits(Struct, frozen=True):
    """Function of bits; NumPy's own and its source on scalars, for the kinds on which it does the same."""

    function: KernelFn
    plain: np.ufunc | None = None
    source: str | None = None
    kinds: tuple[Kind, ...] = ()

    def is_plain(self, type_: Type) -> bool:
        return element_dtype(type_).char in FAST_DTYPES and kind_of(type_) in self.kinds

    def specialize(self, op: OpView) -> KernelFn:
        if self.plain is not None and self.is_plain(op.operand_types[0]):
            return self.plain
        if kind_of(op.operand_types[0]) not in (Kind.SIGNED, Kind.UNSIGNED):
            raise not_defined(op)
        dtype = element_dtype(op.operand_types[0])
        return widened(partial(self.function, bits=bits_in(dtype)), dtype)

    def expression(self, op: OpView) -> str | None:
        return self.source if self.is_plain(op.operand_types[0]) else None


_OPERATIONS = {
    "shift_left": _OfBits(shift_left, np.left_shift, "{0} << {1}", (Kind.SIGNED, Kind.UNSIGNED)),
    "shift_right_arithmetic": _OfBits(shift_right_arithmetic, np.right_shift, "{0} >> {1}", (Kind.SIGNED,)),
    "shift_right_logical": _OfBits(shift_right_logical, np.right_shift, "{0} >> {1}", (Kind.UNSIGNED,)),
    "count_leading_zeros": _OfBits(count_leading_zeros),
}


@kernel("stablehlo.popcnt")
def count_bits(op: OpView) -> KernelFn:
    """Counts the set bits of each element; specification: "popcnt"."""
    if kind_of(op.operand_types[0]) not in (Kind.SIGNED, Kind.UNSIGNED):
        raise not_defined(op)
    dtype = element_dtype(op.operand_types[0])
    bits = bits_in(dtype)
    counted = 8 if bits == 4 and op.departs(BITS_OF_BYTES) else bits
    return widened(partial(popcnt, bits=counted), dtype)


for _name, _operation in _OPERATIONS.items():
    kernel(f"stablehlo.{_name}", expression=_operation.expression)(_operation.specialize)
