"""Reductions whose order changes no bit, argmax and argmin, and sorts of few elements."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from shlo.interpreter.kernel_api import Body, OpView
from shlo.interpreter.kernels.numeric import Kind
from shlo.interpreter.loops.elements import Element, total_order_key
from shlo.interpreter.loops.expressions import ZERO, ArrayMemory, ConstantExpr, Expr, Place, Value, affine
from shlo.interpreter.loops.functions import write_sum
from shlo.interpreter.loops.movement import combiner, strides_of
from shlo.interpreter.loops.numbers import BYTE, INDEX, INT64, Number
from shlo.interpreter.loops.statements import LoopBuilder
from shlo.interpreter.runtime.tiers import Unsupported
from shlo.ir.attributes import EnumAttr
from shlo.ir.dtypes import Array

if TYPE_CHECKING:
    from shlo.interpreter.kernels.reduction.sort_keys import Key

MOST_COMPARED: Final = 1 << 16
"""Comparisons of a sort, which compares each element of a slice with each other one."""
_ORDERED: Final = (Expr.maximum, Expr.minimum)
_EXACT: Final = (*_ORDERED, Expr.__add__, Expr.__and__, Expr.__mul__, Expr.__or__, Expr.__xor__)
"""Operations whose order of combination changes no bit of integers; of floats only the extremes."""


def exact_combiner(op: OpView, number: Number) -> Element | None:
    """Returns what combines two elements of a reduction of a type whose order changes no bit; None for any
    other. Raises Unsupported where there is no machine code.
    """
    combine = combiner(op.bodies[0], op)
    return combine if combine in (_ORDERED if number.is_float else _EXACT) else None


def write_reduce(b: LoopBuilder, op: OpView, operands: Sequence[Value], target: Place) -> None:
    """Writes the reduction of one array."""
    number = target.number
    if number.is_float and combiner(op.bodies[0], op) == Expr.__add__ and len(operands) == 2:
        write_sum(b, op, operands, target)
        return
    combine = exact_combiner(op, number)
    if len(operands) != 2 or combine is None or operands[0].number != number:
        raise Unsupported("reduce")
    source, initial = operands
    dimensions, strides = op.integers("dimensions"), strides_of(source.shape)
    others = [stride for axis, stride in enumerate(strides) if axis not in dimensions]
    total = b.variable(number)

    def reduce(indices: list[Expr]) -> None:
        first = affine(ZERO, indices, others)
        b.assign(total, initial.at(ZERO))

        def add(inner: list[Expr]) -> None:
            element = source.at(affine(first, inner, [strides[axis] for axis in dimensions]))
            b.assign(total, combine(total.at(ZERO), element))

        b.each([source.shape[axis] for axis in dimensions], add)
        b.store(target, affine(ZERO, indices, strides_of(target.shape)), total.at(ZERO))

    b.each(target.shape, reduce)


def chosen_axis(op: OpView, places: Array | None) -> tuple[int, bool]:
    """Returns the dimension along which an operation reduces values with their indices, a constant that rises
    along it, and whether to the largest. Raises Unsupported for any other operation.
    """
    from shlo.interpreter.kernels.reduction.arg_reduce import is_largest, rising_row

    if op.name != "stablehlo.reduce" or len(op.result_types) != 2 or places is None:
        raise Unsupported(op.name)
    largest, dimensions = is_largest(op.bodies[0]), op.integers("dimensions")
    is_promoting = any(op.tensor_type(i).element_type != op.result_type(i).element_type for i in range(2))
    if largest is None or len(dimensions) != 1 or is_promoting or _by_total_order(op.bodies[0]):
        raise Unsupported(op.name)
    if not places.size or rising_row(places, dimensions[0]) is None:
        raise Unsupported("indices that do not rise")
    return dimensions[0], largest


def _by_total_order(body: Body) -> bool:
    types = [operation.attribute("compare_type") for operation in body.block.operations]
    return any(isinstance(type_, EnumAttr) and type_.value == "TOTALORDER" for type_ in types)


def write_arg_reduce(
    b: LoopBuilder, axis: int, largest: bool, operands: Sequence[Value], targets: Sequence[Place]
) -> None:
    """Writes the reduction of a dimension of values and indices, as NumPy's argmax and argmin choose: the
    first of equal elements, the first NaN. `targets` are those of the results.
    """
    values, places, initial, initial_place = operands
    number, place_number = values.number, places.number
    if Kind.BOOLEAN in (number.kind, place_number.kind) or place_number.is_float:
        raise Unsupported("reduce")
    wins = operator.gt if largest else operator.lt
    strides = strides_of(values.shape)
    others = [stride for dimension, stride in enumerate(strides) if dimension != axis]
    best, at = b.variable(number), b.variable(INDEX)

    def reduce(indices: list[Expr]) -> None:
        first = b.let(affine(ZERO, indices, others))
        b.store_all([(best, ZERO, values.at(first)), (at, ZERO, first)])

        def choose(inner: list[Expr]) -> None:
            index = affine(first, inner, [strides[axis]])
            element, best_value = values.at(index), best.at(ZERO)
            is_better = wins(element, best_value)
            if number.is_float:
                is_better = is_better | (element.is_nan() & best_value.equals(best_value))
            b.store_all(
                [
                    (best, ZERO, is_better.choose(element, best_value)),
                    (at, ZERO, is_better.choose(index, at.at(ZERO))),
                ]
            )

        b.each([values.shape[axis]], choose)
        element, index = best.at(ZERO), places.at(at.at(ZERO))
        value, value_place = initial.at(ZERO), initial_place.at(ZERO)
        is_initial = wins(value, element)
        if number.is_float:
            is_initial = is_initial | value.is_nan()
        is_tie = value.equals(element) & (value_place < index)
        to = affine(ZERO, indices, strides_of(targets[0].shape))
        b.store_all(
            [
                (targets[0], to, is_initial.choose(value, element)),
                (targets[1], to, (is_initial | is_tie).choose(value_place, index)),
            ]
        )

    b.each(targets[0].shape, reduce)


def write_sort(
    b: LoopBuilder,
    op: OpView,
    operands: Sequence[Value],
    targets: Sequence[Place],
    reserve: Callable[[Number, int], ArrayMemory],
) -> int:
    """Writes the sort of the slices of all operands by one key: each element's place is how many others go
    before it. Returns how many comparisons it takes. `reserve` gives memory for so many numbers.
    """
    from shlo.interpreter.kernels.reduction.sort_keys import keys_of

    shape, keys = operands[0].shape, keys_of(op.bodies[0])
    if not shape or 0 in shape or keys is None or len(keys) != 1 or keys[0].argument is None:
        raise Unsupported("sort")
    axis, key, strides = op.integer("dimension", -1) % len(shape), keys[0], strides_of(shape)
    size, source = shape[axis], operands[key.argument or 0]
    compared = math.prod(shape) * size
    if compared > MOST_COMPARED:
        raise Unsupported("a large sort")
    codes, places = reserve(_code(key, source.at(ZERO)).number, size), reserve(INT64, size)
    precedes = operator.gt if key.is_descending else operator.lt

    def sort(outer: list[Expr]) -> None:
        first = b.let(affine(ZERO, outer, strides))

        def at(index: Expr) -> Expr:
            return first + index.convert(INDEX) * strides[axis]

        def count(indices: list[Expr]) -> None:
            position, other = indices
            mine, others = codes.at(position), codes.at(other)
            goes_before = precedes(others, mine) | (others.equals(mine) & (other < position))
            b.store(places, position, places.at(position) + goes_before.convert(INT64))

        def move(index: Expr) -> None:
            to = b.let(at(places.at(index)))
            for operand, target in zip(operands, targets):
                b.store(target, to, operand.at(at(index)))

        b.each([size], lambda at_: b.store(codes, at_[0], _code(key, source.at(at(at_[0])))))
        b.each([size], lambda at_: b.store(places, at_[0], 0))
        b.each([size, size], count)
        b.each([size], lambda at_: move(at_[0]))

    b.each([1 if dimension == axis else length for dimension, length in enumerate(shape)], sort)
    return compared


def _code(key: Key, element: Expr) -> Expr:
    """Returns an element as an integer that has the order of the keys, as `Key.codes` does."""
    number = element.number
    if number.kind is Kind.BOOLEAN:
        return element.convert(BYTE)
    if not number.is_float:
        return element
    if not key.is_total:
        element = element.is_nan().choose(ConstantExpr(number, np.nan), element + 0)
    return total_order_key(element)
