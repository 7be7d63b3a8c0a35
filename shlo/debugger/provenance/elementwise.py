"""Operations that work on each element alone, with scalars and broadcast operands."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec.structs import replace

from shlo.debugger.provenance.contributions import (
    Index,
    OpRun,
    Terms,
    element,
    terms_of,
    terms_of_op,
)
from shlo.ir.attributes import DenseArrayAttr
from shlo.ir.dtypes import Array
from shlo.runner.statistics import wide


@terms_of(
    "stablehlo.map",
    "arith.addui_extended",
    "arith.subui_extended",
    "arith.mulsi_extended",
    "arith.mului_extended",
    "quant.dcast",
    "quant.qcast",
    "quant.scast",
)
def elementwise(run: OpRun, result: int, index: Index) -> list[Terms]:
    """Returns the elements at the same index; scalars whatever the index is."""
    return [element(operand, array, index) for operand, array in enumerate(run.arrays)]


@terms_of("stablehlo.subtract")
@terms_of_op
def add(run: OpRun, result: int, index: Index) -> list[Terms]:
    """Returns the elements at the same index, with themselves as what they add."""
    return [replace(terms, amounts=wide(_number(run, terms))) for terms in elementwise(run, result, index)]


@terms_of("stablehlo.divide")
@terms_of_op
def multiply(run: OpRun, result: int, index: Index) -> list[Terms]:
    """Returns the elements at the same index: a negative one first where the result is negative, then the one
    that is further from 1, by how many times."""
    result_number = np.asarray(run.results[result])[index]
    is_negative = result_number.dtype.kind != "c" and bool(result_number < 0)

    def sign_and_times(terms: Terms) -> tuple[bool, float]:
        (number,) = wide(_number(run, terms))
        return not (is_negative and number < 0), -abs(float(np.log2(np.abs(number))))

    return sorted(elementwise(run, result, index), key=sign_and_times)


@terms_of("stablehlo.minimum", "stablehlo.clamp")
@terms_of_op
def maximum(run: OpRun, result: int, index: Index) -> list[Terms]:
    """Returns the elements at the same index, the one that is taken first."""
    result_number = np.asarray(run.results[result])[index]
    return sorted(
        elementwise(run, result, index), key=lambda terms: bool((_number(run, terms) != result_number).any())
    )


BY_ELEMENT: Final = frozenset({elementwise, add, multiply, maximum})
"""Functions of operations that make each element of those at the same index."""


def _number(run: OpRun, terms: Terms) -> Array:
    return run.arrays[terms.operand].reshape(-1)[terms.positions]


@terms_of(
    "stablehlo.optimization_barrier",
    "builtin.unrealized_conversion_cast",
    "interpreter.probe",
    "tensor.cast",
    "memref.cast",
    "bufferization.to_tensor",
    "bufferization.to_buffer",
)
def unchanged(run: OpRun, result: int, index: Index) -> list[Terms]:
    """The element of the operand of the same number."""
    return [element(result, run.arrays[result], index)]


@terms_of("arith.select")
@terms_of_op
def select(run: OpRun, result: int, index: Index) -> list[Terms]:
    """The predicate, and the element of the side that it takes."""
    predicate = run.arrays[0]
    side = 1 if predicate[index if predicate.ndim else ()] else 2
    return [element(side, run.arrays[side], index), element(0, predicate, index, "choice")]


@terms_of("chlo.broadcast_select")
def broadcast_selected(run: OpRun, result: int, index: Index) -> list[Terms]:
    """As `select`, of operands that are broadcast by their last dimensions."""
    rank = np.ndim(run.results[result])
    predicate = _broadcast(run, 0, index, rank)
    side = 1 if run.arrays[0].reshape(-1)[predicate.positions[0]] else 2
    return [_broadcast(run, side, index, rank), Terms(0, predicate.positions, "choice")]


def broadcast(run: OpRun, result: int, index: Index) -> list[Terms]:
    """Returns the elements that `chlo.broadcast_*` brings together at an index."""
    rank = np.ndim(run.results[result])
    return [_broadcast(run, operand, index, rank) for operand in range(len(run.operands))]


def _broadcast(run: OpRun, operand: int, index: Index, rank: int) -> Terms:
    array = run.arrays[operand]
    dimensions = run.view.get("broadcast_dimensions")
    axes = range(rank - array.ndim, rank)
    if isinstance(dimensions, DenseArrayAttr) and array.ndim < rank:
        axes = dimensions.values
    return element(operand, array, _stretched(array, [index[axis] for axis in axes]))


def _stretched(array: Array, index: list[int]) -> Index:
    return tuple(0 if size == 1 else at for size, at in zip(array.shape, index))
