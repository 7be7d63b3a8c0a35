"""Values as the frames of a recording hold them.

An array is `["array", dtype, shape, bytes]`; its elements are in frames of their own before that, CHUNK
bytes each at most. Where its axes do not lie in memory in their order, a fifth part has the order in which
they do. A token is "token", a tuple `["tuple", [values]]`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, Final, Literal, cast

import numpy as np

from shlo.debugger.errors import RecordingError
from shlo.debugger.recording.frames import Natural, Record
from shlo.interpreter.kernel_api import TOKEN, Value
from shlo.interpreter.runtime.values import is_tuple
from shlo.ir.dtypes import FLOAT_FORMATS, Array, dtype_of
from shlo.ir.types import ComplexType, FloatType, IntegerType, Type

CHUNK: Final = 16 << 20


class ArrayRecord(Record, tag="array", frozen=True):
    """An array whose elements, so many bytes, come before it; `order` has its axes as they lie in memory,
    unless that is their order."""

    dtype: str
    shape: list[Natural]
    size: Natural
    order: tuple[Natural, ...] = ()


class TupleRecord(Record, tag="tuple", frozen=True):
    """A tuple of values."""

    parts: list[ValueRecord]


ValueRecord = Literal["token"] | ArrayRecord | TupleRecord


def write_value(value: Value, write: Callable[[Any], object]) -> ValueRecord:
    """Writes the elements of the arrays in a value, and gives what refers to the value."""
    if value is TOKEN:
        return "token"
    if is_tuple(value):
        return TupleRecord([write_value(part, write) for part in value])
    array: Array = np.asarray(value)
    order = _order(array)
    flat = np.ascontiguousarray(array.transpose(order) if order else array).reshape(-1)
    raw = (flat.byteswap() if sys.byteorder == "big" else flat).view(np.uint8)
    for start in range(0, raw.size, CHUNK):
        write(raw[start : start + CHUNK].tobytes())
    return ArrayRecord(array.dtype.name, list(array.shape), int(raw.size), tuple(order))


def _order(array: Array) -> list[int]:
    """Returns the axes as they lie in memory, empty where that is their order: what sums them up may round
    otherwise in another.
    """
    if array.flags.c_contiguous:
        return []
    order = sorted(range(array.ndim), key=lambda axis: -abs(array.strides[axis]))
    return [] if order == list(range(array.ndim)) else order


def is_recordable(value: Value) -> bool:
    """Returns whether a file can hold a value."""
    if is_tuple(value):
        return all(map(is_recordable, value))
    is_tensor = isinstance(value, (np.ndarray, np.generic))
    return value is TOKEN or (is_tensor and cast("Array", value).dtype.name in _dtypes())


class ValueReader:
    """Makes values of what refers to them; `chunk` takes the elements that come before."""

    def __init__(self) -> None:
        self._chunks: list[bytes] = []

    def chunk(self, elements: bytes) -> None:
        """Takes elements of the next array."""
        self._chunks.append(elements)

    def value(self, record: ValueRecord) -> Value:
        """Returns the value that something refers to; raises RecordingError where it is none."""
        if isinstance(record, TupleRecord):
            return self.values(record.parts)
        return self._array(record) if isinstance(record, ArrayRecord) else TOKEN

    def values(self, records: Iterable[ValueRecord]) -> tuple[Value, ...]:
        """Returns the values that records refer to; raises RecordingError."""
        return tuple(map(self.value, records))

    def _array(self, record: ArrayRecord) -> Value:
        dtype, shape, order = dtype_named(record.dtype), record.shape, record.order
        if record.size != math.prod(shape) * dtype.itemsize:
            raise RecordingError("an array's shape and size do not agree")
        axes = list(range(len(shape)))
        if order and sorted(order) != axes:
            raise RecordingError("the axes of an array are wrong")
        stored = [shape[axis] for axis in order or axes]
        elements = b"".join(self._take(record.size))
        try:
            array = np.frombuffer(elements, dtype).reshape(stored) if record.size else np.empty(stored, dtype)
        except ValueError as error:
            raise RecordingError(f"a shape is wrong: {error}") from None
        array = array.transpose([order.index(axis) for axis in axes]) if order else array
        return (array.byteswap() if sys.byteorder == "big" else array)[()]

    def _take(self, size: int) -> Iterator[bytes]:
        """Takes so many bytes, and leaves the rest of the last chunk."""
        while size > 0 and self._chunks:
            chunk = self._chunks.pop(0)
            if len(chunk) > size:
                self._chunks.insert(0, chunk[size:])
                chunk = chunk[:size]
            size -= len(chunk)
            yield chunk
        if size:
            raise RecordingError("an array's elements are missing")


def dtype_named(name: str) -> np.dtype[Any]:
    """Returns the dtype of a name; raises RecordingError where no tensor has it."""
    if name not in _dtypes():
        raise RecordingError("a dtype is none that is known")
    return _dtypes()[name]


@cache
def _dtypes() -> dict[str, np.dtype[Any]]:
    """Returns the dtypes that tensors can have, by name."""
    integers = [IntegerType(width, sign) for width in (2, 4, 8, 16, 32, 64) for sign in _SIGNS]
    floats = [FloatType(name) for name, form in FLOAT_FORMATS.items() if form.dtype]
    complexes = [ComplexType(FloatType(name)) for name in ("f32", "f64")]
    types: list[Type] = [IntegerType(1), *integers, *floats, *complexes]
    return {dtype_of(type_).name: dtype_of(type_) for type_ in types}


_SIGNS: Final = ("signless", "unsigned")
