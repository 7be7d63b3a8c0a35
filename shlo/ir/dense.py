"""Dense elements: the constants of tensors, backed by NumPy and decoded only when somebody looks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from shlo.ir.attributes import Attribute
from shlo.ir.dtypes import Array, bit_width, dtype_of
from shlo.ir.types import IntegerType, RankedTensorType, Type, VectorType

ElementsType = RankedTensorType | VectorType


class DenseElementsAttr(Attribute):
    """`dense<...> : tensor<2x3xf32>`: the elements of a tensor of static shape.

    The elements are given as an array, or as a function that decodes them at the first look at `array`.
    """

    __slots__ = ("_array", "_decode", "type")

    type: ElementsType

    def __init__(self, type_: ElementsType, elements: Array | Callable[[], Array]) -> None:
        self.type = type_
        self._array: Array | None = None
        self._decode: Callable[[], Array] | None = None
        if isinstance(elements, np.ndarray):
            self._array = _locked(elements, type_)
        else:
            self._decode = elements

    @property
    def array(self) -> Array:
        """The elements: an array of the type's shape and dtype, not writeable; a splat is a view of one
        element."""
        if self._array is None:
            assert self._decode is not None
            self._array = _locked(self._decode(), self.type)
            self._decode = None
        return self._array

    @property
    def is_decoded(self) -> bool:
        return self._array is not None

    @property
    def is_splat(self) -> bool:
        """Whether all elements have the same bits (and there is at least one)."""
        array = self.array
        if array.size == 0:
            return False
        if not any(array.strides) or array.size == 1:
            return True
        bits = bit_view(np.ascontiguousarray(array)).reshape(array.size, -1)
        return bool((bits == bits[0]).all())

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, DenseElementsAttr) or self.type != other.type:
            return False
        return np.array_equal(bit_view(self.array), bit_view(other.array))

    def __hash__(self) -> int:
        return hash(self.type)

    def __repr__(self) -> str:
        return f"DenseElementsAttr({self.type!r}, decoded={self.is_decoded})"


class DenseStringElementsAttr(Attribute):
    """`dense<["a", "b"]> : tensor<2x!dialect.string>`: elements that are strings, row by row (one for a
    splat)."""

    __slots__ = ("type", "values")

    def __init__(self, type_: ElementsType, values: tuple[str, ...]) -> None:
        self.type = type_
        self.values = values

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DenseStringElementsAttr) and (self.type, self.values) == (
            other.type,
            other.values,
        )

    def __hash__(self) -> int:
        return hash((self.type, self.values))


def bit_view(array: Array) -> Array:
    """The same elements as unsigned integers (complex ones as two along a new last dimension)."""
    array = np.ascontiguousarray(array).reshape(array.shape)
    if array.dtype.kind == "c":
        half = np.uint32 if array.dtype.itemsize == 8 else np.uint64
        return array.reshape(*array.shape, 1).view(half)
    return array.view(f"u{array.dtype.itemsize}")


def splat(type_: ElementsType, value: Any) -> DenseElementsAttr:
    """A constant whose elements are all `value`."""
    return DenseElementsAttr(type_, np.full((), value, dtype_of(type_.element_type)))


def raw_size(type_: ElementsType) -> int:
    """How many bytes the elements take as MLIR lays them out raw (i1 packed eight a byte, sub-byte ones one
    a byte)."""
    count = math.prod(_static(type_))
    if _is_packed(type_.element_type):
        return (count + 7) // 8
    return count * _raw_item_size(type_.element_type)


def array_from_raw(data: bytes | memoryview, type_: ElementsType) -> Array:
    """Elements from MLIR's raw little-endian layout: all of them, or a single one that stands for all (a
    splat).

    Raises ValueError where the number of bytes fits neither.
    """
    shape, dtype = _static(type_), dtype_of(type_.element_type)
    count = math.prod(shape)
    if _is_packed(type_.element_type):
        return _from_packed_bits(data, count, shape)
    if len(data) == count * dtype.itemsize:
        return np.frombuffer(data, dtype).reshape(shape)
    if len(data) == dtype.itemsize:
        return np.broadcast_to(np.frombuffer(data, dtype).reshape(()), shape)
    raise ValueError(f"{len(data)} bytes of elements do not fill {type_}")


def _from_packed_bits(data: bytes | memoryview, count: int, shape: tuple[int, ...]) -> Array:
    if len(data) == (count + 7) // 8 and not (
        count > 1 and len(data) == 1 and bytes(data) in (b"\xff", b"\x00")
    ):
        bits = np.unpackbits(np.frombuffer(data, np.uint8), count=count, bitorder="little")
        return bits.astype(np.bool_).reshape(shape)
    if len(data) == 1:
        return np.broadcast_to(np.array(bytes(data) != b"\x00"), shape)
    raise ValueError(f"{len(data)} bytes do not fill {count} elements of i1")


def raw_from_array(array: Array) -> bytes:
    """The elements in MLIR's raw little-endian layout (booleans packed eight a byte)."""
    if array.dtype == np.bool_:
        return np.packbits(array.reshape(-1), bitorder="little").tobytes()
    return np.ascontiguousarray(array).tobytes()


def _locked(array: Array, type_: ElementsType) -> Array:
    shape = _static(type_)
    if array.shape != shape:
        array = np.broadcast_to(array, shape)
    view = array.view()
    view.flags.writeable = False
    return view


def _static(type_: ElementsType) -> tuple[int, ...]:
    return type_.static_shape if isinstance(type_, RankedTensorType) else type_.shape


def _is_packed(element_type: Type) -> bool:
    return isinstance(element_type, IntegerType) and element_type.width == 1


def _raw_item_size(element_type: Type) -> int:
    return (bit_width(element_type) + 7) // 8
