"""Gather, scatter and their older forms."""

from __future__ import annotations

import numpy as np

from shlo.fuzzing.maker import array_i64
from shlo.fuzzing.recipes.bodies import combining
from shlo.fuzzing.scope import NotHere, Scope, Value, kind_of
from shlo.fuzzing.structures import GatherNumbers, gather_numbers
from shlo.ir.types import RankedTensorType


def gather(scope: Scope, op: str) -> None:
    """Writes a gather, some of whose indices are outside of the operand."""
    numbers = _numbers(scope)
    value = scope.value(numbers.operand_shape, scope.element())
    attributes = f"{numbers.gather_attribute}, slice_sizes = {array_i64(numbers.slice_sizes)}"
    type_ = RankedTensorType(numbers.result_shape, value.element)
    scope.write(op, (value, scope.of_array(numbers.indices)), (type_,), attributes)


def dynamic_gather(scope: Scope, op: str) -> None:
    """Writes a gather whose sizes of slices are an operand."""
    numbers = _numbers(scope)
    value = scope.value(numbers.operand_shape, scope.element())
    indices = scope.of_array(numbers.indices)
    sizes = scope.constant(np.array(numbers.slice_sizes, indices_name(indices)))
    type_ = RankedTensorType(numbers.result_shape, value.element)
    operands = (value, indices, sizes)
    scope.write(op, operands, (type_,), numbers.gather_attribute)


def indices_name(indices: Value) -> str:
    """Returns the name of the NumPy type of indices."""
    element = str(indices.element)
    return element.replace("ui", "uint") if element.startswith("ui") else element.replace("i", "int")


def scatter(scope: Scope, op: str) -> None:
    """Writes a scatter that combines in any order, or with one index."""
    make = scope.make
    numbers = _numbers(scope, is_unique=make.chance(0.3))
    if not numbers.start_index_map:
        raise NotHere  # `scatter-without-indices` of docs/differences.md
    element = scope.summed_element() if make.chance(0.9) else scope.element("boolean")
    name, body = combining(scope, element)
    is_small = kind_of(element) == "float" and name == "add"
    value = scope.value(numbers.operand_shape, element, is_small)
    updates = scope.value(numbers.result_shape, element, is_small)
    indices = scope.of_array(numbers.indices)
    scope.write(op, (value, indices, updates), (value.type,), numbers.scatter_attribute, (body,))


def torch_index_select(scope: Scope, op: str) -> None:
    """Writes a torch_index_select, the older form, with indices inside of the operand."""
    make, value = scope.make, scope.pick()
    if not value.shape or 0 in value.shape:
        raise NotHere
    axis = make.integer(0, len(value.shape) - 1)
    count = make.integer(1, 4)
    indices = scope.of_array(make.random.integers(0, value.shape[axis], (count,)).astype(np.int32))
    shape = (*value.shape[:axis], count, *value.shape[axis + 1 :])
    scope.write(
        op,
        (value, indices),
        (RankedTensorType(shape, value.element),),
        f"dim = {axis} : i64, batch_dims = 0 : i64",
    )


def _numbers(scope: Scope, is_unique: bool = False) -> GatherNumbers:
    shape = scope.shape(scope.make.integer(1, 4), smallest=1)
    return gather_numbers(scope.make, is_unique, shape)
