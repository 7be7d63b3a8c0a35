"""Values at run time beside the types that a program declares for them: do they fit, how large are they."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, TypeGuard, cast

import numpy as np

from shlo.dialects.struct_attributes import TypeExtensions
from shlo.interpreter.kernel_api import TOKEN, Value
from shlo.interpreter.runtime.buffer_reuse import LentMemory
from shlo.ir.dtypes import Array, UnsupportedTypeError, dtype_of, element_type_for
from shlo.ir.types import (
    MemRefType,
    RankedTensorType,
    TokenType,
    TupleType,
    Type,
    UnrankedTensorType,
    is_number_type,
)

Check = Callable[[Value], bool]


@lru_cache(maxsize=4096)
def check_of(type_: Type) -> Check:
    """Returns a function that tells whether a value is one of this type; a type that no check knows takes any
    value.

    Raises UnsupportedTypeError for a tensor whose elements no array can hold.
    """
    if isinstance(type_, MemRefType):
        type_ = tensor_type_of(type_)
    if isinstance(type_, RankedTensorType):
        return _ranked_check(type_)
    if isinstance(type_, UnrankedTensorType):
        dtype = dtype_of(type_.element_type)
        return lambda value: _dtype(value) == dtype
    if isinstance(type_, TokenType):
        return lambda value: value is TOKEN
    if isinstance(type_, TupleType):
        return _tuple_check(type_)
    return lambda value: True


def is_array(value: Value) -> TypeGuard[Array]:
    """Returns whether a value is an array (not a NumPy scalar)."""
    return isinstance(value, np.ndarray)


def is_tuple(value: Value) -> TypeGuard[tuple[Value, ...]]:
    """Returns whether a value is a tuple of values."""
    return isinstance(value, tuple)


@lru_cache(maxsize=4096)
def is_static(type_: Type) -> bool:
    """Returns whether the type leaves no size open."""
    if isinstance(type_, TupleType):
        return all(is_static(part) for part in type_.types)
    type_ = tensor_type_of(type_)
    return type_.is_static if isinstance(type_, RankedTensorType) else isinstance(type_, TokenType)


@lru_cache(maxsize=4096)
def byte_size(type_: Type) -> int:
    """Returns how many bytes a value of this type takes when it is stored in full; unknown sizes count as
    none."""
    if isinstance(type_, TupleType):
        return sum(byte_size(part) for part in type_.types)
    type_ = tensor_type_of(type_)
    if not isinstance(type_, RankedTensorType) or not type_.is_static:
        return 0
    try:
        return type_.element_count * dtype_of(type_.element_type).itemsize
    except UnsupportedTypeError:
        return 0


def type_words(value: Value) -> str:
    """Returns a value's own type in words: `tensor<2x3xf32>`, or what kind of Python object it is."""
    if is_tuple(value):
        return f"tuple<{', '.join(type_words(part) for part in value)}>"
    if not hasattr(value, "dtype"):
        return "a token" if value is TOKEN else f"a Python {type(value).__name__}"
    try:
        return str(RankedTensorType(value.shape, element_type_for(value.dtype)))
    except UnsupportedTypeError:
        return f"an array of shape {value.shape} and dtype {value.dtype}"


def tensor_type_of(type_: Type) -> Type:
    """Returns the type of the tensors that values of a type are held as: a number is one of rank 0, a buffer
    one of its shape and element type. Any other type is given as it is.
    """
    if is_number_type(type_):
        return RankedTensorType((), type_)
    if not isinstance(type_, MemRefType):
        return type_
    element_type = type_.element_type
    return (
        UnrankedTensorType(element_type)
        if type_.shape is None
        else RankedTensorType(type_.shape, element_type)
    )


def is_row_major(value: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> bool:
    """Returns whether a value is an array of this shape and type whose elements lie row by row, aligned, as
    machine code reads and writes them.
    """
    if not is_array(value) or value.shape != shape or value.dtype != dtype:
        return False
    flags = value.flags
    return flags.c_contiguous and flags.aligned


def is_scalar_type(type_: Type) -> bool:
    """Returns whether values of this type are NumPy scalars in generated code: numbers, or tensors of rank 0,
    and of a type that NumPy knows itself.
    """
    if is_number_type(type_):
        type_ = RankedTensorType((), type_)
    if not isinstance(type_, RankedTensorType) or type_.shape != ():
        return False
    try:
        return dtype_of(type_.element_type).isbuiltin == 1
    except UnsupportedTypeError:
        return False


def storage(value: Value) -> Value:
    """Returns the array whose own the memory is that an array looks at (any other value: itself)."""
    while is_array(value) and is_array(value.base) and type(value.base) is not LentMemory:
        value = value.base
    return value


def _dtype(value: Value) -> Any:
    return getattr(value, "dtype", None)


def _ranked_check(type_: RankedTensorType) -> Check:
    dtype, shape = dtype_of(type_.element_type), type_.shape
    if type_.is_static:
        return lambda value: getattr(value, "dtype", None) == dtype and value.shape == shape
    limits = tuple(map(_limits, shape, _bounds(type_)))

    def fits(value: Value) -> bool:
        if _dtype(value) != dtype or value.ndim != len(limits):
            return False
        return all(low <= size <= high for size, (low, high) in zip(value.shape, limits))

    return fits


def _bounds(type_: RankedTensorType) -> tuple[int | None, ...]:
    """Returns what the sizes never exceed; None where nothing is said. They are in the encoding."""
    bounds = type_.encoding.bounds if isinstance(type_.encoding, TypeExtensions) else ()
    return bounds if len(bounds) == type_.rank else (None,) * type_.rank


def _limits(size: int | None, bound: int | None) -> tuple[int, float]:
    if size is not None:
        return size, size
    return 0, math.inf if bound is None else bound


def _tuple_check(type_: TupleType) -> Check:
    checks = tuple(check_of(part) for part in type_.types)

    def fits(value: Value) -> bool:
        if not is_tuple(value) or len(value) != len(checks):
            return False
        return all(check(part) for check, part in zip(checks, value))

    return fits


def full_bytes(values: Iterable[Value]) -> int:
    """Returns the memory that these values take when each is stored by itself and in full."""
    size = 0
    for value in values:
        if isinstance(value, tuple):
            size += full_bytes(cast("tuple[Value, ...]", value))
        elif isinstance(value, np.ndarray):
            size += value.nbytes
    return size


def total_bytes(values: list[Value]) -> int:
    """Returns the memory that these values hold together, shared storage counted once."""
    owners: dict[int, int] = {}
    stack = list(values)
    while stack:
        value = stack.pop()
        if is_tuple(value):
            stack.extend(value)
        elif is_array(value):
            owner = storage(value)
            owners[id(owner)] = owner.nbytes
    return sum(owners.values())
