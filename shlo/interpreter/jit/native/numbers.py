"""Element types as LLVM's: what they are called in values and in memory, and their literals."""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import Any, Final

import numpy as np
from msgspec import Struct

from shlo.interpreter.kernels.numeric import Kind, element_dtype, kind_of
from shlo.interpreter.runtime.tiers import Unsupported
from shlo.ir.types import RankedTensorType, Type

_TYPES = {
    "bool": "i1",
    **{f"{sign}int{width}": f"i{width}" for sign in ("", "u") for width in (8, 16, 32, 64)},
    "float32": "float",
    "float64": "double",
}


class Number(Struct, frozen=True):
    """An element type: its dtype, its kind, and what LLVM calls it."""

    dtype: np.dtype[Any]
    kind: Kind

    @property
    def llvm(self) -> str:
        """The type of a value."""
        return _TYPES[self.dtype.name]

    @property
    def memory(self) -> str:
        """The type in memory: a boolean takes a byte."""
        return "i8" if self.kind is Kind.BOOLEAN else self.llvm

    @property
    def suffix(self) -> str:
        """What names of intrinsics end with."""
        return {"float": "f32", "double": "f64"}.get(self.llvm, self.llvm)

    @property
    def bits(self) -> int:
        """How many bits a value has."""
        return 1 if self.kind is Kind.BOOLEAN else 8 * self.dtype.itemsize

    def literal(self, value: Any) -> str:
        """Returns a value as LLVM writes it."""
        if self.kind is Kind.BOOLEAN:
            return "true" if value else "false"
        if value != value:  # a constant whose bits LLVM does not look at
            bits = int(np.asarray(value, self.dtype).view(f"u{self.dtype.itemsize}"))
            return f"bitcast (i{self.bits} {bits} to {self.llvm})"
        if self.kind is Kind.FLOAT:
            return f"0x{struct.unpack('<Q', struct.pack('<d', float(value)))[0]:016X}"
        return str(int(value))


@lru_cache(maxsize=1024)
def number_of(type_: Type) -> Number:
    """Returns the element type of a tensor of known sizes; raises Unsupported for any other type."""
    if not isinstance(type_, RankedTensorType) or not type_.is_static:
        raise Unsupported(str(type_))
    try:
        dtype, kind = element_dtype(type_), kind_of(type_)
    except Exception as error:
        raise Unsupported(str(type_)) from error
    if dtype.name not in _TYPES or kind is Kind.COMPLEX:
        raise Unsupported(str(type_))
    return Number(dtype, kind)


def number_of_dtype(dtype: np.dtype[Any]) -> Number:
    """Returns the element type of NumPy's floats and signed integers; raises Unsupported for any other."""
    kind = {"f": Kind.FLOAT, "i": Kind.SIGNED}.get(dtype.kind)
    if kind is None or dtype.name not in _TYPES:
        raise Unsupported(dtype.name)
    return Number(dtype, kind)


FLOAT64: Final = Number(np.dtype(np.float64), Kind.FLOAT)
