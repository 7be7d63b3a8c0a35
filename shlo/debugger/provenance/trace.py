"""What an element depends on within one execution of an operation, and what an element reaches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import ml_dtypes
import numpy as np

from shlo.debugger.provenance import contraction, elementwise, lines, movement, reduction, scan
from shlo.debugger.provenance.contributions import (
    MOST_LISTED,
    Contributions,
    Index,
    OpRun,
    ranked,
    results_of,
)
from shlo.debugger.provenance.lookup import function_of, terms_in
from shlo.interpreter.kernel_api import KernelError, OpView, Value
from shlo.ir.dtypes import Array

MAPS: Final = (contraction, elementwise, lines, movement, reduction, scan)
"""The modules that register maps of operations."""


def contributions(run: OpRun, result: int, index: Index, most: int = MOST_LISTED) -> Contributions:
    """Returns which elements of the operands made the element of a result.

    Args:
        run: An execution of an operation.
        result: The number of the result, a tensor.
        index: The element's index in it.
        most: How many are listed at most.
    """
    terms = terms_in(run, result, index)
    if terms is None:
        return Contributions(opaque=f"{_title(run.view)} does not say how elements depend on each other")
    return ranked(run, terms, most)


def _title(view: OpView) -> str:
    """Returns the name of an operation; of a custom call its target, too."""
    is_call = view.name == "stablehlo.custom_call"
    return f"{view.name} of {view.word('call_target_name')!r}" if is_call else view.name


def reached_from(
    run: OpRun, masks: Sequence[Array | None], can_run: bool = True, by_name: bool = True
) -> list[Array] | None:
    """Returns for each result a mask of the elements that depend on elements of operands; None where that is
    not known.

    Args:
        run: An execution of an operation.
        masks: Which elements of each operand; None for none of them.
        can_run: Whether the operation may run again.
        by_name: Whether what is known about the operation's name holds for the run.
    """
    function = function_of(run.view) if by_name else None
    shapes = [np.shape(result) for result in run.results]
    given_masks = [mask for mask in masks if mask is not None]
    if function is elementwise.unchanged:
        return [
            np.zeros(shape, bool) if mask is None else np.broadcast_to(mask, shape).copy()
            for shape, mask in zip(shapes, masks)
        ]
    if function in elementwise.BY_ELEMENT and all(
        mask.shape in (shape, ()) for shape in shapes for mask in given_masks
    ):
        return [
            np.logical_or.reduce([np.broadcast_to(mask, shape) for mask in given_masks]) for shape in shapes
        ]
    if not can_run or any(not isinstance(value, (np.ndarray, np.generic)) for value in run.results):
        return None
    reached = [np.zeros(shape, bool) for shape in shapes]
    copies = [
        array.copy() if mask is not None else run.operands[number]
        for number, (array, mask) in enumerate(zip(run.arrays, masks))
    ]
    with np.errstate(all="ignore"):
        unchanged = results_of(run.evaluate(*copies))  # as below: other strides may round in another way
    for changed in _changed_operands(run, masks):
        try:
            with np.errstate(all="ignore"):
                results = results_of(run.evaluate(*changed))
        except KernelError:
            continue
        for mask, before, after in zip(reached, unchanged, results):
            mask |= differs(before, after) if np.shape(before) == np.shape(after) else True
        if all(mask.all() for mask in reached):
            break
    return reached


def _changed_operands(run: OpRun, masks: Sequence[Array | None]) -> Iterator[list[Value]]:
    """Yields operands with other numbers in the elements of masks."""
    sources = [
        other_numbers(array.dtype, array[mask]) if mask is not None and mask.shape == array.shape else None
        for array, mask in zip(run.arrays, masks)
    ]
    while True:
        operands = list(run.operands)
        has_changed = False
        for number, (others, mask) in enumerate(zip(sources, masks)):
            numbers = next(others, None) if others is not None else None
            if numbers is not None:
                changed = run.arrays[number].copy()
                changed[mask] = numbers
                operands[number] = changed
                has_changed = True
        if not has_changed:
            return
        yield operands


def other_numbers(dtype: np.dtype[Any], number: Any) -> Iterator[Any]:
    """Yields others for a number, or for an array of them."""
    if dtype.kind == "b":
        yield np.logical_not(number)
        return
    with np.errstate(all="ignore"):
        one, two = dtype.type(1), dtype.type(2)
        if dtype.kind in "fcV" and "int" not in dtype.name:
            yield dtype.type(float("nan"))
        yield from (number + one, number - one, number * two + one, dtype.type(0))
        if dtype.kind in "iu" or "int" in dtype.name:
            yield from (number ^ one, ~number) if dtype.kind in "iu" else ()
            yield from (
                dtype.type(limit) for limit in (ml_dtypes.iinfo(dtype).min, ml_dtypes.iinfo(dtype).max)
            )
        else:
            yield from (dtype.type(float(name)) for name in ("inf", "-inf"))
            yield from (-number, number / two, number * dtype.type(-3))


def differs(one: Any, other: Any) -> Array:
    """Returns where two tensors of one shape differ in their bits."""
    before, after = np.ascontiguousarray(one), np.ascontiguousarray(other)
    width = before.dtype.itemsize
    unequal = before.view(np.uint8).reshape(-1, width) != after.view(np.uint8).reshape(-1, width)
    return np.asarray(unequal.any(axis=1)).reshape(np.shape(one))
