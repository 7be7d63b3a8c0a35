"""Exact sums, and sums of products, of integers: an operation's own kernel makes them on float64 of digits so
short that it rounds nothing.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from shlo.interpreter.kernel_api import KernelError, OpView
from shlo.interpreter.kernels.numeric import bits_in
from shlo.ir.dtypes import Array
from shlo.sanitizer.wide import wide_result

MOST_EXACT: Final = 1 << 53
"""Up to here float64 has every integer."""

PRODUCTS: Final = frozenset({"stablehlo.dot", "stablehlo.dot_general", "stablehlo.convolution"})
"""Operations that add up products of two operands' elements."""


def is_sum(view: OpView) -> bool:
    """Returns whether an operation adds up elements or products of them."""
    if not view.bodies:
        return view.name in PRODUCTS
    single = view.bodies[0].single_operation
    return single is not None and single.name == "stablehlo.add"


def extent_of_sum(view: OpView, operands: Sequence[Array]) -> tuple[int, int]:
    """Returns how many terms a sum may have at most, and what their magnitudes may add up to."""
    largest = [
        max(abs(int(operand.min())), abs(int(operand.max()))) if operand.size else 0 for operand in operands
    ]
    if view.name in PRODUCTS:
        terms = min(operand.size for operand in operands)
        return terms, terms * math.prod(largest)
    is_window = view.name == "stablehlo.reduce_window"
    terms = 1 + (math.prod(view.integers("window_dimensions")) if is_window else operands[0].size)
    return terms, terms * max(largest)


class ExactSums(Struct, frozen=True):
    """Integers without limits.

    Args:
        bits: how many bits lie between the places of two neighbouring digits.
        digits: the lowest digit of each integer, and so on; a digit may have further bits, and a sign.
    """

    bits: int
    digits: Sequence[Array]

    def at(self, index: tuple[int, ...]) -> int:
        """Returns the integer at an index."""
        return sum(int(digit[index]) << self.bits * position for position, digit in enumerate(self.digits))

    def differ_from(self, others: Array) -> Array:
        """Returns which integers are not those of an array."""
        carry = np.zeros(others.shape, np.int64)
        is_other = np.zeros(others.shape, bool)
        for digit, other in zip(self.digits, _digits(others, self.bits, len(self.digits))):
            carry = carry + digit - other
            is_other |= carry & ((1 << self.bits) - 1) != 0
            carry >>= self.bits
        return is_other | (carry != 0)


def exact_sums(view: OpView, operands: Sequence[Array], terms: int) -> ExactSums:
    """Returns the first result of an operation that adds up at most so many terms, exactly; raises
    KernelError where its kernel does not take float64.
    """
    is_product = view.name in PRODUCTS
    bits = (MOST_EXACT.bit_length() - 1 - terms.bit_length()) // (2 if is_product else 1)
    count = max(-(-bits_in(operand.dtype) // bits) for operand in operands)
    columns = [_digits(operand, bits, count) for operand in operands]
    if is_product:
        chosen = [(sum(pair), pair) for pair in itertools.product(range(count), repeat=2)]
    else:
        chosen = [(position, (position,) * len(operands)) for position in range(count)]
    sums: dict[int, Array] = {}
    for position, places in chosen:
        part = wide_result(view, [digits[part] for digits, part in zip(columns, places)])
        if part is None:
            raise KernelError("the operation takes no float64")
        sums[position] = sums.get(position, 0) + part.astype(np.int64)
    return ExactSums(bits, [sums[position] for position in sorted(sums)])


def _digits(array: Array, bits: int, count: int) -> list[Array]:
    """Returns the digits of integers, from the lowest; the highest has the sign."""
    wide = array if array.dtype == np.uint64 else array.astype(np.int64)
    shifted = [wide >> min(bits * position, 63) for position in range(count)]
    return [*(part & ((1 << bits) - 1) for part in shifted[:-1]), shifted[-1]]
