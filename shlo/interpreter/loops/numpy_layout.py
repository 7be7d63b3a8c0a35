"""Where NumPy's objects have what machine code reads: NumPy's C API documents their structures.

Each is compared with the NumPy that runs before it is relied on. Where one differs, machine code that would
read it raises Unsupported, and all of its work stays in Python.
"""

from __future__ import annotations

import ctypes
from functools import cache, lru_cache
from typing import Any

import numpy as np
from msgspec import Struct

from shlo.interpreter.runtime.tiers import Unsupported


@cache
def data_offset() -> int:
    """Returns where an array's object has the address of its data; raises Unsupported where it is not where
    it should be.
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


class _UFunc(ctypes.Structure):
    _fields_ = (
        ("nin", ctypes.c_int),
        ("nout", ctypes.c_int),
        ("nargs", ctypes.c_int),
        ("identity", ctypes.c_int),
        ("functions", ctypes.POINTER(ctypes.c_void_p)),
        ("data", ctypes.POINTER(ctypes.c_void_p)),
        ("ntypes", ctypes.c_int),
        ("reserved1", ctypes.c_int),
        ("name", ctypes.c_char_p),
        ("types", ctypes.POINTER(ctypes.c_ubyte)),
    )


class ElementLoop(Struct, frozen=True):
    """A loop `void (char **args, npy_intp *count, npy_intp *steps, void *data)`, by addresses."""

    address: int
    data: int = 0


@lru_cache(maxsize=256)
def ufunc_loop(ufunc: np.ufunc, dtypes: tuple[np.dtype[Any], ...]) -> ElementLoop:
    """Returns the loop of a ufunc for the types of its operands and its result; raises Unsupported where it
    has none, or NumPy's structure is not the documented one.
    """
    fields = _UFunc.from_address(id(ufunc) + object.__basicsize__)
    if (fields.nin, fields.nout, fields.ntypes) != (ufunc.nin, ufunc.nout, ufunc.ntypes):
        raise Unsupported(ufunc.__name__)
    wanted = [dtype.num for dtype in dtypes]
    for number in range(fields.ntypes):
        types = fields.types[number * fields.nargs : (number + 1) * fields.nargs]
        if list(types) == wanted and fields.functions[number]:
            data = fields.data[number] if fields.data else None
            return ElementLoop(int(fields.functions[number] or 0), int(data or 0))
    raise Unsupported(ufunc.__name__)
