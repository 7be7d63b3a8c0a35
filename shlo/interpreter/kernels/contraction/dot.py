"""Dot products: dot_general, dot, einsum, unary_einsum. Each becomes one product of (stacks of) matrices."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.lib.stride_tricks import as_strided

from shlo.dialects.struct_attributes import DotAlgorithm, DotDimensionNumbers
from shlo.interpreter.kernel_api import KernelError, KernelFn, OpView, UnaryFn
from shlo.interpreter.kernels.contraction.dot_algorithms import (
    accumulation_dtype,
    product_by,
    working_dtype_of,
)
from shlo.interpreter.kernels.contraction.products import finish_for, product_in, working_dtype
from shlo.interpreter.kernels.numeric import Kind, kind_of
from shlo.interpreter.kernels.shapes import planned_for
from shlo.interpreter.registry import kernel
from shlo.interpreter.runtime.copies import copied_by_rows
from shlo.interpreter.semantics import ALGORITHMS_IGNORED
from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.types import RankedTensorType, Type

MOST_BY_ROWS = 1 << 16
"""Multiplications up to which operands are stored row by row: machine code of loops, which has no views, then
gives the same bits. Larger products take views of transposed operands as they are, since a copy may take many
times as long as a product with a vector."""
MOST_OF_MATRICES_BY_ROWS = 1 << 17
"""The same for products that use each element of both operands at least `LEAST_USES` times."""
LEAST_USES = 8

Sizes = tuple[int, ...]
Unary = Callable[[Array], Array]
Binary = Callable[[Array, Array], Array]


class _View(NamedTuple):
    """View of an operand as matrices: its dimensions reordered, then reshaped (None: no need to)."""

    order: Sizes | None
    shape: Sizes | None


class _Plan(Struct, frozen=True):
    """Both operands as matrices, or as stacks of them, the result's shape, and rows, terms and columns of
    a matrix's product. `by_rows` says whether operands are stored row by row first."""

    lhs: _View
    rhs: _View
    result: Sizes
    stacked: bool
    sizes: tuple[int, int, int]
    by_rows: bool


@kernel("stablehlo.dot_general")
def dot_general(op: OpView) -> KernelFn:
    """Computes sums of products over the contracted dimensions; specification: "dot_general".

    An algorithm is carried out (`dot_algorithms`), unless XLA on CPU is followed, which has none of them.
    `precision_config` has no effect, as on XLA's CPU: products are always formed in the operands' type.

    Cost: as many multiplications as result elements times contracted elements.
    """
    numbers = op.require("dot_dimension_numbers", DotDimensionNumbers)
    lhs, rhs, algorithm = op.tensor_type(0), op.tensor_type(1), op.get("algorithm")
    if isinstance(algorithm, DotAlgorithm) and not op.departs(ALGORITHMS_IGNORED):
        return contraction(numbers, lhs, rhs, op.result_type(), algorithm)
    return contraction(numbers, lhs, rhs, op.result_type())


@kernel("stablehlo.dot")
def dot(op: OpView) -> KernelFn:
    """Contracts the last dimension of lhs with the first one of rhs."""
    lhs, rhs = op.tensor_type(0), op.tensor_type(1)
    return contraction(DotDimensionNumbers((), (), (lhs.rank - 1,), (0,)), lhs, rhs, op.result_type())


def contraction(
    numbers: DotDimensionNumbers,
    lhs: RankedTensorType,
    rhs: RankedTensorType,
    result: RankedTensorType,
    algorithm: DotAlgorithm | None = None,
) -> Binary:
    """Returns the function that contracts two arrays into one of the result's type, by `algorithm` if given.
    Sizes that the types leave open are read from the arrays. Raises KernelError if sizes do not fit."""
    elements = lhs.element_type, rhs.element_type, result.element_type
    working_dtype(*elements, None)
    if any(kind_of(element) is not Kind.FLOAT for element in elements):
        algorithm = None  # of integers every product and sum is exact, as in the reference interpreter

    def plan(left: Sizes, right: Sizes) -> Binary:
        return _planned(_plan(numbers, left, right), *elements, algorithm)

    return planned_for((lhs, rhs), plan)


def _planned(plan: _Plan, lhs: Type, rhs: Type, result: Type, algorithm: DotAlgorithm | None) -> Binary:
    if algorithm is None:
        working = working_dtype(lhs, rhs, result, plan.sizes[1])
        product, finish = product_in(working, plan.sizes, stacked=plan.stacked), finish_for(working, result)
    else:
        working = working_dtype_of(algorithm)
        product = product_by(algorithm, plan.sizes, stacked=plan.stacked)
        finish = finish_for(accumulation_dtype(algorithm), result)
    left, right = (
        _bind_kernel(plan.lhs, dtype_of(lhs), working),
        _bind_kernel(plan.rhs, dtype_of(rhs), working),
    )
    shape = plan.result
    if plan.by_rows:
        left, right = _of_rows(left), _of_rows(right)
    if finish is None:
        return lambda a, b: product(left(a), right(b)).reshape(shape)
    return lambda a, b: finish(product(left(a), right(b))).reshape(shape)


def _bind_kernel(view: _View, dtype: np.dtype[Any], working: np.dtype[Any]) -> Unary:
    """Returns the function that makes an operand matrices of the working dtype, a view where possible."""
    arrange = _arrangement(view)
    if dtype != working:
        return lambda array: arrange(array).astype(working)
    return arrange


def _arrangement(view: _View) -> Unary:
    order, shape = view
    if order is not None and shape is not None:
        return lambda array: array.transpose(order).reshape(shape)
    if order is not None:
        return lambda array: array.transpose(order)
    if shape is not None:
        return lambda array: array.reshape(shape)
    return lambda array: array


def _of_rows(function: Unary) -> Unary:
    """Returns a function of an array that is stored row by row first."""
    return lambda array: function(array if array.flags.c_contiguous else copied_by_rows(array))


class PlainProduct(Struct, frozen=True):
    """A contraction that is `stack` products of matrices of one float type, each of whose operands is a view
    of an array that lies row by row. Strides are in bytes: from matrix to matrix, row to row, column to
    column."""

    stack: int
    sizes: tuple[int, int, int]
    lhs: tuple[int, int, int]
    rhs: tuple[int, int, int]


def plain_product(op: OpView) -> PlainProduct | None:
    """Returns the products that the kernel of a dot_general of known sizes forms; None where it does more, or
    where bits depend on how operands lie in memory."""
    types = (op.tensor_type(0), op.tensor_type(1), op.result_type())
    dtype = dtype_of(types[2].element_type)
    algorithm = op.get("algorithm")
    is_plain = algorithm is None or op.departs(ALGORITHMS_IGNORED)
    if not is_plain or dtype.char not in "fd" or not all(type_.is_static for type_ in types):
        return None
    if any(dtype_of(type_.element_type) != dtype for type_ in types):
        return None
    numbers = op.require("dot_dimension_numbers", DotDimensionNumbers)
    plan = _plan(numbers, types[0].static_shape, types[1].static_shape)
    if not plan.by_rows:
        return None
    views: list[Array] = []
    for type_, view in zip(types, (plan.lhs, plan.rhs)):
        whole = np.empty(type_.static_shape, dtype)
        matrices = _arrangement(view)(whole)
        if not np.shares_memory(whole, matrices) or matrices.ndim > 3:
            return None
        matrix = matrices if matrices.ndim == 3 else matrices[np.newaxis]
        rows, columns = matrix.shape[1:]
        expected = ((columns * dtype.itemsize, dtype.itemsize), (dtype.itemsize, rows * dtype.itemsize))
        if matrix.strides[1:] not in expected:
            return None
        views.append(matrix)
    left, right = views
    sizes = (left.shape[1], left.shape[2], right.shape[2])
    return PlainProduct(len(left), sizes, _three(left.strides), _three(right.strides))


def _three(strides: Sizes) -> tuple[int, int, int]:
    matrix, row, column = strides
    return matrix, row, column


# --- planning ----------------------------------------------------------------------------------------------


def _plan(numbers: DotDimensionNumbers, lhs: Sizes, rhs: Sizes) -> _Plan:
    pairs = _contracting_pairs(numbers, lhs, rhs)
    left, right = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    batch = _pick(lhs, numbers.lhs_batching_dimensions)
    lhs_free = _others(len(lhs), (*numbers.lhs_batching_dimensions, *left))
    rhs_free = _others(len(rhs), (*numbers.rhs_batching_dimensions, *right))
    result = (*batch, *_pick(lhs, lhs_free), *_pick(rhs, rhs_free))
    rows, terms, columns = (math.prod(_pick(*at)) for at in ((lhs, lhs_free), (lhs, left), (rhs, rhs_free)))
    stack = () if math.prod(batch) == 1 else batch
    lhs_view = _view(lhs, (*numbers.lhs_batching_dimensions, *lhs_free, *left), (*stack, rows, terms))
    rhs_view = _view(rhs, (*numbers.rhs_batching_dimensions, *right, *rhs_free), (*stack, terms, columns))
    most = MOST_OF_MATRICES_BY_ROWS if min(rows, columns) >= LEAST_USES else MOST_BY_ROWS
    by_rows = math.prod(result) * terms <= most
    return _Plan(lhs_view, rhs_view, result, bool(stack), (rows, terms, columns), by_rows)


def _contracting_pairs(numbers: DotDimensionNumbers, lhs: Sizes, rhs: Sizes) -> list[tuple[int, int]]:
    """Returns pairs of dimensions to sum over, in the order that spares the larger operand a copy."""
    pairs = zip(numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions)
    larger = 0 if math.prod(lhs) >= math.prod(rhs) else 1
    return sorted(pairs, key=lambda pair: pair[larger])


def _view(sizes: Sizes, order: Sizes, shape: Sizes) -> _View:
    in_order = order == tuple(range(len(order)))
    return _View(None if in_order else order, None if _pick(sizes, order) == shape else shape)


def _pick(sizes: Sizes, dimensions: Iterable[int]) -> Sizes:
    return tuple(sizes[d] for d in dimensions)


def _others(rank: int, dimensions: Sizes) -> Sizes:
    return tuple(d for d in range(rank) if d not in dimensions)


# --- einsum ------------------------------------------------------------------------------------------------


@kernel("stablehlo.einsum")
def einsum(op: OpView) -> KernelFn:
    """Computes the einsum of two operands that `einsum_config` describes, such as `ab,bc->ac`."""
    inputs, output = _equation(op.word("einsum_config"), 2)
    types, result = (op.tensor_type(0), op.tensor_type(1)), op.result_type()
    if not all(type_.is_static for type_ in types):
        raise KernelError("needs operands of known sizes")
    return _einsum(inputs, output, types, result)


@kernel("stablehlo.unary_einsum")
def unary_einsum(op: OpView) -> UnaryFn:
    """Computes the einsum of one operand: its diagonals, sums and transposes."""
    inputs, output = _equation(op.word("einsum_config"), 1)
    operand, result = op.tensor_type(0), op.result_type()
    if not operand.is_static:
        raise KernelError("needs an operand of known sizes")
    one = np.ones((), dtype_of(operand.element_type))
    types = operand, RankedTensorType((), operand.element_type)
    evaluate = _einsum((inputs[0], ""), output, types, result)
    return lambda array: evaluate(array, one)


def _equation(config: str, operands: int) -> tuple[tuple[str, ...], str]:
    """Returns the labels of the operands and of the result in `ab,bc->ac`."""
    left, arrow, output = config.replace(" ", "").partition("->")
    inputs = tuple(left.split(","))
    labels = [part.replace("...", "", 1) for part in (*inputs, output)]
    if not arrow or len(inputs) != operands or not all(part.isalpha() or not part for part in labels):
        raise KernelError(f"einsum_config {config!r} is no equation for {operands} operands")
    return inputs, output


def _einsum(
    inputs: tuple[str, ...], output: str, types: tuple[RankedTensorType, ...], result: RankedTensorType
) -> Binary:
    """Returns an einsum as the contraction of two operands in which each label occurs once. A label of only
    one operand that the result lacks is summed: the other operand is repeated along it."""
    ranks = [type_.rank for type_ in types]
    spelled, output = _spell_ellipses(inputs, output, ranks)
    sizes = _label_sizes(spelled, [type_.static_shape for type_ in types])
    unique = [_unique(labels) for labels in spelled]
    single = set(unique[0]) ^ set(unique[1])
    summed = [label for label in sizes if label in single and label not in output]
    full = [labels + "".join(label for label in summed if label not in labels) for labels in unique]
    numbers, order = _einsum_numbers(full[0], full[1], output)
    shapes = [tuple(sizes[label] for label in labels) for labels in full]
    lhs, rhs = (RankedTensorType(shape, type_.element_type) for shape, type_ in zip(shapes, types))
    contracted = RankedTensorType(tuple(sizes[label] for label in order), result.element_type)
    evaluate = contraction(numbers, lhs, rhs, contracted)
    spread = [_spreader(labels, sizes, shape) for labels, shape in zip(spelled, shapes)]
    permutation = tuple(order.index(label) for label in output)
    return lambda a, b: evaluate(spread[0](a), spread[1](b)).transpose(permutation)


def _spell_ellipses(inputs: tuple[str, ...], output: str, ranks: list[int]) -> tuple[list[str], str]:
    """Returns labels with `...` replaced by digits, counted from the right so that equal ones fit."""
    spelled: list[str] = []
    longest = ""
    for labels, rank in zip(inputs, ranks):
        hidden = rank - len(labels.replace("...", ""))
        digits = "9876543210"[10 - hidden :] if 0 <= hidden <= 10 else ""
        labels = labels.replace("...", digits)
        longest = max(longest, digits, key=len)
        if len(labels) != rank:
            raise KernelError(f"einsum_config gives {len(labels)} labels to an operand of rank {rank}")
        spelled.append(labels)
    return spelled, output.replace("...", longest)


def _label_sizes(inputs: list[str], shapes: list[Sizes]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for labels, shape in zip(inputs, shapes):
        for label, size in zip(labels, shape):
            if sizes.setdefault(label, size) != size:
                raise KernelError(f"einsum label {label!r} has sizes {sizes[label]} and {size}")
    return sizes


def _unique(labels: str) -> str:
    return "".join(dict.fromkeys(labels))


def _einsum_numbers(lhs: str, rhs: str, output: str) -> tuple[DotDimensionNumbers, str]:
    """Returns dimension numbers of the contraction, and the labels of its result in order."""
    if len(_unique(output)) != len(output) or set(output) - set(lhs + rhs):
        raise KernelError(f"einsum result labels {output!r} must be different labels of the operands")
    batch = [label for label in lhs if label in rhs and label in output]
    summed = [label for label in lhs if label in rhs and label not in output]
    numbers = DotDimensionNumbers(
        tuple(lhs.index(label) for label in batch),
        tuple(rhs.index(label) for label in batch),
        tuple(lhs.index(label) for label in summed),
        tuple(rhs.index(label) for label in summed),
    )
    free = [label for labels in (lhs, rhs) for label in labels if label not in batch and label not in summed]
    return numbers, "".join(batch + free)


def _spreader(labels: str, sizes: dict[str, int], shape: Sizes) -> Unary:
    """Returns the function that views an operand with each label once, repeated along missing ones."""
    order = _unique(labels)
    padding = len(shape) - len(order)
    if order == labels and not padding:
        return lambda array: array

    def spread(array: Array) -> Array:
        strides = [sum(s for at, s in zip(labels, array.strides) if at == label) for label in order]
        return as_strided(np.asarray(array), shape, (*strides, *([0] * padding)), writeable=False)

    return spread
