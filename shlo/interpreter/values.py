"""Values at run time beside the types that a program declares for them: do they fit, how large are they."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from shlo.interpreter.kernel import TOKEN, Value
from shlo.ir.dtypes import UnsupportedTypeError, dtype_of, element_type_for
from shlo.ir.types import RankedTensorType, TokenType, TupleType, Type, UnrankedTensorType

Check = Callable[[Value], bool]


@lru_cache(maxsize=4096)
def check_of(type_: Type) -> Check:
    """A function that tells whether a value is one of this type; a type that no check knows takes any value.

    Raises UnsupportedTypeError for a tensor whose elements no array can hold.
    """
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


def is_static(type_: Type) -> bool:
    """Whether the type leaves no size open."""
    if isinstance(type_, TupleType):
        return all(is_static(part) for part in type_.types)
    return type_.is_static if isinstance(type_, RankedTensorType) else isinstance(type_, TokenType)


def byte_size(type_: Type) -> int:
    """How many bytes a value of this type takes when it is stored in full; unknown sizes count as none."""
    if isinstance(type_, TupleType):
        return sum(byte_size(part) for part in type_.types)
    if not isinstance(type_, RankedTensorType) or not type_.is_static:
        return 0
    try:
        return type_.element_count * dtype_of(type_.element_type).itemsize
    except UnsupportedTypeError:
        return 0


def type_words(value: Value) -> str:
    """A value's own type in words: `tensor<2x3xf32>`, or what kind of Python object it is."""
    if isinstance(value, tuple):
        parts: tuple[Value, ...] = value
        return f"tuple<{', '.join(type_words(part) for part in parts)}>"
    if not isinstance(value, (np.ndarray, np.generic)):
        return "a token" if value is TOKEN else f"a Python {type(value).__name__}"
    array: Any = value
    try:
        return str(RankedTensorType(array.shape, element_type_for(array.dtype)))
    except UnsupportedTypeError:
        return f"an array of shape {array.shape} and dtype {array.dtype}"


def is_scalar_type(type_: Type) -> bool:
    """Whether values of this type are NumPy scalars in generated code: rank 0, and elements that NumPy knows itself."""
    if not isinstance(type_, RankedTensorType) or type_.shape != ():
        return False
    try:
        return dtype_of(type_.element_type).isbuiltin == 1
    except UnsupportedTypeError:
        return False


def storage(value: Value) -> Value:
    """The array that owns the memory an array looks at (any other value: itself)."""
    while isinstance(value, np.ndarray) and isinstance(value.base, np.ndarray):
        value = value.base
    return value


def _dtype(value: Value) -> Any:
    return getattr(value, "dtype", None)


def _ranked_check(type_: RankedTensorType) -> Check:
    dtype, shape = dtype_of(type_.element_type), type_.shape
    if type_.is_static:
        return lambda value: _dtype(value) == dtype and value.shape == shape
    rank = len(shape)

    def fits(value: Value) -> bool:
        if _dtype(value) != dtype or value.ndim != rank:
            return False
        return all(size is None or size == actual for size, actual in zip(shape, value.shape))

    return fits


def _tuple_check(type_: TupleType) -> Check:
    checks = tuple(check_of(part) for part in type_.types)

    def fits(value: Value) -> bool:
        if not isinstance(value, tuple):
            return False
        parts: tuple[Value, ...] = value
        return len(parts) == len(checks) and all(check(part) for check, part in zip(checks, parts))

    return fits


def total_bytes(values: list[Value]) -> int:
    """The memory that these values hold together, shared storage counted once."""
    owners: dict[int, int] = {}
    stack = list(values)
    while stack:
        value = stack.pop()
        if isinstance(value, tuple):
            parts: tuple[Value, ...] = value
            stack.extend(parts)
        elif isinstance(value, np.ndarray):
            owner = storage(value)
            owners[id(owner)] = owner.nbytes
    return sum(owners.values())
