"""What goes into a program and what comes out: checked, converted where that loses nothing, locked, the
caller's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import repeat
from typing import Any, cast

import numpy as np

from shlo.interpreter.kernel_api import TOKEN, KernelError, Value
from shlo.interpreter.runtime.buffer_reuse import has_own_memory, is_free, is_free_view
from shlo.interpreter.runtime.copies import copied_by_rows
from shlo.interpreter.runtime.values import (
    Check,
    check_of,
    is_array,
    is_tuple,
    storage,
    tensor_type_of,
    type_words,
)
from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.types import (
    QuantizedType,
    RankedTensorType,
    TokenType,
    TupleType,
    Type,
    UnrankedTensorType,
    element_type_of,
)
from shlo.text.numbers import plural


def marshal_arguments(function: str, types: Sequence[Type], arguments: Sequence[Any]) -> list[Value]:
    """Returns the arguments as values of a function's argument types; raises KernelError where one does not
    fit.

    An array must have the declared type's shape and dtype. Numbers and nested lists are converted, and so
    are integer arrays and booleans of another type, where each number stays what it is. Tokens may be
    given as None.
    """
    if len(arguments) != len(types):
        raise KernelError(
            f"@{function} takes {plural(len(types), 'argument')}, but {len(arguments)} "
            f"{'is' if len(arguments) == 1 else 'are'} given"
        )
    return [
        marshal_argument(value, type_, f"argument {index}")
        for index, (value, type_) in enumerate(zip(arguments, types))
    ]


def marshal_argument(value: Any, type_: Type, what: str) -> Value:
    """Returns one argument as a value of a type, locked; `what` begins the message of the KernelError where
    it does not fit.
    """
    if isinstance(type_, TokenType):
        return _token(value, what)
    if isinstance(type_, TupleType):
        return _tuple(value, type_, what)
    dtype, check = _dtype_and_check(type_)
    if dtype is None:
        raise KernelError(f"{what} is of type {type_}, for which nothing can be given")
    is_as_declared = type(value) is np.ndarray and value.dtype == dtype
    array = value if is_as_declared else _converted(value, dtype, tensor_type_of(type_), what)
    if not check(array):
        raise KernelError(f"{what} is {type_words(array)}, but must be {tensor_type_of(type_)}")
    if array.ndim == 0:
        return array[()]
    view = array.view()
    view.flags.writeable = False
    return view


@lru_cache(maxsize=4096)
def _dtype_and_check(type_: Type) -> tuple[np.dtype[Any] | None, Check]:
    """Returns the dtype of values of a type (None where they are no arrays) and the check that they fit."""
    type_ = tensor_type_of(type_)
    is_tensor = isinstance(type_, (RankedTensorType, UnrankedTensorType))
    return dtype_of(type_.element_type) if is_tensor else None, check_of(type_)


def copy_out(values: tuple[Value, ...]) -> tuple[Any, ...]:
    """Returns results as the caller's own: arrays that are full, writeable, and share memory with nothing
    else.

    An array that nothing but `values` refers to is handed out as it is.
    """
    return tuple(map(_own, repeat(values), range(len(values))))


def share_out(values: tuple[Value, ...]) -> tuple[Any, ...]:
    """Returns results as read-only arrays that are full. One that looks at most of the memory of a read-only
    array shares it; memory of the others is their own."""
    return tuple([_shared(values, index) for index in range(len(values))])


def _shared(values: tuple[Value, ...], index: int) -> Any:
    if is_tuple(values[index]):
        return share_out(values[index])
    if _is_locked(values[index]):
        return values[index]
    array = _own(values, index)
    if is_array(array):
        storage(array).flags.writeable = array.flags.writeable = False
    return array


def _is_locked(value: Value) -> bool:
    """Returns whether a value is an array that nothing can write to and that can be kept as it is."""
    if not is_array(value):
        return False
    owner = storage(value)
    return has_own_memory(owner) and not owner.flags.writeable and _is_whole(value)


def _own(values: tuple[Value, ...], index: int) -> Any:
    if isinstance(values[index], np.generic):
        return np.array(values[index])
    if is_free(values, index):
        return values[index]
    if is_free_view(values, index):
        return _whole(values[index])
    value = values[index]
    if is_tuple(value):
        return copy_out(value)
    return value if value is TOKEN else copied_by_rows(value)


def _whole(array: Array) -> Array:
    """Returns a view that nothing else holds; a copy where it is strided, or a small part of what it keeps
    in memory.
    """
    return array if _is_whole(array) else copied_by_rows(array)


def _is_whole(array: Array) -> bool:
    """Returns whether an array is contiguous, and most of what it keeps in memory."""
    return array.flags.c_contiguous and storage(array).nbytes <= 2 * array.nbytes


def _token(value: Any, what: str) -> Value:
    if value is None or value is TOKEN:
        return TOKEN
    raise KernelError(f"{what} is a token; give None for it")


def _tuple(value: Any, type_: TupleType, what: str) -> Value:
    parts = tuple(cast("Sequence[Any]", value)) if isinstance(value, (tuple, list)) else ()
    if len(parts) != len(type_.types):
        raise KernelError(f"{what} must be a tuple of {plural(len(type_.types), 'value')}")
    pairs = enumerate(zip(parts, type_.types))
    return tuple(marshal_argument(part, inner, f"{what}[{index}]") for index, (part, inner) in pairs)


def _converted(value: Any, dtype: np.dtype[Any], type_: Type, what: str) -> Array:
    is_python = isinstance(value, (bool, int, float, complex, list, tuple)) and not isinstance(
        value, np.generic
    )
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise KernelError(f"{what} cannot be made an array of type {type_}: {error}") from error
    if array.dtype == dtype:
        return array
    if array.dtype.kind == "V" and array.dtype.names is None and array.dtype.itemsize == dtype.itemsize:
        return np.ascontiguousarray(array).reshape(array.shape).view(dtype)
    if array.dtype.newbyteorder() == dtype:
        return array.astype(dtype)
    converted = _exact(array, dtype) if array.dtype.kind in "biu" else None
    if converted is None and is_python and array.dtype.kind in "fc":
        converted = _rounded(array, dtype)
    if converted is None and array.size == 0 and is_python:
        converted = array.astype(dtype)
    if converted is None:
        raise KernelError(f"{what} is {type_words(array)}, but must be {type_}{_advice(array, dtype, type_)}")
    return converted


def _exact(array: Array, dtype: np.dtype[Any]) -> Array | None:
    """Integers or booleans in another type, None where a number would change."""
    with np.errstate(all="ignore"):
        converted = array.astype(dtype)
        back = (np.real(converted) if dtype.kind == "c" else converted).astype(array.dtype)
    same_sign = (
        array.dtype.kind == "b" or dtype.kind not in "iu" or bool(((converted < 0) == (array < 0)).all())
    )
    return converted if same_sign and np.array_equal(back, array) else None


def _rounded(array: Array, dtype: np.dtype[Any]) -> Array | None:
    """Python's floats in a floating-point or complex type."""
    is_wide_enough = dtype.kind == "c" or (array.dtype.kind == "f" and dtype.kind not in "biu")
    if not is_wide_enough or dtype.name.startswith(("int", "uint")):
        return None
    with np.errstate(all="ignore"):
        return array.astype(dtype)


def _advice(array: Array, dtype: np.dtype[Any], type_: Type) -> str:
    if array.dtype == dtype or array.dtype.kind not in "fc":
        return ""
    if isinstance(element_type_of(type_), QuantizedType):
        return "; give the integers that it stores"
    if array.dtype.kind == "c" and dtype.kind != "c":
        return "; it has imaginary parts: pass .real, or a program of complex numbers"
    return f"; convert it with .astype({dtype.name!r})"
