"""What kernels that move data share: plans made from shapes, and the checks of what comes out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from shlo.interpreter.kernel_api import KernelError, KernelFn, OpView, Value
from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.types import RankedTensorType

Sizes = tuple[int, ...]
Index = tuple[Any, ...]
"""What stands between an array's brackets: slices, integers, index arrays."""

MOST_PLANS = 64
MOST_ELEMENTS = (1 << 59) - 1
"""How many elements of 16 bytes NumPy can count the bytes of; sizes of 0 do not shorten the others."""


def by_shapes(op: OpView, plan: Callable[..., KernelFn], count: int | None = None) -> KernelFn:
    """The function that `plan` makes from the shapes of the first `count` operands (all of them by default).

    Where the types say all sizes it is made here, once; else at run time for each combination of shapes.
    """
    types = [op.tensor_type(index) for index in range(len(op.operand_types) if count is None else count)]
    if all(type_.is_static for type_ in types):
        return plan(*[type_.static_shape for type_ in types])
    return _planned_at_run_time(plan, types)


def _planned_at_run_time(plan: Callable[..., KernelFn], types: Sequence[RankedTensorType]) -> KernelFn:
    count = len(types)
    plans: dict[tuple[Sizes, ...], KernelFn] = {}

    def evaluate(*operands: Value) -> Value:
        shapes = tuple([operand.shape for operand in operands[:count]])
        planned = plans.get(shapes)
        if planned is None:
            if len(plans) >= MOST_PLANS:
                plans.clear()
            planned = plans[shapes] = plan(*shapes)
        return planned(*operands)

    return evaluate


def require(condition: bool, message: str, *parts: object) -> None:
    """Raises KernelError where the condition does not hold. The message's `{}` are filled with the parts."""
    if not condition:
        texts = [shape_text(part) if isinstance(part, tuple | list) else part for part in parts]  # type: ignore[arg-type]
        raise KernelError(message.format(*texts))


def require_sizes(sizes: Sequence[int]) -> None:
    """Raises KernelError where no array can be of these sizes."""
    require(all(size >= 0 for size in sizes), "needs sizes of at least 0, not {}", tuple(sizes))
    elements = math.prod(size for size in sizes if size)
    require(elements <= MOST_ELEMENTS, "no array can be of the sizes {}", tuple(sizes))


def require_result(op: OpView, shape: Sequence[int], index: int = 0) -> None:
    """Raises KernelError where a result of this shape does not fit the operation's result type."""
    declared = op.result_type(index).shape
    if len(declared) == len(shape) and all(size in (None, given) for size, given in zip(declared, shape)):
        return
    raise KernelError(f"gives a shape of {shape_text(shape)}, but its type says {shape_text(declared)}")


def require_same_elements(op: OpView, operand: int = 0, result: int = 0) -> None:
    """Raises KernelError where a result's elements are not of the operand's type."""
    given, declared = op.tensor_type(operand).element_type, op.result_type(result).element_type
    if given != declared and dtype_of(given) != dtype_of(declared):
        raise KernelError(f"operand {operand} has elements of type {given}, but the result has {declared}")


def require_one_shape(shapes: Sequence[Sizes]) -> None:
    """Raises KernelError where the shapes are not all the same."""
    for shape in shapes:
        if shape != shapes[0]:
            raise KernelError(
                f"needs operands of one shape, not {shape_text(shapes[0])} and {shape_text(shape)}"
            )


def shape_text(shape: Sequence[int | None]) -> str:
    """`[2, ?]`, as messages name a shape."""
    return f"[{', '.join('?' if size is None else str(size) for size in shape)}]"


def require_dimensions(dimensions: Sequence[int], rank: int, name: str) -> None:
    """Raises KernelError where one of the dimensions is out of a tensor's rank or occurs twice."""
    if any(not 0 <= dimension < rank for dimension in dimensions):
        raise KernelError(f"{name} = {shape_text(dimensions)} must lie in [0, {rank})")
    if len(set(dimensions)) != len(dimensions):
        raise KernelError(f"{name} = {shape_text(dimensions)} must not repeat a dimension")


def require_length(values: Sequence[int], rank: int, name: str) -> None:
    """Raises KernelError where there is not one value for every dimension."""
    if len(values) != rank:
        raise KernelError(f"{name} = {shape_text(values)} must have {rank} elements, one for each dimension")


def row_major_strides(shape: Sequence[int], itemsize: int) -> Sizes:
    """The strides of a C-contiguous array, in bytes."""
    return tuple(itemsize * math.prod(shape[axis + 1 :]) for axis in range(len(shape)))


def integers_of(array: Value) -> list[int]:
    """The elements of a one-dimensional tensor of integers as Python's."""
    return [int(value) for value in np.asarray(array).tolist()]


def identity(operand: Value, *_: Value) -> Value:
    """The first of the operands as it is."""
    return operand


def as_results(values: tuple[Value, ...]) -> Value:
    """Values as a kernel gives them: several as a tuple, one itself, none as None."""
    return values[0] if len(values) == 1 else values or None


def indexed(index: Index) -> KernelFn:
    """A function that gives a part of its first operand, as a view."""

    def evaluate(x: Value, *_: Value) -> Value:
        return x[index]

    return evaluate


def transposed(permutation: Sizes) -> KernelFn:
    """A function that permutes the dimensions of an array, as a view."""

    def evaluate(x: Value) -> Value:
        return x.transpose(permutation)

    return evaluate


def reshaped(target: Sizes) -> KernelFn:
    """A function that gives an array another shape."""

    def evaluate(x: Value) -> Value:
        return x.reshape(target)

    return evaluate


def constant_function(value: Array) -> KernelFn:
    """A function that gives this array whatever its operands are; the array is locked."""
    value = value.view()
    value.flags.writeable = False

    def evaluate(*_: Value) -> Value:
        return value

    return evaluate


LEAST_STRIPED = 1 << 18
"""Bytes from which on an array is worth copying stripe by stripe."""

CONFLICTING = 1024
"""Bytes in whose multiples addresses compete for the same few lines of the processor's cache."""

STRIPE = 64
"""Bytes of a result's row that a stripe has: a line of the processor's cache."""


def row_major(x: Array) -> Array:
    """The array itself, or a C-contiguous copy where NumPy would be slow to make it.

    NumPy copies row by row. Where the elements of a row lie in competing lines of the cache, each of them is
    fetched again for the next row; a few columns at a time stay in the cache.
    """
    itemsize = x.itemsize
    is_spread = x.strides[-1] != 0 and x.strides[-1] % CONFLICTING == 0 and itemsize in x.strides
    if x.nbytes < LEAST_STRIPED or not is_spread:
        return x
    out, step = np.empty(x.shape, x.dtype), max(STRIPE // itemsize, 1)
    for start in range(0, x.shape[-1], step):
        out[..., start : start + step] = x[..., start : start + step]
    return out
