"""What an element depends on within one execution of an operation, and what an element reaches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import ml_dtypes
import numpy as np

from shlo.debugger.provenance import contraction, elementwise, lines, movement, reduction
from shlo.debugger.provenance.contributions import (
    MOST_LISTED,
    Contributions,
    Index,
    OpRun,
    TermsOf,
    ranked,
    registered,
    results_of,
)
from shlo.dialects import find_op_def
from shlo.interpreter.kernel_api import KernelError
from shlo.ir.dtypes import Array

MAPS: Final = (contraction, elementwise, lines, movement, reduction)
"""The modules that register maps of operations."""


def contributions(run: OpRun, result: int, index: Index, most: int = MOST_LISTED) -> Contributions:
    """Returns which elements of the operands made the element of a result.

    Args:
        run: An execution of an operation.
        result: The number of the result, a tensor.
        index: The element's index in it.
        most: How many are listed at most.
    """
    function = _function(run.view.name)
    if function is None:
        return Contributions(opaque=f"{run.view.name} does not say how elements depend on each other")
    return ranked(run, function(run, result, index), most)


def is_known(name: str) -> bool:
    """Returns whether an operation says how elements depend on each other."""
    return _function(name) is not None


def _function(name: str) -> TermsOf | None:
    function = registered(name)
    if function is not None:
        return function
    op_def = find_op_def(name)
    if op_def is not None and op_def.has("elementwise"):
        return elementwise.elementwise
    if op_def is not None and op_def.has("annotation"):
        return elementwise.unchanged
    return elementwise.broadcast if name.startswith("chlo.broadcast_") else None


def reached(run: OpRun, operand: int, index: Index) -> list[Array]:
    """Returns for each result a mask of the elements that depend on an element of an operand: those that
    change when the operation runs again with another number there. Costs a few executions.
    """
    masks = [np.zeros(np.shape(result), bool) for result in run.results]
    for changed in changes(run.arrays[operand], index):
        operands = [*run.operands[:operand], changed, *run.operands[operand + 1 :]]
        try:
            results = results_of(run.evaluate(*operands))
        except KernelError:
            continue
        for mask, before, after in zip(masks, run.results, results):
            mask |= differs(before, after)
    return masks


def changes(array: Array, index: Index) -> Iterator[Array]:
    """Yields copies of an array with other numbers at an index: beside the one there, far from it, and what
    propagates through every function.
    """
    number = array[index]
    for other in _others(array.dtype, number):
        changed = array.copy()
        changed[index] = other
        if differs(changed[index], number).any():
            yield changed


def _others(dtype: np.dtype[Any], number: Any) -> Iterator[Any]:
    if dtype.kind == "b":
        yield not number
        return
    with np.errstate(all="ignore"):
        one, two = dtype.type(1), dtype.type(2)
        yield from (number + one, number - one, number * two + one, dtype.type(0))
        if dtype.kind in "iu" or "int" in dtype.name:
            yield from (number ^ one, ~number) if dtype.kind in "iu" else ()
            yield from (
                dtype.type(limit) for limit in (ml_dtypes.iinfo(dtype).min, ml_dtypes.iinfo(dtype).max)
            )
        else:
            yield from (-number, number / two, number * dtype.type(-3))
            yield from (dtype.type(float(name)) for name in ("inf", "-inf", "nan"))


def differs(one: Any, other: Any) -> Array:
    """Returns where two tensors of one shape differ in their bits."""
    before, after = np.ascontiguousarray(one), np.ascontiguousarray(other)
    width = before.dtype.itemsize
    unequal = before.view(np.uint8).reshape(-1, width) != after.view(np.uint8).reshape(-1, width)
    return np.asarray(unequal.any(axis=1)).reshape(np.shape(one))
