"""What VHLO writes out where StableHLO leaves an attribute out: for each such attribute, whether a value is
the one that may be left out, and that value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from shlo.dialects.stablehlo.attributes import ConvDimensionNumbers
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


@dataclass(frozen=True, slots=True)
class Default:
    """Whether a value may be left out, and the value for an operation that leaves it out."""

    matches: Callable[[Attribute], bool]
    value: Callable[[Given], Attribute]


def _text(text: str) -> Default:
    """Returns what this text says."""
    default = parse_attribute(text)
    return Default(lambda value: value == default, lambda _: default)


def _all(number: int, columns: tuple[int, ...] = (), element: Type = I64) -> Default:
    """Returns elements, of which there is one at least, that are all this number: one for each dimension of
    the window, or a row of as many columns.
    """

    def matches(value: Attribute) -> bool:
        if not isinstance(value, DenseElementsAttr) or not value.is_splat:
            return False
        return bool(value.array[(0,) * value.array.ndim] == number)

    def value(given: Given) -> Attribute:
        return filled((_window_rank(given), *columns), number, element)

    return Default(matches, value)


def _window_rank(given: Given) -> int:
    """Returns how many dimensions the window of an operation has; raises ValueError where nothing tells."""
    numbers, sizes = given.get("dimension_numbers"), given.get("window_dimensions")
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


def _is_empty(value: Attribute) -> bool:
    return isinstance(value, DenseElementsAttr) and value.array.size == 0


def _is_no_config(value: Attribute) -> bool:
    return value in (StringAttr(""), DictionaryAttr(()))


def _no_config(given: Given) -> Attribute:
    version = given.get("api_version")
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
_PRECISIONS = {
    "precision_config": Default(_is_default_precision, lambda _: ArrayAttr((_PRECISION, _PRECISION)))
}
_NO_NUMBERS = Default(_is_empty, lambda _: filled((0,)))
_NO_TYPE = Default(is_no_algorithm, lambda _: TypeAttr(NONE))
_EMPTY_LIST, _EMPTY_TEXT, _FALSE = _text("[]"), _text('""'), _text("false")
_ONES = _all(1)
_WINDOW = {"window_strides": _ONES, "padding": _all(0, (2,))}
_CONVOLUTION = {
    **_WINDOW,
    **_PRECISIONS,
    "lhs_dilation": _ONES,
    "rhs_dilation": _ONES,
    "window_reversal": _all(0, (), I1),
}
_SORTED = {"indices_are_sorted": _FALSE}
_GATHER = {**_SORTED, "operand_batching_dims": _NO_NUMBERS, "start_indices_batching_dims": _NO_NUMBERS}
_ACCURATE = {
    "result_accuracy": _text("#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>")
}
_CHANNEL = {"channel_id": _text("0 : i64")}
_TRANSFER = {"is_host_transfer": _FALSE, "source_target_pairs": _NO_NUMBERS}
_ALGORITHM = dict.fromkeys(
    (
        *("lhs_precision_type", "rhs_precision_type", "accumulation_type", "lhs_component_count"),
        *("rhs_component_count", "num_primitive_operations", "allow_imprecise_accumulation"),
    ),
    _NO_TYPE,
)

ACCURATE_OPS = (
    *("cbrt", "cosine", "exponential", "exponential_minus_one", "log", "log_plus_one", "logistic"),
    *("rsqrt", "sine", "sqrt", "tan", "tanh"),
)

DEFAULTS: dict[str, Mapping[str, Default]] = {
    **{f"stablehlo.{name}": _ACCURATE for name in ACCURATE_OPS},
    "func.func": {"sym_visibility": _EMPTY_TEXT, "arg_attrs": _EMPTY_LIST, "res_attrs": _EMPTY_LIST},
    **{
        f"stablehlo.{name}": _CHANNEL
        for name in (
            *("all_gather", "all_reduce", "reduce_scatter", "all_to_all", "collective_permute"),
            *("collective_broadcast", "collective_reduce"),
        )
    },
    "stablehlo.cholesky": {"lower": _FALSE},
    "stablehlo.compare": {"compare_type": _text("#stablehlo<comparison_type NOTYPE>")},
    "stablehlo.composite": {"version": _text("0 : i64"), "composite_attributes": _text("{}")},
    "stablehlo.convolution": _CONVOLUTION,
    "stablehlo.dynamic_conv": {**_CONVOLUTION, "padding": Default(_always, _WINDOW["padding"].value)},
    "stablehlo.custom_call": {
        "has_side_effect": _FALSE,
        "backend_config": Default(_is_no_config, _no_config),
        "api_version": _text("1 : i32"),
        "called_computations": _EMPTY_LIST,
        "operand_layouts": Default(_never, _EMPTY_LIST.value),
        "result_layouts": Default(_never, _EMPTY_LIST.value),
        "output_operand_aliases": _EMPTY_LIST,
        "result_tilings": _EMPTY_LIST,
    },
    "stablehlo.dot": _PRECISIONS,
    "stablehlo.dot_general": {**_PRECISIONS, **_ALGORITHM},
    "stablehlo.dynamic_broadcast_in_dim": {
        "known_expanding_dimensions": _NO_NUMBERS,
        "known_nonexpanding_dimensions": _NO_NUMBERS,
    },
    "stablehlo.gather": _GATHER,
    "stablehlo.dynamic_gather": _GATHER,
    "stablehlo.infeed": {"layout": _EMPTY_LIST, "infeed_config": Default(_never, _EMPTY_TEXT.value)},
    "stablehlo.outfeed": {"outfeed_config": Default(_never, _EMPTY_TEXT.value)},
    "stablehlo.send": _TRANSFER,
    "stablehlo.recv": _TRANSFER,
    "stablehlo.reduce_window": {**_WINDOW, "base_dilations": _ONES, "window_dilations": _ONES},
    "stablehlo.scatter": {
        **_SORTED,
        "unique_indices": _FALSE,
        "input_batching_dims": _NO_NUMBERS,
        "scatter_indices_batching_dims": _NO_NUMBERS,
    },
    "stablehlo.select_and_scatter": _WINDOW,
    "stablehlo.sort": {"dimension": _text("-1 : i64"), "is_stable": _FALSE},
}
"""By the operation's name in StableHLO. Parts of an attribute that may be absent are here, too."""

LAYOUTS = ("operand_layouts", "result_layouts")


def without_defaults(name: str, attributes: Attributes) -> Attributes:
    """Returns the attributes of a VHLO operation without those that StableHLO, which calls it `name`, leaves
    out.
    """
    defaults = DEFAULTS.get(name, {})
    left = {
        key: value
        for key, value in attributes.items()
        if key not in defaults or not defaults[key].matches(value)
    }
    if name == "stablehlo.custom_call" and all(attributes[key] == ArrayAttr(()) for key in LAYOUTS):
        left = {key: value for key, value in left.items() if key not in LAYOUTS}
    return left
