"""Numbers and elements as bytes: what the builtin dialect and VHLO build alike."""

from __future__ import annotations

import math

import numpy as np

from shlo.ir.attributes import DenseArrayAttr, FloatAttr, IntegerAttr
from shlo.ir.dense import DenseElementsAttr, ElementsType, array_from_raw, masked, raw_from_array, raw_size
from shlo.ir.dtypes import bit_width, raw_item_size
from shlo.ir.types import (
    I1,
    ComplexType,
    FloatType,
    IndexType,
    IntegerType,
    RankedTensorType,
    Type,
    VectorType,
)
from shlo.syntax import type_text
from shlo_bytecode.container.output import Bytes, EntryParts, bits
from shlo_bytecode.tables.fields import EntryStream

MAX_RANK = 64
MAX_BYTES = 1 << 62
MAX_WIDTH = 12_000
"""The most bits of a number: Python writes no longer ones out in decimal, and texts have no longer ones."""


def integer(type_: Type, stream: EntryStream) -> IntegerAttr:
    """Returns an integer of a type whose width says how it is stored."""
    if not isinstance(type_, (IntegerType, IndexType)):
        raise ValueError(f"an integer is not of type {type_}")
    return IntegerAttr(signed_value(stream.bits(_width(type_), "the integer"), type_), type_)


def number_parts(number: IntegerAttr | FloatAttr) -> tuple[Type, tuple[int, int]]:
    """Returns a number's type, its bit pattern and how many bits that has."""
    width = bit_width(number.type)
    value = number.value if isinstance(number, IntegerAttr) else number.bits
    return number.type, (value & ((1 << width) - 1), width)


def bit_pattern(parts: EntryParts, pattern: tuple[int, int]) -> None:
    """Writes a bit pattern of a number of bits."""
    parts.raw(bits(*pattern))


def _width(type_: Type) -> int:
    """Returns the bits of a number, which must not be too many."""
    width = bit_width(type_)
    if width > MAX_WIDTH:
        raise ValueError(f"numbers of {width} bits are not read, only up to {MAX_WIDTH}")
    return width


def signed_value(bits: int, type_: Type) -> int:
    """Returns the number that a bit pattern represents; booleans and unsigned numbers have no sign."""
    if isinstance(type_, IntegerType) and (type_ == I1 or type_.is_unsigned):
        return bits
    width = bit_width(type_)
    return bits - (1 << width) if width and bits.bit_length() == width else bits


def float_(type_: Type, stream: EntryStream) -> FloatAttr:
    """Returns a float as the bits of its type."""
    if not isinstance(type_, FloatType):
        raise ValueError(f"a float is not of type {type_}")
    return FloatAttr(stream.bits(bit_width(type_), "the float"), type_)


def dense_array(element_type: Type, count: int, data: memoryview) -> DenseArrayAttr:
    """Returns numbers of one type, little-endian, each of whole bytes."""
    if not isinstance(element_type, (IntegerType, FloatType)):
        raise ValueError(f"an array has no elements of type {element_type}")
    size = (_width(element_type) + 7) // 8 or 1
    if count * size != len(data):
        raise ValueError(f"{len(data)} bytes are not {count} elements of {element_type}")
    patterns = [int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)]
    if isinstance(element_type, FloatType):
        return DenseArrayAttr(element_type, tuple(patterns))
    mask = (1 << element_type.width) - 1
    return DenseArrayAttr(element_type, tuple([signed_value(bits & mask, element_type) for bits in patterns]))


def array_parts(array: DenseArrayAttr) -> tuple[Type, int, bytes]:
    """Returns the type, number and bytes of an array's elements."""
    width = bit_width(array.element_type)
    size, mask = (width + 7) // 8 or 1, (1 << width) - 1
    data = b"".join([(value & mask).to_bytes(size, "little") for value in array.values])
    return array.element_type, len(array.values), data


def elements(type_: Type, data: memoryview) -> DenseElementsAttr:
    """Returns a tensor's elements, checked by their number and decoded when they are first used."""
    shaped = elements_type(type_)
    if not isinstance(shaped.element_type, (IntegerType, IndexType, FloatType, ComplexType)):
        raise ValueError(f"expected elements that are numbers, got {type_text(type_)}")
    count, width = element_count(shaped), _width(shaped.element_type)
    if count * max(width, 8) > 8 * MAX_BYTES:
        raise ValueError(f"elements of {type_} do not fit into memory")
    is_boolean = shaped.element_type == IntegerType(1)
    packed = is_boolean and len(data) in (1, (count + 7) // 8)
    size = raw_size(shaped, packed)
    if len(data) != size and len(data) != raw_item_size(shaped.element_type):
        raise ValueError(f"{len(data)} bytes of elements do not fill {type_}")
    if count == 0 and len(data):
        scalar = RankedTensorType((), shaped.element_type)
        return DenseElementsAttr(shaped, array_from_raw(data, scalar, packed))
    return DenseElementsAttr(shaped, lambda: array_from_raw(data, shaped, packed), data)


def elements_parts(value: DenseElementsAttr) -> tuple[Type, Bytes]:
    """Returns the type of elements and their bytes, those of a file unchanged; of equal ones a single one."""
    width = bit_width(value.type.element_type)
    if value.stored is not None and width % 8 == 0:
        return value.type, value.stored
    is_boolean = value.type.element_type == IntegerType(1)
    array = value.array
    if value.filler is not None or value.is_splat:
        one = value.filler if value.filler is not None else array[(0,) * array.ndim]
        data = (b"\xff" if one else b"\x00") if is_boolean else raw_from_array(np.asarray(one))
    else:
        data = raw_from_array(array)
    if width % 8 and not is_boolean:
        data = masked(np.frombuffer(data, np.uint8), value.type.element_type).tobytes()
    return value.type, data


def elements_type(type_: Type) -> ElementsType:
    """Returns the type of elements: a tensor of known sizes, or a vector."""
    if not isinstance(type_, (RankedTensorType, VectorType)) or None in type_.shape:
        raise ValueError(f"elements are not of type {type_}")
    if len(type_.shape) > MAX_RANK:
        raise ValueError(f"elements have at most {MAX_RANK} dimensions")
    return type_


def element_count(type_: ElementsType) -> int:
    """Returns the number of elements."""
    return math.prod(type_.static_shape if isinstance(type_, RankedTensorType) else type_.shape)
