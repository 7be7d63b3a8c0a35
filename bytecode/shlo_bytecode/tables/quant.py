"""The quant dialect's types, one row each."""

from __future__ import annotations

import re
from typing import Any

from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import dtype_of
from shlo.ir.floats import bits_from_float
from shlo.ir.types import (
    F64,
    FloatType,
    IntegerType,
    OpaqueType,
    QuantizedType,
    RankedTensorType,
    Signedness,
    Type,
)
from shlo.syntax import parse_type, type_text
from shlo_bytecode.tables import fields
from shlo_bytecode.tables.fields import Encoding, Field, ItemRow

MAX_STORAGE_WIDTH = 32
MAX_SCALES = 1 << 20


def storage(flags: int, type_: Type) -> tuple[IntegerType, bool]:
    """Returns the storage type, and whether it is written `u8`: signless, and unsigned by the flags."""
    if flags > 1 or not isinstance(type_, IntegerType) or not 1 <= type_.width <= MAX_STORAGE_WIDTH:
        raise ValueError(f"quantized numbers are not stored as {type_} with flags {flags}")
    short = type_.signedness == "signless" and flags == 0
    return (IntegerType(type_.width, "unsigned") if short else type_), short


def _expressed(type_: Type) -> Type:
    if not isinstance(type_, FloatType):
        raise ValueError(f"quantized numbers do not express {type_}")
    return type_


def _stored(type_: QuantizedType) -> tuple[int, IntegerType]:
    """Returns the flags and the storage type, the inverse of `storage`."""
    stored = type_.storage_type
    if type_.short_unsigned:
        return 0, IntegerType(stored.width)
    return int(stored.signedness != "unsigned"), stored


def per_tensor_parts(type_: QuantizedType) -> tuple[Any, ...] | None:
    """Returns the fields of a type quantized per tensor, None for any other."""
    if type_.is_per_axis or type_.block_sizes is not None:
        return None
    limits = type_.storage_min, type_.storage_max
    return *_stored(type_), type_.expressed_type, type_.scales[0], type_.zero_points[0], *limits


def per_axis_parts(type_: QuantizedType) -> tuple[Any, ...] | None:
    """Returns the fields of a type quantized per axis, None for any other."""
    if not type_.is_per_axis:
        return None
    limits = type_.storage_min, type_.storage_max
    return *_stored(type_), type_.expressed_type, type_.axis, *limits, type_.scales, type_.zero_points


def _sub_channel_parts(type_: QuantizedType) -> tuple[Any, ...] | None:
    if type_.block_sizes is None or type_.block_shape is None:
        return None
    dimensions = tuple([dimension for dimension, _ in type_.block_sizes])
    sizes = tuple([size for _, size in type_.block_sizes])
    flags, stored = _stored(type_)
    limits = type_.storage_min, type_.storage_max
    blocks = (
        _block_values(type_.scales, type_.expressed_type, type_.block_shape),
        _block_values(type_.zero_points, stored, type_.block_shape),
    )
    return flags, stored, type_.expressed_type, *limits, dimensions, sizes, *blocks


def _block_values(values: tuple[float, ...], element: Type, shape: tuple[int, ...]) -> DenseElementsAttr:
    import numpy as np

    array = np.array(values).astype(dtype_of(element)).reshape(shape)
    return DenseElementsAttr(RankedTensorType(shape, element), array)


def per_tensor(
    flags: int, stored: Type, expressed: Type, scale: float, zero: int, low: int, high: int
) -> QuantizedType:
    """Builds a type quantized per tensor; raises ValueError."""
    type_, short = storage(flags, stored)
    return QuantizedType(type_, low, high, _expressed(expressed), (scale,), (zero,), short_unsigned=short)


def per_axis(
    flags: int,
    stored: Type,
    expressed: Type,
    axis: int,
    low: int,
    high: int,
    scales: tuple[float, ...],
    zeros: tuple[int, ...],
) -> QuantizedType:
    """Builds a type quantized per axis; raises ValueError."""
    type_, short = storage(flags, stored)
    if len(scales) != len(zeros) or not scales:
        raise ValueError(f"there are {len(scales)} scales, but {len(zeros)} zero points")
    return QuantizedType(type_, low, high, _expressed(expressed), scales, zeros, axis, short_unsigned=short)


def _sub_channel(
    flags: int,
    stored: Type,
    expressed: Type,
    low: int,
    high: int,
    dimensions: tuple[int, ...],
    sizes: tuple[int, ...],
    scales: DenseElementsAttr,
    zeros: DenseElementsAttr,
) -> QuantizedType:
    type_, short = storage(flags, stored)
    if len(dimensions) != len(sizes) or scales.array.shape != zeros.array.shape:
        raise ValueError("the blocks, scales and zero points do not go together")
    if scales.array.size > MAX_SCALES or dtype_of(scales.type.element_type).kind not in "fV":
        raise ValueError("the scales are no short list of floats")
    if dtype_of(zeros.type.element_type).kind not in "iu":
        raise ValueError("the zero points are no integers")
    return QuantizedType(
        type_,
        low,
        high,
        _expressed(expressed),
        tuple(map(float, scales.array.flat)),
        tuple(map(int, zeros.array.flat)),
        block_sizes=tuple(zip(dimensions, sizes, strict=True)),
        block_shape=scales.array.shape,
        short_unsigned=short,
    )


def _any(flags: int, stored: Type, low: int, high: int, expressed: Type | None = None) -> Type:
    """`!quant.any<...>`, which is kept as text."""
    from shlo.syntax.types.quant import storage_limits

    type_, short = storage(flags, stored)
    text = f"u{type_.width}" if short else type_text(type_)
    if (low, high) != storage_limits(type_):
        text += f"<{low}:{high}>"
    return OpaqueType("quant", f"any<{text}{f':{type_text(expressed)}' if expressed else ''}>")


def _any_expressed(flags: int, stored: Type, expressed: Type, low: int, high: int) -> Type:
    return _any(flags, stored, low, high, expressed)


def _calibrated(expressed: Type, low: float, high: float) -> Type:
    from shlo.syntax.numbers.print import float_text

    text = type_text(_expressed(expressed))
    limits = [float_text(bits_from_float(limit, F64), F64) for limit in (low, high)]
    return parse_type(f"!quant.calibrated<{text}<{limits[0]}:{limits[1]}>>")


ANY = re.compile(r"any<(u|si|ui|i)(\d+)(?:<(-?\d+):(-?\d+)>)?(?::(\w+))?>")
CALIBRATED = re.compile(r"calibrated<(\w+)<([-+.eE\d]+):([-+.eE\d]+)>>")


def _any_parts(expressed: bool) -> fields.Take:
    """Takes `any<...>` apart, with or without a type that it expresses."""
    from shlo.syntax.types.quant import storage_limits

    def take(type_: OpaqueType) -> tuple[Any, ...] | None:
        match = ANY.fullmatch(type_.body) if type_.dialect == "quant" else None
        if match is None or bool(match[5]) != expressed:
            return None
        stored = IntegerType(int(match[2]), SIGNS[match[1]])
        limits = (int(match[3]), int(match[4])) if match[3] else storage_limits(stored)
        flags, type_without_sign = int(match[1] in ("i", "si")), IntegerType(stored.width)
        of = type_without_sign if match[1] == "u" else stored
        return flags, of, *((FloatType(match[5]),) if expressed else ()), *limits

    return take


def _calibrated_parts(type_: OpaqueType) -> tuple[Any, ...] | None:
    match = CALIBRATED.fullmatch(type_.body) if type_.dialect == "quant" else None
    return (FloatType(match[1]), float(match[2]), float(match[3])) if match else None


SIGNS: dict[str, Signedness] = {"i": "signless", "si": "signed", "u": "unsigned", "ui": "unsigned"}
"""How MLIR writes storage types."""

FLAGS = fields.varint("the flags")
STORAGE, EXPRESSED = fields.type_("the storage type"), fields.type_("the expressed type")
LOW, HIGH = fields.signed("the smallest number"), fields.signed("the largest number")
SCALES = fields.items(fields.double("the scales"))
ZEROS = fields.items(fields.signed("the zero points"))
PER_TENSOR: tuple[Field, ...] = (
    *(FLAGS, STORAGE, EXPRESSED),
    *(fields.double("the scale"), fields.signed("the zero point"), LOW, HIGH),
)
PER_AXIS: tuple[Field, ...] = (
    *(FLAGS, STORAGE, EXPRESSED, fields.varint("the axis")),
    *(LOW, HIGH, SCALES, ZEROS),
)

QUANT = Encoding(
    {},
    {
        1: ItemRow("a quantized type", (FLAGS, STORAGE, LOW, HIGH), _any, OpaqueType, _any_parts(False)),
        2: ItemRow(
            "a quantized type",
            (FLAGS, STORAGE, EXPRESSED, LOW, HIGH),
            _any_expressed,
            OpaqueType,
            _any_parts(True),
        ),
        3: ItemRow(
            "a calibrated type",
            (EXPRESSED, fields.double("the smallest number"), fields.double("the largest number")),
            _calibrated,
            OpaqueType,
            _calibrated_parts,
        ),
        4: ItemRow("a quantized type", PER_TENSOR, per_tensor, QuantizedType, per_tensor_parts),
        5: ItemRow("a quantized type", PER_AXIS, per_axis, QuantizedType, per_axis_parts),
        6: ItemRow(
            "a quantized type",
            (
                *(FLAGS, STORAGE, EXPRESSED, LOW, HIGH),
                fields.items(fields.signed("the dimensions")),
                fields.items(fields.signed("the sizes of blocks")),
                fields.attribute("the scales", DenseElementsAttr),
                fields.attribute("the zero points", DenseElementsAttr),
            ),
            _sub_channel,
            QuantizedType,
            _sub_channel_parts,
        ),
    },
)
