"""Values that VHLO writes out where StableHLO leaves an attribute out.

They are the defaults of StableHLO's definitions, and a table by attribute for those whose absence means
something of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from shlo.dialects import find_op_def
from shlo.dialects.struct_attributes import ConvDimensionNumbers, DotAlgorithm
from shlo.dialects.vhlo.versions import ROWS
from shlo.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DictionaryAttr,
    EnumAttr,
    IntegerAttr,
    StringAttr,
    TypeAttr,
)
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import dtype_of
from shlo.ir.types import I1, I64, NONE, NoneType, RankedTensorType, Type
from shlo.syntax import parse_attribute

Attributes = dict[str, Attribute]
Given = Mapping[str, Attribute]
"""The attributes of a StableHLO operation."""

TYPED_FFI = 4
"""The version of custom calls whose configuration is a dictionary."""


class Default(Struct, frozen=True):
    """Whether a value may be left out, and the value for an operation that leaves it out."""

    matches: Callable[[Attribute], bool]
    value: Callable[[Given], Attribute]


def _equal(default: Attribute) -> Default:
    return Default(lambda value: value == default, lambda _: default)


def _all(number: int, columns: tuple[int, ...] = (), element: Type = I64) -> Default:
    """Returns elements, of which there is one at least, that are all this number: one for each dimension of
    the window, or a row of as many columns.
    """

    def matches(value: Attribute) -> bool:
        if not isinstance(value, DenseElementsAttr) or not value.is_splat:
            return False
        return bool(value.array[(0,) * value.array.ndim] == number)

    def value(attributes: Given) -> Attribute:
        return filled((_window_rank(attributes), *columns), number, element)

    return Default(matches, value)


def _window_rank(attributes: Given) -> int:
    """Returns how many dimensions the window of an operation has; raises ValueError where nothing tells."""
    numbers, sizes = attributes.get("dimension_numbers"), attributes.get("window_dimensions")
    if isinstance(numbers, ConvDimensionNumbers):
        return len(numbers.input_spatial_dimensions)
    if isinstance(sizes, DenseArrayAttr):
        return len(sizes)
    raise ValueError("it lacks the dimensions of its window")


def filled(shape: tuple[int, ...], number: int = 0, element: Type = I64) -> DenseElementsAttr:
    """Returns elements that are all the same number."""
    return DenseElementsAttr(RankedTensorType(shape, element), np.full(shape, number, dtype_of(element)))


def _is_default_precision(value: Attribute) -> bool:
    """Returns whether a list of precisions asks for nothing."""
    return isinstance(value, ArrayAttr) and all(entry == _PRECISION for entry in value)


def _no_config(attributes: Given) -> Attribute:
    version = attributes.get("api_version")
    is_typed = isinstance(version, IntegerAttr) and version.value == TYPED_FFI
    return DictionaryAttr(()) if is_typed else StringAttr("")


def _always(_: Attribute) -> bool:
    """For what an operand has replaced in a later version."""
    return True


def _never(_: Attribute) -> bool:
    """For what StableHLO keeps where it is written out."""
    return False


def is_no_algorithm(value: Attribute) -> bool:
    """Returns whether a part of an algorithm says that there is none."""
    return isinstance(value, TypeAttr) and isinstance(value.value, NoneType)


_PRECISION = EnumAttr("stablehlo", "precision", "DEFAULT")
_NO_NUMBERS = Default(
    lambda value: isinstance(value, DenseElementsAttr) and value.array.size == 0, lambda _: filled((0,))
)
_NO_TYPE = Default(is_no_algorithm, lambda _: TypeAttr(NONE))
_NO_LIST = ArrayAttr(())
_ONES = _all(1)

_ABSENT: Mapping[str, Default] = {
    **dict.fromkeys(
        ("window_strides", "lhs_dilation", "rhs_dilation", "base_dilations", "window_dilations"), _ONES
    ),
    "padding": _all(0, (2,)),
    "window_reversal": _all(0, (), I1),
    "precision_config": Default(_is_default_precision, lambda _: ArrayAttr((_PRECISION, _PRECISION))),
    **dict.fromkeys(
        (
            *("operand_batching_dims", "start_indices_batching_dims"),
            *("input_batching_dims", "scatter_indices_batching_dims"),
            *("known_expanding_dimensions", "known_nonexpanding_dimensions", "source_target_pairs"),
        ),
        _NO_NUMBERS,
    ),
    **dict.fromkeys(DotAlgorithm.__struct_fields__, _NO_TYPE),
    **dict.fromkeys(("arg_attrs", "res_attrs", "layout", "result_tilings"), _equal(_NO_LIST)),
    **dict.fromkeys(("operand_layouts", "result_layouts"), Default(_never, lambda _: _NO_LIST)),
    "sym_visibility": _equal(StringAttr("")),
    "channel_id": _equal(IntegerAttr(0, I64)),
    "compare_type": _equal(EnumAttr("stablehlo", "comparison_type", "NOTYPE")),
    "version": _equal(IntegerAttr(0, I64)),  # MLIR's tools write an i64 for the i32 that the definition has
    "backend_config": Default(lambda value: value in (StringAttr(""), DictionaryAttr(())), _no_config),
}
"""What attributes, and parts of some, mean where they are absent and their definitions do not say it."""


@cache
def defaults_of(name: str) -> Mapping[str, Default]:
    """Returns what the attributes of a StableHLO operation mean in VHLO where StableHLO leaves them out."""
    op_def = find_op_def(name)
    if op_def is None:
        return {}
    handle = op_def.attribute("channel_handle")
    required = {"channel_id"} if handle is not None and handle.required else set[str]()
    operands = {spec.name for spec in op_def.operands}
    defaults: dict[str, Default] = {}
    for key in {key for row in ROWS if row.stablehlo_name == name for key in row.attributes} - required:
        spec = op_def.attribute(key)
        if key in _ABSENT and (spec is None or spec.optional):
            defaults[key] = replace(_ABSENT[key], matches=_always) if key in operands else _ABSENT[key]
        elif spec is not None and spec.default is not None:
            default = _equal(parse_attribute(spec.default))
            defaults[key] = default if spec.optional else replace(default, matches=_never)
    return defaults


LAYOUTS = ("operand_layouts", "result_layouts")


def without_defaults(name: str, attributes: Attributes) -> Attributes:
    """Returns the attributes of a VHLO operation without those that StableHLO's `name` leaves out."""
    defaults = defaults_of(name)
    left = {
        key: value
        for key, value in attributes.items()
        if key not in defaults or not defaults[key].matches(value)
    }
    if name == "stablehlo.custom_call" and all(attributes[key] == ArrayAttr(()) for key in LAYOUTS):
        left = {key: value for key, value in left.items() if key not in LAYOUTS}
    return left
