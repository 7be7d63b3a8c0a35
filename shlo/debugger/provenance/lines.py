"""Operations in which whole rows, features or matrices depend on each other: transforms, factorisations,
normalisation, random numbers.
"""

from __future__ import annotations

import numpy as np

from shlo.debugger.provenance.contributions import (
    Index,
    OpRun,
    Terms,
    element,
    position_at,
    positions_in,
    terms_of,
    terms_of_op,
    whole,
)
from shlo.ir.dtypes import Array
from shlo.runner.statistics import is_finite


@terms_of_op
def fft(run: OpRun, result: int, index: Index) -> list[Terms]:
    """All elements along the dimensions that are transformed."""
    array = run.arrays[0]
    batch_rank = array.ndim - len(run.view.integers("fft_length"))
    lines = positions_in(array.shape).reshape((*array.shape[:batch_rank], -1))
    return [Terms(0, lines[index[:batch_rank]].reshape(-1), "term")]


@terms_of_op
def cholesky(run: OpRun, result: int, index: Index) -> list[Terms]:
    """The elements of the factor's half that its rows up to this one's column need; all of that half where
    the factorisation failed, which makes every element NaN.
    """
    lower = run.view.flag("lower")
    row, column = index[-2:] if lower else (index[-1], index[-2])
    failed = not is_finite(np.asarray(run.results[0])[index])
    if column > row and not failed:
        return []
    rows = {*range(column + 1), row}
    if failed:
        rows, column = set(range(run.arrays[0].shape[-1])), run.arrays[0].shape[-1]
    places = [(r, c) for r in sorted(rows) for c in range(min(r, column) + 1)]
    return [_in_matrix(run.arrays[0], 0, index[:-2], [(r, c) if lower else (c, r) for r, c in places])]


@terms_of_op
def triangular_solve(run: OpRun, result: int, index: Index) -> list[Terms]:
    """The elements of both operands that substitution reads on the way to this one."""
    op, (a, b) = run.view, run.arrays
    left, transposed = op.flag("left_side"), op.word("transpose_a", "NO_TRANSPOSE") != "NO_TRANSPOSE"
    lower, unit = op.flag("lower"), op.flag("unit_diagonal")
    at, other = (index[-2], index[-1]) if left else (index[-1], index[-2])
    size = a.shape[-1]
    # forwards: rows up to this one are solved before it; else rows from it on
    forwards = (lower != transposed) == left
    solved = range(at + 1) if forwards else range(at, size)
    places: list[tuple[int, int]] = []
    for row in solved:
        for column in solved:
            if (column <= row if forwards else column >= row) and not (unit and row == column):
                pair = (row, column) if left != transposed else (column, row)
                places.append(pair)
    coefficients = [(row, other) if left else (other, row) for row in solved]
    return [_in_matrix(b, 1, index[:-2], coefficients), _in_matrix(a, 0, index[:-2], places)]


def _in_matrix(array: Array, operand: int, batch: Index, places: list[tuple[int, int]]) -> Terms:
    positions = [position_at((*batch, *row_column), array.shape) for row_column in places]
    return Terms(operand, np.array(positions, np.int64), "term")


@terms_of_op
def batch_norm_inference(run: OpRun, result: int, index: Index) -> list[Terms]:
    """The element, and the numbers of its feature."""
    feature = (index[run.view.integer("feature_index")],)
    scalars = [element(operand, run.arrays[operand], feature) for operand in range(1, 5)]
    return [element(0, run.arrays[0], index), *scalars]


@terms_of_op
def batch_norm_training(run: OpRun, result: int, index: Index) -> list[Terms]:
    """All elements of the feature; for the output scale and offset, too."""
    axis = run.view.integer("feature_index")
    if result:
        return [_feature(run.arrays[0], 0, axis, index[0])]
    feature = index[axis]
    scalars = [element(operand, run.arrays[operand], (feature,)) for operand in (1, 2)]
    return [_feature(run.arrays[0], 0, axis, feature), *scalars]


@terms_of_op
def batch_norm_grad(run: OpRun, result: int, index: Index) -> list[Terms]:
    """All elements of the feature, and its numbers; that of the offset takes the gradient alone."""
    axis = run.view.integer("feature_index")
    feature = index[axis] if result == 0 else index[0]
    gradient = _feature(run.arrays[4], 4, axis, feature)
    if result == 2:
        return [gradient]
    numbers = (1, 2, 3) if result == 0 else (2, 3)
    scalars = [element(operand, run.arrays[operand], (feature,)) for operand in numbers]
    return [gradient, _feature(run.arrays[0], 0, axis, feature), *scalars]


def _feature(array: Array, operand: int, axis: int, feature: int) -> Terms:
    numbers = positions_in(array.shape)
    return Terms(operand, np.take(numbers, feature, axis).reshape(-1), "term")


@terms_of_op
def rng_bit_generator(run: OpRun, result: int, index: Index) -> list[Terms]:
    """The state."""
    return [whole(0, run.arrays[0])]


@terms_of_op
def rng(run: OpRun, result: int, index: Index) -> list[Terms]:
    """The limits of the distribution."""
    return [whole(operand, run.arrays[operand]) for operand in range(2)]


@terms_of(
    "stablehlo.get_dimension_size",
    "chlo.constant_like",
    "shape.shape_of",
    "shape.num_elements",
    "shape.broadcast",
    "shape.cstr_broadcastable",
    "tensor.dim",
    "tensor.rank",
    "tensor.empty",
)
def source(run: OpRun, result: int, index: Index) -> list[Terms]:
    """No element of an operand: shapes, positions and constants."""
    return []
