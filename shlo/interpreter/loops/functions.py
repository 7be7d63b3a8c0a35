"""Calls of NumPy's own loops: functions and powers of floats, products of matrices, sums of floats.

The order in which BLAS and NumPy add decides the bits. So that they are the kernels', their own code is
called, on operands that lie in memory as the kernels' do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from shlo.interpreter.kernel_api import OpView
from shlo.interpreter.kernels.elementwise.formula import Formula
from shlo.interpreter.kernels.shapes import Sizes
from shlo.interpreter.loops.elements import Ufunc
from shlo.interpreter.loops.expressions import (
    ZERO,
    ArrayMemory,
    ConstantExpr,
    Expr,
    LoopVariable,
    Place,
    Value,
    index_of,
)
from shlo.interpreter.loops.numbers import INDEX, POINTER, Number
from shlo.interpreter.loops.numpy_layout import ElementLoop, ufunc_loop
from shlo.interpreter.loops.statements import LoopBuilder
from shlo.interpreter.runtime.tiers import Unsupported


def loop_of(function: Ufunc, number: Number, operands: int) -> ElementLoop:
    """Returns the loop of a function of so many operands of a type; raises Unsupported where it has none."""
    if isinstance(function, Formula):
        from shlo.interpreter.loops.formulas import loop_address

        return ElementLoop(loop_address(function))
    return ufunc_loop(function, (number.dtype,) * (operands + 1))


def call_loop(
    b: LoopBuilder, loop: ElementLoop, pointers: Sequence[Expr], sizes: Sequence[Expr], steps: Sequence[int]
) -> None:
    """Writes the call of a loop.

    Args:
        b: where to.
        loop: the loop.
        pointers: the addresses of the operands and of the result.
        sizes: how many elements there are; of a generalised ufunc the core's sizes.
        steps: the bytes between elements of each operand and of the result, then those of the core's
            dimensions.
    """
    words = [*pointers], [*sizes], [index_of(step) for step in steps]
    passed: list[Expr] = []
    for number, values in zip((POINTER, INDEX, INDEX), words):
        memory = b.scratch(number, len(values))
        b.store_all([(memory, index_of(position), value) for position, value in enumerate(values)])
        passed.append(memory.pointer)
    b.call(ConstantExpr(POINTER, loop.address), *passed, ConstantExpr(POINTER, loop.data))


def write_power(b: LoopBuilder, operands: Sequence[Value], target: Place) -> None:
    """Writes the power of one float by NumPy's loop, as `power_float` calls it: with steps of 0, for which it
    has ways of its own. Raises Unsupported for arrays, whose steps the kernel's operands decide.
    """
    number = target.number
    if not number.is_float or any(value.shape or value.number != number for value in (target, *operands)):
        raise Unsupported("power")
    memory = [b.scratch(number) for _ in range(3)]
    base, exponent = (operand.at(ZERO) for operand in operands)
    b.store_all([(memory[0], ZERO, base), (memory[1], ZERO, exponent)])
    loop = ufunc_loop(np.power, (number.dtype,) * 3)
    call_loop(b, loop, [cell.pointer for cell in memory], [index_of(1)], (0, 0, 0))
    is_other = exponent.equals(0.5) & (base.equals(0) | base.equals(-np.inf))
    b.store(target, ZERO, is_other.choose(base.call("abs"), memory[2].at(ZERO)))


def write_product(b: LoopBuilder, op: OpView, number: Number, pointers: Sequence[Expr]) -> int:
    """Writes a dot_general on arrays at two addresses, whose result goes to the third. Returns how many
    multiplications it takes.
    """
    from shlo.interpreter.kernels.contraction.dot import plain_product

    product = plain_product(op)
    if product is None or not number.is_float:
        raise Unsupported("dot_general")
    rows, terms, columns = product.sizes
    work = product.stack * rows * terms * columns
    if not work:
        raise Unsupported("a product of nothing")
    (left, *left_steps), (right, *right_steps) = product.lhs, product.rhs
    steps = (
        left,
        right,
        rows * columns * number.size,
        *left_steps,
        *right_steps,
        columns * number.size,
        number.size,
    )
    loop = ufunc_loop(np.matmul, (number.dtype,) * 3)
    call_loop(b, loop, pointers, [index_of(size) for size in (product.stack, rows, terms, columns)], steps)
    return work


def write_sum(b: LoopBuilder, op: OpView, operands: Sequence[Value], target: Place) -> None:
    """Writes the sums of floats along dimensions, in NumPy's order."""
    source, initial = operands
    if not isinstance(source, ArrayMemory) or any(operand.number != target.number for operand in operands):
        raise Unsupported("a sum of floats")
    rows, columns, is_of_rows = _sum_layout(source.shape, op.integers("dimensions"))
    number = target.number
    totals = target if isinstance(target, ArrayMemory) else b.scratch(number)
    start = initial.at(ZERO)
    b.each([rows if is_of_rows else columns], lambda at: b.store(totals, at[0], start))
    if is_of_rows:
        loop = ufunc_loop(np.add, (number.dtype,) * 3)

        def add_row(at: list[Expr]) -> None:
            total, row = totals.address(at[0]), source.address(at[0] * columns)
            call_loop(b, loop, (total, row, total), [index_of(columns)], (0, number.size, 0))

        b.each([rows], add_row)
    else:

        def add(at: list[Expr]) -> None:
            element = source.at(at[0] * columns + at[1])
            b.store(totals, at[1], totals.at(at[1]) + element)

        b.each([rows, columns], add)
    if isinstance(target, LoopVariable):
        b.assign(target, totals.at(ZERO))


def _sum_layout(shape: Sizes, dimensions: Sizes) -> tuple[int, int, bool]:
    """Returns rows and columns of what is summed, and whether each row is (else each column). Raises
    Unsupported where NumPy's way through the elements is another.
    """
    from shlo.interpreter.kernels.reduction.reduce import LEAST_ELEMENTS, WIDEST_EINSUM

    if 0 in shape or not dimensions:
        raise Unsupported("a sum of nothing")
    is_summed = [axis in dimensions for axis, size in enumerate(shape) if size != 1]
    sizes = [size for size in shape if size != 1]
    if sum(one != other for one, other in pairwise(is_summed)) > 1:
        raise Unsupported("a sum of floats")
    if not any(is_summed):
        return 1, math.prod(sizes), False  # dimensions of size 1 only
    summed = math.prod(size for size, is_one in zip(sizes, is_summed) if is_one)
    others = math.prod(sizes) // summed
    if math.prod(shape) >= LEAST_ELEMENTS and (is_summed[-1] or others <= WIDEST_EINSUM):
        raise Unsupported("a sum of many floats")  # which NumPy's add does not form
    return (others, summed, True) if is_summed[-1] else (summed, others, False)
