"""Products of matrices and sums of floats, by the loops that NumPy's matmul and add have for them.

The order in which BLAS and NumPy add decides the bits. So that they are the kernels', their own code is
called, on operands that lie in memory as the kernels' do.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from shlo.interpreter.jit.native.lines import Lines
from shlo.interpreter.jit.native.numbers import Number
from shlo.interpreter.jit.native.ufunc_loops import call, loop_of
from shlo.interpreter.kernel_api import OpView
from shlo.interpreter.kernels.contraction.dot import plain_product
from shlo.interpreter.kernels.numeric import Kind
from shlo.interpreter.kernels.reduction.reduce import LEAST_ELEMENTS, WIDEST_EINSUM
from shlo.interpreter.kernels.shapes import Sizes
from shlo.interpreter.runtime.tiers import Unsupported


def write_product(lines: Lines, op: OpView, number: Number, pointers: tuple[str, str, str]) -> int:
    """Writes a dot_general on arrays at two addresses, whose result goes to the third. Returns how many
    multiplications it takes.
    """
    product = plain_product(op)
    if product is None or number.kind is not Kind.FLOAT:
        raise Unsupported("dot_general")
    rows, terms, columns = product.sizes
    work = product.stack * rows * terms * columns
    if not work:
        raise Unsupported("a product of nothing")
    item = number.dtype.itemsize
    (left, *left_steps), (right, *right_steps) = product.lhs, product.rhs
    steps = (left, right, rows * columns * item, *left_steps, *right_steps, columns * item, item)
    loop = loop_of(np.matmul, (number.dtype,) * 3)
    call(lines, loop, pointers, (str(product.stack), str(rows), str(terms), str(columns)), steps)
    return work


def sum_layout(shape: Sizes, dimensions: Sizes) -> tuple[int, int, bool]:
    """Returns rows and columns of what is summed, and whether each row is (else each column). Raises
    Unsupported where NumPy's way through the elements is another.
    """
    if 0 in shape or not dimensions:
        raise Unsupported("a sum of nothing")
    is_summed = [axis in dimensions for axis, size in enumerate(shape) if size != 1]
    sizes = [size for size in shape if size != 1]
    changes = sum(one != other for one, other in pairwise(is_summed))
    if changes > 1:
        raise Unsupported("a sum of floats")
    if not any(is_summed):
        return 1, math.prod(sizes), False  # dimensions of size 1 only
    summed = math.prod(size for size, each in zip(sizes, is_summed) if each)
    kept = math.prod(sizes) // summed
    if math.prod(shape) >= LEAST_ELEMENTS and (is_summed[-1] or kept <= WIDEST_EINSUM):
        raise Unsupported("a sum of many floats")  # which NumPy's add does not form
    return (kept, summed, True) if is_summed[-1] else (summed, kept, False)


def write_row_sums(lines: Lines, number: Number, source: str, totals: str, rows: int, columns: int) -> None:
    """Writes the addition of each row's sum to a number at an address, as `np.add.reduce` does it."""
    loop, item = loop_of(np.add, (number.dtype,) * 3), number.dtype.itemsize

    def body(indices: list[str]) -> None:
        row = lines.affine("0", indices, [columns * item])
        place = lines.affine("0", indices, [item])
        given = lines.value(f"getelementptr i8, ptr {source}, i64 {row}")
        total = lines.value(f"getelementptr i8, ptr {totals}, i64 {place}")
        call(lines, loop, (total, given, total), (str(columns),), (0, item, 0))

    lines.each([rows], body)
