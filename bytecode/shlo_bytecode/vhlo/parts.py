"""Attributes that are one in StableHLO and several in VHLO: how they are put together, and taken apart."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

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


def _truth(value: Attribute) -> bool:
    return bool(number(value))


def _type(value: Attribute) -> Type:
    if not isinstance(value, TypeAttr):
        raise ValueError("an attribute is no type")
    return value.value


def _from_numbers(value: tuple[int, ...]) -> Attribute:
    return DenseElementsAttr(RankedTensorType((len(value),), I64), np.array(value, np.int64))


def _from_number(value: int) -> Attribute:
    return IntegerAttr(value, I64)


def _from_truth(value: bool) -> Attribute:
    return IntegerAttr(int(value), I1)


class Kind(NamedTuple):
    """How a field of an attribute is read from the part that it is in VHLO, and made such a part."""

    read: Callable[[Attribute], Any]
    write: Callable[[Any], Attribute]


NUMBERS, NUMBER = Kind(numbers, _from_numbers), Kind(number, _from_number)
TRUTH, TYPE = Kind(_truth, _from_truth), Kind(_type, TypeAttr)

Part = tuple[str, Kind]


class Whole(NamedTuple):
    """An attribute that VHLO keeps in parts: its name, the class that holds them, the parts in the order of
    its fields, and these.
    """

    name: str
    build: Callable[..., Attribute]
    parts: Sequence[Part]
    fields: Sequence[str]


def _whole(name: str, build: Callable[..., Attribute], *parts: Part, fields: Sequence[str] = ()) -> Whole:
    return Whole(name, build, parts, fields or [part for part, _ in parts])


def _parts(kind: Kind, *names: str) -> tuple[Part, ...]:
    return tuple([(name, kind) for name in names])


_GATHER = _whole(
    "dimension_numbers",
    GatherDimensionNumbers,
    *_parts(NUMBERS, "offset_dims", "collapsed_slice_dims", "operand_batching_dims"),
    *_parts(NUMBERS, "start_indices_batching_dims", "start_index_map"),
    ("index_vector_dim", NUMBER),
)
_CONVOLUTION = _whole(
    "dimension_numbers",
    ConvDimensionNumbers,
    *_parts(NUMBER, "input_batch_dimension", "input_feature_dimension"),
    ("input_spatial_dimensions", NUMBERS),
    *_parts(NUMBER, "kernel_input_feature_dimension", "kernel_output_feature_dimension"),
    ("kernel_spatial_dimensions", NUMBERS),
    *_parts(NUMBER, "output_batch_dimension", "output_feature_dimension"),
    ("output_spatial_dimensions", NUMBERS),
)
_DOT = _whole(
    "dot_dimension_numbers",
    DotDimensionNumbers,
    *_parts(NUMBERS, "lhs_batching_dimensions", "rhs_batching_dimensions"),
    *_parts(NUMBERS, "lhs_contracting_dimensions", "rhs_contracting_dimensions"),
)
_ALGORITHM = _whole(
    "algorithm",
    DotAlgorithm,
    *_parts(TYPE, "lhs_precision_type", "rhs_precision_type", "accumulation_type"),
    *_parts(NUMBER, "lhs_component_count", "rhs_component_count", "num_primitive_operations"),
    ("allow_imprecise_accumulation", TRUTH),
)
_SCATTER = _whole(
    "scatter_dimension_numbers",
    ScatterDimensionNumbers,
    *_parts(NUMBERS, "update_window_dims", "inserted_window_dims"),
    *_parts(NUMBERS, "input_batching_dims", "scatter_indices_batching_dims"),
    *_parts(NUMBERS, "scatter_dims_to_operand_dims"),
    ("index_vector_dim", NUMBER),
)
_CHANNEL = _whole("channel_handle", ChannelHandle, ("channel_id", NUMBER), fields=("handle",))
_TYPED_CHANNEL = _whole(
    "channel_handle", ChannelHandle, *_parts(NUMBER, "channel_id", "channel_type"), fields=("handle", "type")
)

_WHOLES = (_GATHER, _CONVOLUTION, _DOT, _ALGORITHM, _SCATTER, _CHANNEL, _TYPED_CHANNEL)


@cache
def wholes_of(name: str) -> tuple[Whole, ...]:
    """Returns the attributes of a StableHLO operation that VHLO keeps in parts; of two with one name, that
    with more parts."""
    op_def = find_op_def(name)
    parts = {key for row in ROWS if row.stablehlo_name == name for key in row.attributes}
    found = {
        whole.name: whole
        for whole in _WHOLES
        if op_def is not None and op_def.attribute(whole.name) and parts.issuperset(dict(whole.parts))
    }
    return tuple(found.values())


def join_parts(name: str, attributes: Attributes) -> None:
    """Puts parts together, in place. A list that an operation of an earlier version lacks is empty."""
    for whole in wholes_of(name):
        given = {part: attributes.pop(part) for part, _ in whole.parts if part in attributes}
        if given:
            values = [
                () if part not in given and kind is NUMBERS else kind.read(given[part])
                for part, kind in whole.parts
            ]
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


def whole_of(name: str, part: str, kept: Collection[str]) -> str:
    """Returns the attribute of an operation that a part belongs to, where none of its parts is `kept`;
    otherwise the part, with its attribute."""
    for whole in wholes_of(name):
        parts = [key for key, _ in whole.parts]
        if part in parts:
            return f"{part} in {whole.name}" if any(key in kept for key in parts) else whole.name
    return part
