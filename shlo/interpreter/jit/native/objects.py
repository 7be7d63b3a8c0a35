"""Where NumPy's objects have what machine code reads: NumPy's C API documents their structures."""

from __future__ import annotations

import ctypes
from functools import cache

import numpy as np

from shlo.interpreter.runtime.tiers import Unsupported


@cache
def data_offset() -> int:
    """Returns where an array's object has the address of its data; raises Unsupported where it is not
    where it should be.
    """
    array, offset = np.zeros(3), object.__basicsize__
    if ctypes.c_void_p.from_address(id(array) + offset).value != array.__array_interface__["data"][0]:
        raise Unsupported("arrays of another layout")
    return offset


@cache
def scalar_offset() -> int:
    """Returns where the object of a NumPy scalar of up to eight bytes has the number; raises Unsupported
    where it is not where it should be.
    """
    offset = object.__basicsize__
    for scalar in (np.float64(0.1), np.float32(0.1), np.int64(-3), np.uint8(200), np.bool_(True)):
        if ctypes.string_at(id(scalar) + offset, scalar.nbytes) != scalar.tobytes():
            raise Unsupported("scalars of another layout")
    return offset
