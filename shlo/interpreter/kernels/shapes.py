"""Shared by kernels that move data: plans made from shapes, and checks of results."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from shlo.interpreter.kernel_api import KernelError, KernelFn, OpView, UnaryFn, Value
from shlo.interpreter.runtime.context import current_context
from shlo.interpreter.runtime.copies import copied_by_rows, is_spread
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import Array
from shlo.ir.types import RankedTensorType

Sizes = tuple[int, ...]
Index = tuple[Any, ...]
"""Index of an array: slices, integers, index arrays."""

MOST_PLANS = 64
MOST_ELEMENTS = (1 << 59) - 1
"""Most elements of 16 bytes whose bytes NumPy can count; sizes of 0 do not shorten the others."""


def by_shapes(op: OpView, plan: Callable[..., KernelFn], count: int | None = None) -> KernelFn:
    """Returns the function that `plan` makes from the shapes of the first `count` operands (default: all). If
    the types are static it is made here, once; else at run time for each combination of shapes."""
    count = len(op.operand_types) if count is None else count
    return planned_for([op.tensor_type(index) for index in range(count)], plan)


def planned_for(types: Sequence[RankedTensorType], plan: Callable[..., KernelFn]) -> KernelFn:
    """Returns the function that `plan` makes from the shapes of tensors of these types, as `by_shapes`."""
    count = len(types)
    if all(type_.is_static for type_ in types):
        return plan(*[type_.static_shape for type_ in types])
    return planned_by(lambda *operands: tuple([operand.shape for operand in operands[:count]]), plan)


def planned_by(key_of: Callable[..., tuple[Any, ...]], plan: Callable[..., KernelFn]) -> KernelFn:
    """Returns a function that applies `plan(*key)` to its operands. It caches a plan for each key that
    `key_of` makes of operands, up to `MOST_PLANS`."""
    plans: dict[tuple[Any, ...], KernelFn] = {}

    def evaluate(*operands: Value) -> Value:
        key = key_of(*operands)
        planned = plans.get(key)
        if planned is None:
            if len(plans) >= MOST_PLANS:
                plans.clear()
            planned = plans[key] = plan(*key)
        return planned(*operands)

    return evaluate


def without_last(function: KernelFn) -> KernelFn:
    """Returns a function that ignores its last operand, which was read when the plan was made."""
    return lambda *operands: function(*operands[:-1])


def padding_of(op: OpView, rank: int) -> tuple[tuple[int, int], ...]:
    """Returns the attribute `padding`: the sizes before and after each of `rank` dimensions (default 0)."""
    padding = op.get("padding")
    if not isinstance(padding, DenseElementsAttr) or not padding.array.size:
        return ((0, 0),) * rank
    return tuple((low, high) for low, high in padding.array.tolist())


def require(condition: bool, message: str, *parts: object) -> None:
    """Raises KernelError unless the condition holds. The parts replace `{}` in the message."""
    if not condition:
        texts = [shape_text(part) if isinstance(part, tuple | list) else part for part in parts]  # type: ignore[arg-type]
        raise KernelError(message.format(*texts))


def require_sizes(sizes: Sequence[int]) -> None:
    """Raises KernelError if no array can have these sizes."""
    require(all(size >= 0 for size in sizes), "expected sizes of at least 0, got {}", tuple(sizes))
    elements = math.prod(size for size in sizes if size)
    require(elements <= MOST_ELEMENTS, "no array can be of the sizes {}", tuple(sizes))


def known_sizes(op: OpView) -> Sizes:
    """Returns the shape of a result; raises KernelError if its type leaves sizes open."""
    type_ = op.result_type()
    require(type_.is_static, "expected a result type of known sizes, got {}", type_.shape)
    return type_.static_shape


def shape_text(shape: Sequence[int | None]) -> str:
    """Returns a shape as messages name it: `[2, ?]`."""
    return f"[{', '.join('?' if size is None else str(size) for size in shape)}]"


def row_major_strides(shape: Sequence[int], itemsize: int) -> Sizes:
    """Returns the strides of a C-contiguous array, in bytes."""
    return tuple(itemsize * math.prod(shape[axis + 1 :]) for axis in range(len(shape)))


def integers_of(array: Value) -> list[int]:
    """Returns the elements of a one-dimensional tensor of integers as Python's."""
    return [int(value) for value in np.asarray(array).tolist()]


def identity(operand: Value, *_: Value) -> Value:
    """Returns the first of the operands."""
    return operand


def as_results(values: tuple[Value, ...]) -> Value:
    """Returns values as a kernel returns them: several as a tuple, one itself, none as None."""
    return values[0] if len(values) == 1 else values or None


def indexed(index: Index) -> KernelFn:
    """Returns a function that indexes its first operand, as a view."""

    def evaluate(x: Value, *_: Value) -> Value:
        return x[index]

    return evaluate


def transposed(permutation: Sizes) -> UnaryFn:
    """Returns a function that permutes the dimensions of an array, as a view."""
    return lambda x: x.transpose(permutation)


def reshaped(target: Sizes) -> UnaryFn:
    """Returns a function that reshapes an array."""
    return lambda x: x.reshape(target)


def constant_function(value: Array) -> KernelFn:
    """Returns a function that returns this array, made read-only, whatever its operands are."""
    value = value.view()
    value.flags.writeable = False
    return lambda *_: value


def row_major(x: Array) -> Array:
    """Returns the array itself, or a C-contiguous copy if NumPy would be slow to make it."""
    return copied_by_rows(x) if is_spread(x) else x


LEAST_COUNTED = 1 << 20
"""Smaller arrays are not counted."""


def check_temporary(shape: Sizes, dtype: np.dtype[Any]) -> None:
    """Raises OutOfBytes if an array of this shape is more than the current run may allocate."""
    size = math.prod(shape) * dtype.itemsize
    if size >= LEAST_COUNTED:
        current_context().budget.check_temporary(size)
