"""Attributes that are one in StableHLO and several in VHLO: how they are put together, and taken apart."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from msgspec import Struct

from shlo.dialects import find_op_def
from shlo.dialects.struct_attributes import (
    ChannelHandle,
    ConvDimensionNumbers,
    DotAlgorithm,
    DotDimensionNumbers,
    GatherDimensionNumbers,
    ScatterDimensionNumbers,
)
from shlo.dialects.vhlo.versions import ROWS
from shlo.ir.attributes import Attribute, IntegerAttr, TypeAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.types import I1, I64, RankedTensorType, Type
from shlo_bytecode.vhlo.defaults import Attributes

MAX_LIST = 1 << 20


def numbers(value: Attribute) -> tuple[int, ...]:
    """Returns the integers of a list of elements."""
    if not isinstance(value, DenseElementsAttr) or len(value.type.shape) != 1 or value.array.size > MAX_LIST:
        raise ValueError("an attribute is no short list of numbers")
    return tuple([int(number) for number in value.array.tolist()])


def number(value: Attribute) -> int:
    """Returns the value of an integer attribute; raises ValueError."""
    if not isinstance(value, IntegerAttr):
        raise ValueError("an attribute is no number")
    return value.value


def _type(value: Attribute) -> Type:
    if not isinstance(value, TypeAttr):
        raise ValueError("an attribute is no type")
    return value.value


class PartKind(Struct, frozen=True):
    """How a field of an attribute is read from the part that it is in VHLO, and made such a part."""

    read: Callable[[Attribute], Any]
    write: Callable[[Any], Attribute]


NUMBERS = PartKind(
    numbers, lambda value: DenseElementsAttr(RankedTensorType((len(value),), I64), np.array(value, np.int64))
)
NUMBER = PartKind(number, lambda value: IntegerAttr(value, I64))
TRUTH = PartKind(lambda value: bool(number(value)), lambda value: IntegerAttr(int(value), I1))
KINDS = {"Int64s": NUMBERS, "int": NUMBER, "bool": TRUTH, "Type": PartKind(_type, TypeAttr)}
"""By the annotation of the field."""

Part = tuple[str, PartKind]


class Whole(Struct, frozen=True):
    """An attribute that VHLO keeps in parts: its name, its class, the parts, and the field of each."""

    name: str
    build: Callable[..., Attribute]
    parts: Sequence[Part]
    fields: Sequence[str]


def _whole(name: str, cls: type[Attribute], renamed: Mapping[str, str] | None = None) -> Whole:
    """Returns a whole, of whose fields those in `renamed` (or else all) are parts, of the names there."""
    kinds = {name: KINDS[annotation] for name, annotation in cls.__annotations__.items()}
    parts = renamed or dict(zip(kinds, kinds))
    return Whole(name, cls, [(part, kinds[field]) for field, part in parts.items()], list(parts))


_WHOLES = (
    _whole("dimension_numbers", GatherDimensionNumbers),
    _whole("dimension_numbers", ConvDimensionNumbers),
    _whole("dot_dimension_numbers", DotDimensionNumbers),
    _whole("algorithm", DotAlgorithm),
    _whole("scatter_dimension_numbers", ScatterDimensionNumbers),
    _whole("channel_handle", ChannelHandle, {"handle": "channel_id"}),
    _whole("channel_handle", ChannelHandle, {"handle": "channel_id", "type": "channel_type"}),
)


@cache
def wholes_of(name: str) -> tuple[Whole, ...]:
    """Returns the attributes of an operation that VHLO keeps in parts, of two with one name the longer."""
    op_def = find_op_def(name)
    parts = {key for row in ROWS if row.stablehlo_name == name for key in row.attributes}
    wholes = {
        whole.name: whole
        for whole in _WHOLES
        if op_def is not None and op_def.attribute(whole.name) and parts.issuperset(dict(whole.parts))
    }
    return tuple(wholes.values())


def join_parts(name: str, attributes: Attributes) -> None:
    """Puts parts together, in place. A list that an operation of an earlier version lacks is empty.

    Raises ValueError where other parts are missing.
    """
    for whole in wholes_of(name):
        parts = {part: attributes.pop(part) for part, _ in whole.parts if part in attributes}
        if parts:
            lacking = [part for part, kind in whole.parts if part not in parts and kind is not NUMBERS]
            if lacking:
                raise ValueError(f"its {whole.name} lacks {', '.join(lacking)}")
            values = [kind.read(parts[part]) if part in parts else () for part, kind in whole.parts]
            attributes[whole.name] = whole.build(*values)


def split_parts(name: str, attributes: Attributes) -> None:
    """Takes attributes apart, in place."""
    for whole in wholes_of(name):
        value = attributes.pop(whole.name, None)
        if value is None:
            continue
        if type(value) is not whole.build:
            raise ValueError(f"its {whole.name} is of the wrong kind")
        for (part, kind), field in zip(whole.parts, whole.fields, strict=True):
            attributes[part] = kind.write(getattr(value, field))


def whole_of(name: str, part: str, names: Collection[str]) -> str:
    """Returns the attribute of an operation that a part belongs to, where none of its parts is `kept`;
    otherwise the part, with its attribute."""
    for whole in wholes_of(name):
        parts = [key for key, _ in whole.parts]
        if part in parts:
            return f"{part} in {whole.name}" if any(key in names for key in parts) else whole.name
    return part
