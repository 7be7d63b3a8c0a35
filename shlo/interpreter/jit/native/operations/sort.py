"""Sorts of few elements by one key: each element's place is how many others go before it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from shlo.interpreter.jit.native.elementwise import total_order_key
from shlo.interpreter.jit.native.lines import Lines
from shlo.interpreter.jit.native.numbers import Number
from shlo.interpreter.jit.native.values import Memory, NativeValue, Scalar, load, store
from shlo.interpreter.kernel_api import OpView
from shlo.interpreter.kernels.numeric import Kind
from shlo.interpreter.kernels.reduction.sort_keys import Key, keys_of
from shlo.interpreter.kernels.shapes import row_major_strides
from shlo.interpreter.runtime.tiers import Unsupported

MOST_COMPARED: Final = 1 << 16
"""Comparisons of a sort, which compares each element of a slice with each other one."""


def write_sort(
    lines: Lines,
    op: OpView,
    operands: Sequence[NativeValue],
    targets: Sequence[Memory | Scalar],
    reserve: Callable[[Number, int], Memory],
) -> int:
    """Writes the sort of the slices of all operands; returns how many comparisons it takes. `reserve` gives
    memory for so many numbers."""
    shape, keys = operands[0].shape, keys_of(op.bodies[0])
    if not shape or 0 in shape or keys is None or len(keys) != 1 or keys[0].argument is None:
        raise Unsupported("sort")
    axis, key, strides = op.integer("dimension", -1) % len(shape), keys[0], row_major_strides(shape, 1)
    size = shape[axis]
    compared = math.prod(shape) * size
    if compared > MOST_COMPARED:
        raise Unsupported("a large sort")
    source = operands[key.argument or 0]
    width = max(8, source.number.bits)
    is_signed = source.number.kind in (Kind.SIGNED, Kind.FLOAT)
    kept = Number(
        np.dtype(f"{'i' if is_signed else 'u'}{width // 8}"), Kind.SIGNED if is_signed else Kind.UNSIGNED
    )
    codes, places = reserve(kept, size), reserve(Number(np.dtype(np.int64), Kind.SIGNED), size)
    before = f"icmp {'s' if is_signed else 'u'}{'gt' if key.is_descending else 'lt'} {kept.llvm}"

    def row(outer: list[str]) -> None:
        first = lines.affine("0", outer, strides)

        def at(index: str) -> str:
            return lines.affine(first, [index], [strides[axis]])

        def encode(indices: list[str]) -> None:
            store(
                lines,
                codes,
                indices[0],
                _code(lines, key, source.number, load(lines, source, at(indices[0]))),
            )

        def place(indices: list[str]) -> None:
            (own,) = indices
            store(lines, places, own, "0")
            mine = load(lines, codes, own)

            def count(inner: list[str]) -> None:
                other = load(lines, codes, inner[0])
                is_less = lines.value(f"{before} {other}, {mine}")
                is_equal = lines.value(f"icmp eq {kept.llvm} {other}, {mine}")
                is_first = lines.value(f"icmp slt i64 {inner[0]}, {own}")
                is_tie = lines.value(f"and i1 {is_equal}, {is_first}")
                goes_before = lines.value(f"or i1 {is_less}, {is_tie}")
                more = lines.value(f"zext i1 {goes_before} to i64")
                so_far = load(lines, places, own)
                store(lines, places, own, lines.value(f"add i64 {so_far}, {more}"))

            lines.each([size], count)

        def move(indices: list[str]) -> None:
            to = at(load(lines, places, indices[0]))
            for operand, target in zip(operands, targets):
                store(lines, target, to, load(lines, operand, at(indices[0])))

        for step in (encode, place, move):
            lines.each([size], step)

    lines.each([1 if dimension == axis else each for dimension, each in enumerate(shape)], row)
    return compared


def _code(lines: Lines, key: Key, number: Number, element: str) -> str:
    """Writes an element as an integer that has the order of the keys, as `Key.codes` does."""
    if number.kind is Kind.BOOLEAN:
        return lines.value(f"zext i1 {element} to i8")
    if number.kind is not Kind.FLOAT:
        return element
    if not key.is_total:
        type_ = number.llvm
        is_nan = lines.value(f"fcmp uno {type_} {element}, {element}")
        positive = lines.value(f"fadd {type_} {element}, {number.literal(0)}")
        element = lines.value(f"select i1 {is_nan}, {type_} {number.literal(np.nan)}, {type_} {positive}")
    return total_order_key(lines, number, element)
