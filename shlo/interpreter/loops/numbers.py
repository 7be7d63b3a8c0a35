"""Types of elements, and of indices and addresses."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
from msgspec import Struct

from shlo.interpreter.kernels.numeric import Kind, element_dtype, kind_of
from shlo.interpreter.runtime.tiers import Unsupported
from shlo.ir.types import RankedTensorType, Type

_TYPES: Final = {
    np.dtype(np.bool_): "i1",
    **{np.dtype(f"{sign}{size}"): f"i{8 * size}" for sign in "iu" for size in (1, 2, 4, 8)},
    np.dtype(np.float32): "float",
    np.dtype(np.float64): "double",
    np.dtype(object): "ptr",
}


class Number(Struct, frozen=True):
    """A type of values. An index is a signed integer that never wraps, whose divisions are of numbers from 0
    on.
    """

    dtype: np.dtype[Any]
    kind: Kind
    is_index: bool = False
    lanes: int = 1

    @property
    def llvm(self) -> str:
        """The name of the type of a value in LLVM's language."""
        type_ = _TYPES[self.dtype]
        return type_ if self.lanes == 1 else f"<{self.lanes} x {type_}>"

    @property
    def memory(self) -> str:
        """The same of a value in memory: a boolean takes a byte."""
        return "i8" if self.kind is Kind.BOOLEAN else self.llvm

    @property
    def bits(self) -> int:
        """How many bits a value has."""
        return 1 if self.kind is Kind.BOOLEAN else 8 * self.dtype.itemsize

    @property
    def size(self) -> int:
        """How many bytes a value takes in memory."""
        return self.dtype.itemsize

    @property
    def is_float(self) -> bool:
        """Whether values are floats."""
        return self.kind is Kind.FLOAT


FLOAT32: Final = Number(np.dtype(np.float32), Kind.FLOAT)
FLOAT64: Final = Number(np.dtype(np.float64), Kind.FLOAT)
INT64: Final = Number(np.dtype(np.int64), Kind.SIGNED)
UINT64: Final = Number(np.dtype(np.uint64), Kind.UNSIGNED)
INDEX: Final = Number(np.dtype(np.int64), Kind.SIGNED, is_index=True)
TRUTH: Final = Number(np.dtype(np.bool_), Kind.BOOLEAN)
BYTE: Final = Number(np.dtype(np.uint8), Kind.UNSIGNED)
POINTER: Final = Number(np.dtype(object), Kind.UNSIGNED)


@lru_cache(maxsize=1024)
def number_of(type_: Type) -> Number:
    """Returns the element type of a tensor of known sizes; raises Unsupported for any other type."""
    if not isinstance(type_, RankedTensorType) or not type_.is_static:
        raise Unsupported(str(type_))
    try:
        dtype, kind = element_dtype(type_), kind_of(type_)
    except Exception as error:
        raise Unsupported(str(type_)) from error
    if dtype not in _TYPES or kind is Kind.COMPLEX:
        raise Unsupported(str(type_))
    return Number(dtype, kind)


def number_of_dtype(dtype: np.dtype[Any]) -> Number:
    """Returns the element type of NumPy's floats and signed integers; raises Unsupported for any other."""
    kind = {"f": Kind.FLOAT, "i": Kind.SIGNED}.get(dtype.kind)
    if kind is None or dtype not in _TYPES:
        raise Unsupported(dtype.name)
    return Number(dtype, kind)


def same_size_integer(number: Number) -> Number:
    """Returns the signed integers of as many bits as a float has."""
    return Number(np.dtype(f"i{number.size}"), Kind.SIGNED)
