"""Dense elements: the constants of tensors, backed by NumPy and decoded at first use."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence

import numpy as np

from shlo.ir.attributes import Attribute
from shlo.ir.dtypes import Array, bit_width, raw_item_size, storage_dtype
from shlo.ir.types import I1, ComplexType, RankedTensorType, Type, VectorType

ElementsType = RankedTensorType | VectorType
SAMPLED = 64
"""How many elements of a constant its hash is made of, at most."""


class DenseElementsAttr(Attribute):
    """`dense<...> : tensor<2x3xf32>`: the elements of a tensor of static shape.

    The elements are given as an array, or as a function that decodes them at the first look at `array`. An
    array without dimensions represents all elements; where there are none, it is kept as `filler`, since
    MLIR prints it. `stored` are the bytes of the bytecode file that the elements were read from.
    """

    __slots__ = ("_array", "_decode", "filler", "stored", "type")

    type: ElementsType

    def __init__(
        self,
        type_: ElementsType,
        elements: Array | Callable[[], Array],
        stored: memoryview | None = None,
    ) -> None:
        self.type = type_
        self.stored = stored
        self.filler: Array | None = None
        self._array: Array | None = None
        self._decode: Callable[[], Array] | None = None
        if not callable(elements):
            self._array = _locked(elements, type_)
            if self._array.size == 0 and elements.ndim == 0:
                self.filler = elements
        else:
            self._decode = elements

    @property
    def array(self) -> Array:
        """The elements: a read-only array of the type's shape and dtype; a splat is a view of one element."""
        if self._array is None:
            assert self._decode is not None
            self._array = _locked(self._decode(), self.type)
            self._decode = None
        return self._array

    @property
    def is_decoded(self) -> bool:
        """Whether the elements are already an array."""
        return self._array is not None

    @property
    def is_splat(self) -> bool:
        """Whether all elements have the same bits (and there is at least one)."""
        array = self.array
        if array.size == 0 or _is_one(array):
            return array.size > 0
        bits = bit_view(np.ascontiguousarray(array)).reshape(array.size, -1)
        return bool((bits == bits[0]).all())

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, DenseElementsAttr) or self.type != other.type:
            return False
        mine, others = self.array, other.array
        if _is_one(mine) and _is_one(others):
            mine, others = mine[(0,) * mine.ndim], others[(0,) * others.ndim]
        return np.array_equal(bit_view(mine), bit_view(others))

    def __hash__(self) -> int:
        """Of the type and some elements alone: equal constants share them, different ones seldom do."""
        array = self.array
        step = -(-array.size // SAMPLED) | 1  # odd, to meet every column of most tables
        return hash((self.type, array.flat[::step].tobytes()))

    def __repr__(self) -> str:
        return f"DenseElementsAttr({self.type!r}, decoded={self.is_decoded})"


class DenseStringElementsAttr(Attribute):
    """`dense<["a", "b"]> : tensor<2x!dialect.string>`: strings as elements, row by row (one for a splat)."""

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


def lie_in_shape(indices: Array, shape: Sequence[int]) -> bool:
    """Whether rows of indices, or plain ones where there is one dimension, lie within a shape."""
    rows = indices[:1] if _is_one(indices) else indices
    limits = np.array(shape, np.int64)
    return bool(((rows >= 0) & (rows < limits)).all())


class SparseElementsAttr(Attribute):
    """`sparse<indices, values> : type`: elements at some places (a row of indices each), elsewhere zero."""

    __slots__ = ("indices", "type", "values")

    def __init__(
        self,
        type_: ElementsType,
        indices: DenseElementsAttr,
        values: DenseElementsAttr | DenseStringElementsAttr,
    ) -> None:
        self.type = type_
        self.indices = indices
        self.values = values

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SparseElementsAttr) and (self.type, self.indices, self.values) == (
            other.type,
            other.indices,
            other.values,
        )

    def __hash__(self) -> int:
        return hash((self.type, self.indices))


def has_raw_bytes(array: Array) -> bool:
    """Returns whether elements are bytes that NumPy has no numbers for, such as those of `i3` or `f80`."""
    dtype = array.dtype
    return dtype.kind == "V" and dtype.names is None and dtype == np.dtype(f"V{dtype.itemsize}")


def bit_view(array: Array) -> Array:
    """Returns elements as unsigned integers; complex ones as two, raw bytes singly, along a new last axis."""
    array = np.ascontiguousarray(array).reshape(array.shape)
    if array.dtype.kind == "c":
        half = np.uint32 if array.dtype.itemsize == 8 else np.uint64
        return array.reshape(*array.shape, 1).view(half)
    if has_raw_bytes(array):
        return array.reshape(*array.shape, 1).view(np.uint8)
    return array.view(f"u{array.dtype.itemsize}")


def element_parts(element_type: Type) -> tuple[Type, int]:
    """Returns the type of the numbers that an element consists of, and how many: a complex one of two."""
    return (element_type.element_type, 2) if isinstance(element_type, ComplexType) else (element_type, 1)


def array_from_bits(bits: Sequence[int], element_type: Type, shape: tuple[int, ...]) -> Array:
    """Returns an array from the bit patterns of its elements row by row (two for each complex one)."""
    part, _ = element_parts(element_type)
    size = raw_item_size(part)
    data = b"".join([pattern.to_bytes(size, "little") for pattern in bits])
    return little_endian(np.frombuffer(data, storage_dtype(element_type))).reshape(shape)


def bits_from_array(array: Array, element_type: Type) -> list[int]:
    """Returns the inverse of `array_from_bits`."""
    part, _ = element_parts(element_type)
    size, mask = raw_item_size(part), (1 << bit_width(part)) - 1
    data = little_endian(array).tobytes()
    return [int.from_bytes(data[at : at + size], "little") & mask for at in range(0, len(data), size)]


def raw_size(type_: ElementsType, packed: bool = True) -> int:
    """Returns the bytes of the raw elements: narrow ones take one byte, i1 where `packed` an eighth."""
    count = math.prod(static_shape(type_))
    if packed and type_.element_type == I1:
        return (count + 7) // 8
    return count * raw_item_size(type_.element_type)


def array_from_raw(data: bytes | memoryview, type_: ElementsType, packed: bool = True) -> Array:
    """Returns elements from MLIR's raw little-endian layout: all of them, or a single one that represents all
    (a splat). Bytecode packs i1 eight a byte, text does not.

    Raises ValueError where the number of bytes fits neither.
    """
    shape, dtype = static_shape(type_), storage_dtype(type_.element_type)
    count = math.prod(shape)
    if packed and type_.element_type == I1:
        return _from_packed_bits(data, count, shape)
    if len(data) in (count * dtype.itemsize, dtype.itemsize):
        elements = little_endian(masked(np.frombuffer(data, np.uint8), type_.element_type).view(dtype))
        return (
            elements.reshape(shape)
            if elements.size == count
            else np.broadcast_to(elements.reshape(()), shape)
        )
    raise ValueError(f"{len(data)} bytes of elements do not fill {type_}")


def masked(data: Array, element_type: Type) -> Array:
    """Returns bytes of elements without the bits that types of no whole bytes do not have."""
    if element_type == I1:
        return data != 0
    part, _ = element_parts(element_type)
    width = bit_width(part)
    if width and width % 8 == 0:
        return data
    mask = np.full(raw_item_size(part), 0xFF, np.uint8)
    mask[-1] = (1 << width % 8) - 1
    return (data.reshape(-1, len(mask)) & mask).reshape(-1)


def _from_packed_bits(data: bytes | memoryview, count: int, shape: tuple[int, ...]) -> Array:
    if len(data) == (count + 7) // 8 and not (
        count > 1 and len(data) == 1 and bytes(data) in (b"\xff", b"\x00")
    ):
        bits = np.unpackbits(np.frombuffer(data, np.uint8), count=count, bitorder="little")
        return bits.astype(np.bool_).reshape(shape)
    if len(data) == 1:
        return np.broadcast_to(np.array(bytes(data) != b"\x00"), shape)
    raise ValueError(f"{len(data)} bytes do not fill {count} elements of i1")


def raw_from_array(array: Array, packed: bool = True) -> bytes:
    """Returns the elements in MLIR's raw little-endian layout (booleans, where `packed`, eight a byte)."""
    if packed and array.dtype == np.bool_:
        return np.packbits(array.reshape(-1), bitorder="little").tobytes()
    return little_endian(array).tobytes()


def little_endian(array: Array) -> Array:
    """Returns elements that are in this machine's byte order in that of files, or the other way round."""
    return array if sys.byteorder == "little" or has_raw_bytes(array) else array.byteswap()


def _is_one(array: Array) -> bool:
    """Returns whether all elements of an array are one in memory."""
    return array.size > 0 and (array.size == 1 or not any(array.strides))


def _locked(array: Array, type_: ElementsType) -> Array:
    shape = static_shape(type_)
    if array.shape != shape:
        array = np.broadcast_to(array, shape)
    view = array.view()
    view.flags.writeable = False
    return view


def static_shape(type_: ElementsType) -> tuple[int, ...]:
    """Returns the sizes of a type of elements."""
    return type_.static_shape if isinstance(type_, RankedTensorType) else type_.shape
