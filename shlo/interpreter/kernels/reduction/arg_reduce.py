"""Reductions of values with their indices, as JAX's argmax and argmin are, computed by NumPy's."""

from __future__ import annotations

import numpy as np

from shlo.interpreter.kernel_api import Body, KernelFn, Value
from shlo.interpreter.kernels.numeric import element_dtype
from shlo.interpreter.kernels.reduction.combiner import combine_of, spread
from shlo.interpreter.kernels.reduction.sort_keys import (
    Numbering,
    both_ways,
    direction_of,
    is_select,
    number_values,
)
from shlo.interpreter.kernels.shapes import Sizes
from shlo.ir.dtypes import Array
from shlo.ir.types import quantized_type

VALUE, PLACE, OTHER_VALUE, OTHER_PLACE = range(4)
"""The arguments of the body."""


def is_largest(body: Body) -> bool | None:
    """Returns whether a body keeps the larger of two values with its index, False for the smaller, else None.
    Of equal values it must keep the one at the lesser index, and the first NaN must win, as in NumPy."""
    if len(body.argument_types) != 4 or len(body.block.operations) > 16:
        return None
    if any(quantized_type(type_) is not None for type_ in body.argument_types):
        return None
    numbering = Numbering()
    numbers = number_values(numbering, body.block)
    if numbers is None:
        return None
    value, position = (numbering.nodes[numbers[returned]] for returned in body.block.operations[-1].operands)
    if not is_select(value) or not is_select(position):
        return None
    if value.operands[1:] != (VALUE, OTHER_VALUE) or position.operands[1:] != (PLACE, OTHER_PLACE):
        return None
    is_float = element_dtype(body.argument_types[0]).kind == "f"
    direction = _winning(numbering, value.operands[0], is_float)
    if direction is None or not _breaks_ties(numbering, position.operands[0], value.operands[0]):
        return None
    return direction == "GT"


def _winning(numbering: Numbering, number: int, is_float: bool) -> str | None:
    """Returns the direction of `value > other or value is NaN` (of integers, without the latter)."""
    if is_float:
        for compared, is_nan in both_ways(numbering.nodes[number], "stablehlo.or"):
            test = numbering.nodes[is_nan]
            if direction_of(test) == "NE" and test.operands == (VALUE, VALUE):
                return _winning(numbering, compared, False)
        return None
    node = numbering.nodes[number]
    direction = direction_of(node)
    return direction if direction in ("GT", "LT") and node.operands == (VALUE, OTHER_VALUE) else None


def _breaks_ties(numbering: Numbering, number: int, winning: int) -> bool:
    """Returns whether a value is `winning or (value = other and place < other place)`."""
    for first, tie in both_ways(numbering.nodes[number], "stablehlo.or"):
        for equal, before in both_ways(numbering.nodes[tie], "stablehlo.and"):
            same, less = numbering.nodes[equal], numbering.nodes[before]
            if (
                first == winning
                and (direction_of(same), set(same.operands)) == ("EQ", {VALUE, OTHER_VALUE})
                and (direction_of(less), less.operands) == ("LT", (PLACE, OTHER_PLACE))
            ):
                return True
    return False


def argmin_argmax(body: Body, largest: bool, shape: Sizes, axis: int, otherwise: KernelFn) -> KernelFn:
    """Returns a function like `otherwise` that reduces one dimension of values and indices by such a body."""
    combine = combine_of(body)
    result = shape[:axis] + shape[axis + 1 :]

    def evaluate(x: Value, places: Value, initial: Value, initial_place: Value) -> Value:
        row = rising_row(places, axis)
        if row is None or not x.size:
            return otherwise(x, places, initial, initial_place)
        at = x.argmax(axis, keepdims=True) if largest else x.argmin(axis, keepdims=True)
        best = np.take_along_axis(x, at, axis).reshape(result)
        return combine(*spread((initial, initial_place), result), best, row[at.reshape(result)])

    return evaluate


def rising_row(places: Array, axis: int) -> Array | None:
    """Returns the row along a dimension of indices if it is the same everywhere and rises; else None."""
    if any(
        stride and other != axis for other, stride in enumerate(places.strides) if places.shape[other] > 1
    ):
        return None
    row = places[tuple(slice(None) if other == axis else 0 for other in range(places.ndim))]
    return row if (row[1:] > row[:-1]).all() else None
