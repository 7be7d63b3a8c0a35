"""Values as the frames of a recording hold them.

An array is `["array", dtype, shape, bytes]`; its elements are in frames of their own before that, CHUNK
bytes each at most. A token is "token", a tuple `["tuple", [values]]`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final, cast

import numpy as np

from shlo.debugger.errors import RecordingError
from shlo.interpreter.kernel_api import TOKEN, Value
from shlo.interpreter.runtime.values import is_tuple
from shlo.ir.dtypes import FLOAT_FORMATS, Array, dtype_of
from shlo.ir.types import ComplexType, FloatType, IntegerType, Type

CHUNK: Final = 16 << 20


def write_value(value: Value, write: Callable[[Any], None]) -> Any:
    """Writes the elements of the arrays in a value, and gives what refers to the value."""
    if value is TOKEN:
        return "token"
    if is_tuple(value):
        return ["tuple", [write_value(part, write) for part in value]]
    array: Array = np.asarray(value)
    flat = np.ascontiguousarray(array).reshape(-1)
    raw = (flat.byteswap() if sys.byteorder == "big" else flat).view(np.uint8)
    for start in range(0, raw.size, CHUNK):
        write(raw[start : start + CHUNK].tobytes())
    return ["array", array.dtype.name, list(array.shape), int(raw.size)]


def as_list(plain: Any) -> list[Any]:
    """Returns the same as a list; raises RecordingError where it is none."""
    if not isinstance(plain, list):
        raise RecordingError("a list is missing")
    return cast("list[Any]", plain)


class ValueReader:
    """Makes values of what refers to them; `chunk` takes the elements that come before."""

    def __init__(self) -> None:
        self._chunks: list[bytes] = []

    def chunk(self, elements: bytes) -> None:
        """Takes elements of the next array."""
        self._chunks.append(elements)

    def value(self, plain: Any) -> Value:
        """Returns the value that something refers to; raises RecordingError where it is none."""
        match plain:
            case "token":
                return TOKEN
            case ["tuple", parts]:
                return self.values(parts)
            case ["array", str(name), shape, int(size)] if name in _dtypes():
                return self._array(_dtypes()[name], as_list(shape), size)
            case _:
                raise RecordingError("a value is of no kind that is known")

    def values(self, plain: Any) -> tuple[Value, ...]:
        """Returns the values that a list refers to; raises RecordingError."""
        return tuple(map(self.value, as_list(plain)))

    def _array(self, dtype: np.dtype[Any], shape: list[Any], size: int) -> Value:
        if not all(isinstance(extent, int) and extent >= 0 for extent in shape):
            raise RecordingError("a shape is wrong")
        if size != math.prod(shape) * dtype.itemsize:
            raise RecordingError("an array's shape and size do not agree")
        elements = b"".join(self._take(size))
        try:
            array = np.frombuffer(elements, dtype).reshape(shape) if size else np.empty(shape, dtype)
        except ValueError as error:
            raise RecordingError(f"a shape is wrong: {error}") from None
        return (array.byteswap() if sys.byteorder == "big" else array)[()]

    def _take(self, size: int) -> Iterator[bytes]:
        while size > 0 and self._chunks:
            chunk = self._chunks.pop(0)
            size -= len(chunk)
            yield chunk
        if size:
            raise RecordingError("an array's elements are missing")


@cache
def _dtypes() -> dict[str, np.dtype[Any]]:
    """Returns the dtypes that tensors can have, by name."""
    integers = [IntegerType(width, sign) for width in (2, 4, 8, 16, 32, 64) for sign in _SIGNS]
    floats = [FloatType(name) for name, form in FLOAT_FORMATS.items() if form.dtype]
    complexes = [ComplexType(FloatType(name)) for name in ("f32", "f64")]
    types: list[Type] = [IntegerType(1), *integers, *floats, *complexes]
    return {dtype_of(type_).name: dtype_of(type_) for type_ in types}


_SIGNS: Final = ("signless", "unsigned")
