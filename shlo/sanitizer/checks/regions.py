"""Regions that are not what their operation takes them for: an initial value that changes elements, a
comparator that is no order.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from shlo.interpreter.kernel_api import Body
from shlo.interpreter.kernels.numeric import element_dtype
from shlo.interpreter.kernels.reduction.combiner import combine_of, combiner_of, folded
from shlo.interpreter.kernels.reduction.sort_keys import keys_of
from shlo.ir.dtypes import Array, float_limits
from shlo.ir.types import quantized_type
from shlo.runner.statistics import has_nan, is_floating
from shlo.sanitizer.objections import Objection, objection
from shlo.sanitizer.steps import OperationStep

MOST_ONE_BY_ONE: Final = 256
"""Elements that are looked at where a region takes single ones only."""

Arrays = tuple[Array, ...]


def no_identity(step: OperationStep) -> Objection | None:
    """Results that depend on how often the initial value takes part: they change when they are combined with
    it once more, or those of `reduce` where it does not take part at all.
    """
    view, count = step.view, len(step.results)
    inputs, initials = step.operands[-2 * count : -count], step.operands[-count:]
    body = view.bodies[-1]
    if any(quantized_type(type_) is not None for type_ in body.argument_types):
        return None
    combiner = combiner_of(body) if count == 1 else None
    if combiner is not None and combiner.identity is not None and combiner.has_identity(initials[0]):
        return None
    dtypes = [element_dtype(type_) for type_ in body.argument_types[:count]]
    elements = [np.asarray(array).astype(dtype, copy=False) for array, dtype in zip(inputs, dtypes)]
    starts = [np.asarray(array).astype(dtype) for array, dtype in zip(initials, dtypes)]
    if not elements[0].size or (not body.is_vectorizable and elements[0].size > MOST_ONE_BY_ONE):
        return None
    if not _differences(elements, _combined(body, starts, elements)).any():
        return None
    results = [np.asarray(array).astype(dtype, copy=False) for array, dtype in zip(step.results, dtypes)]
    again = _combined(body, starts, results)
    objected = objection(
        _differences(results, again),
        _named({"result": results, "initial value": starts, "combined": again}),
    )
    if objected is not None or step.operation.name != "stablehlo.reduce":
        return objected
    without = _reduced(body, elements, view.integers("dimensions"))
    return objection(
        _differences(results, without), _named({"result": results, "without initial value": without})
    )


def _combined(body: Body, starts: Sequence[Array], arrays: Sequence[Array]) -> Arrays:
    """Returns initial values combined with each element of arrays of one shape."""
    shape = arrays[0].shape
    flat = [array.reshape(-1) for array in arrays]
    spread = [np.broadcast_to(start, flat[0].shape) for start in starts]
    return tuple(array.reshape(shape) for array in combine_of(body)(*spread, *flat))


def _reduced(body: Body, arrays: Sequence[Array], dimensions: Sequence[int]) -> Arrays:
    """Returns arrays reduced along dimensions, without an initial value."""
    remaining = [axis for axis in range(arrays[0].ndim) if axis not in dimensions]
    shape = [arrays[0].shape[axis] for axis in remaining]
    tables = tuple(
        array.transpose((*dimensions, *remaining)).reshape(-1, math.prod(shape)) for array in arrays
    )
    return tuple(array.reshape(shape) for array in folded(combine_of(body), tables))


def _named(values: Mapping[str, Sequence[Array]]) -> dict[str, Array]:
    """Returns tensors by name, those of several results with their number."""
    return {
        name if len(arrays) == 1 else f"{name} {number}": array
        for name, arrays in values.items()
        for number, array in enumerate(arrays)
    }


def _differences(some: Sequence[Array], others: Sequence[Array]) -> Array:
    """Returns at which index one of several tensors differs by more than rounding from another."""
    return np.logical_or.reduce([~_same(one, other) for one, other in zip(some, others)])


def _same(one: Array, other: Array) -> Array:
    if not is_floating(one):
        return one == other
    wide = np.complex128 if one.dtype.kind == "c" else np.float64
    tolerance = float(np.sqrt(float_limits(one.dtype).epsilon))
    return np.isclose(one.astype(wide), other.astype(wide), tolerance, 0.0, equal_nan=True)


def no_order(step: OperationStep) -> Objection | None:
    """Elements that the comparator of a sort puts before themselves or before what they are sorted behind, or
    that are equal to two that are not.
    """
    view = step.view
    comparator = view.bodies[0]
    if keys_of(comparator) is not None and not any(map(has_nan, step.results)):
        return None
    axis = view.integer("dimension", -1) % view.tensor_type(0).rank
    rows = [np.moveaxis(np.asarray(value), axis, -1) for value in step.results]
    size = rows[0].shape[-1]
    if not rows[0].size or size < 2:
        return None
    tables = [row.reshape(-1, size) for row in rows]
    if not comparator.is_vectorizable:
        tables = [table[: max(1, MOST_ONE_BY_ONE // size), :MOST_ONE_BY_ONE] for table in tables]
        size = tables[0].shape[-1]
    is_before = _Comparison(comparator, tables)
    mask = np.zeros(tables[0].shape, bool)
    mask |= is_before(0, 0)
    mask[:, 1:] |= is_before(1, 0)
    if size > 2:
        mask[:, 2:] |= is_before(2, 0)
        first = ~is_before(0, 1)[:, :-1] & ~is_before(1, 0)[:, :-1]
        second = ~is_before(0, 1)[:, 1:] & ~is_before(1, 0)[:, 1:]
        both = ~is_before(0, 2) & ~is_before(2, 0)
        mask[:, 2:] |= first.astype(int) + second.astype(int) + both.astype(int) == 2

    def values(at: tuple[int, ...]) -> dict[str, Any]:
        row, position = at
        around = range(max(position - 2, 0), position + 1)
        names = [""] if len(tables) == 1 else [f" {number}" for number in range(len(tables))]
        return {
            f"sorted{name}": [table[row, next_value] for next_value in around]
            for name, table in zip(names, tables)
        }

    return objection(mask, values)


class _Comparison:
    """Whether elements of sorted rows go before others, a fixed number of places away."""

    def __init__(self, comparator: Body, tables: Sequence[Array]) -> None:
        self._combine = combine_of(comparator)
        self._tables = tables

    def __call__(self, first: int, second: int) -> Array:
        """Returns, for each element with `max(first, second)` behind it, whether the one that is `first`
        places on goes before the one that is `second` places on.
        """
        count = self._tables[0].shape[1] - max(first, second)
        pairs = [table[:, at : at + count] for table in self._tables for at in (first, second)]
        return np.asarray(self._combine(*pairs)[0], bool)
