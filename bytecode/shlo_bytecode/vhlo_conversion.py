"""From VHLO's operations to StableHLO's of today, upgrades included.

Attributes and types have become StableHLO's when they were decoded. What is left: names; attributes that
VHLO keeps in parts; attributes that VHLO must write out where StableHLO leaves them out; and forms that
StableHLO's cards ask for (`array<i64>`, symbols, units). An operation of an earlier version lacks attributes
that a later one has, which then mean what they mean where StableHLO leaves them out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from shlo import STABLEHLO_VERSION
from shlo.dialects import find_card
from shlo.dialects.stablehlo.attributes import (
    ChannelHandle,
    ConvDimensionNumbers,
    DotAlgorithm,
    DotDimensionNumbers,
    GatherDimensionNumbers,
    ScatterDimensionNumbers,
)
from shlo.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DictionaryAttr,
    EnumAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    UnitAttr,
)
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.types import I1, I64, NoneType, Type
from shlo.syntax import parse_attribute
from shlo_bytecode.vhlo_ops import OPS

Attributes = dict[str, Attribute]

RENAMED = {"func": "func.func", "call": "func.call"}
MAX_LIST = 1 << 20
UNKNOWN_OPERATION = f"VHLO has no such operation up to version {STABLEHLO_VERSION}"


def stablehlo_form(
    name: str,
    attributes: Attributes,
    operand_types: tuple[Type, ...],
    result_types: tuple[Type, ...],
    in_function: bool,
) -> tuple[str, Attributes]:
    """The name and the inherent attributes of what a VHLO operation stands for; `in_function` says that it
    stands directly in a function. Raises ValueError where there is none."""
    op = OPS.get(name)
    if op is None:
        raise ValueError(UNKNOWN_OPERATION)
    for expected in op.attributes:
        if expected not in attributes:
            raise ValueError(f"it lacks the attribute {expected}")
    if op.base == "return":
        return ("func.return" if in_function else "stablehlo.return"), attributes
    new = RENAMED.get(op.base, f"stablehlo.{op.base}")
    left = _without_defaults(new, attributes)
    _merge(new, left)
    return new, {
        key: _as_card_says(new, key, value) for key, value in left.items() if not _is_off(new, key, value)
    }


# -- defaults ------------------------------------------------------------------------------------------------


def _text(text: str) -> Callable[[Attribute], bool]:
    """Whether an attribute is what this text says."""
    default = parse_attribute(text)
    return lambda value: value == default


def _all(number: int) -> Callable[[Attribute], bool]:
    """Whether an attribute's elements, of which there is one at least, are all this number."""

    def is_default(value: Attribute) -> bool:
        if not isinstance(value, DenseElementsAttr) or not value.is_splat:
            return False
        return bool(value.array[(0,) * value.array.ndim] == number)

    return is_default


def _default_precision(value: Attribute) -> bool:
    """Whether a list of precisions asks for nothing."""
    default = EnumAttr("stablehlo", "precision", "DEFAULT")
    return isinstance(value, ArrayAttr) and all(entry == default for entry in value)


def _is_empty(value: Attribute) -> bool:
    return isinstance(value, DenseElementsAttr) and value.array.size == 0


def _is_no_config(value: Attribute) -> bool:
    return value in (StringAttr(""), DictionaryAttr(()))


def _always(_: Attribute) -> bool:
    """For what an operand has replaced in a later version."""
    return True


def _no_algorithm(value: Attribute) -> bool:
    return isinstance(value, TypeAttr) and isinstance(value.value, NoneType)


_EMPTY_LIST, _EMPTY_TEXT, _FALSE = _text("[]"), _text('""'), _text("false")
_ONES, _ZEROS = _all(1), _all(0)
_WINDOW = {"window_strides": _ONES, "padding": _ZEROS}
_CONVOLUTION = {
    **_WINDOW,
    "lhs_dilation": _ONES,
    "rhs_dilation": _ONES,
    "window_reversal": _ZEROS,
    "precision_config": _default_precision,
}
_SORTED = {"indices_are_sorted": _FALSE}
_ACCURATE = {
    "result_accuracy": _text("#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>")
}
_CHANNEL = {"channel_id": _text("0 : i64")}
_TRANSFER = {"is_host_transfer": _FALSE, "source_target_pairs": _is_empty}

ACCURATE_OPS = (
    *("cbrt", "cosine", "exponential", "exponential_minus_one", "log", "log_plus_one", "logistic"),
    *("rsqrt", "sine", "sqrt", "tan", "tanh"),
)

DEFAULTS: dict[str, Mapping[str, Callable[[Attribute], bool]]] = {
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
    "stablehlo.dynamic_conv": {**_CONVOLUTION, "padding": _always},
    "stablehlo.custom_call": {
        "has_side_effect": _FALSE,
        "backend_config": _is_no_config,
        "api_version": _text("1 : i32"),
        "called_computations": _EMPTY_LIST,
        "output_operand_aliases": _EMPTY_LIST,
        "result_tilings": _EMPTY_LIST,
    },
    "stablehlo.dot": {"precision_config": _default_precision},
    "stablehlo.dot_general": {"precision_config": _default_precision},
    "stablehlo.dynamic_broadcast_in_dim": {
        "known_expanding_dimensions": _is_empty,
        "known_nonexpanding_dimensions": _is_empty,
    },
    "stablehlo.gather": _SORTED,
    "stablehlo.dynamic_gather": _SORTED,
    "stablehlo.infeed": {"layout": _EMPTY_LIST},
    "stablehlo.send": _TRANSFER,
    "stablehlo.recv": _TRANSFER,
    "stablehlo.reduce_window": {**_WINDOW, "base_dilations": _ONES, "window_dilations": _ONES},
    "stablehlo.scatter": {**_SORTED, "unique_indices": _FALSE},
    "stablehlo.select_and_scatter": _WINDOW,
    "stablehlo.sort": {"dimension": _text("-1 : i64"), "is_stable": _FALSE},
}
"""What VHLO writes out where StableHLO leaves an attribute out."""


def _without_defaults(name: str, attributes: Attributes) -> Attributes:
    defaults = DEFAULTS.get(name, {})
    left = {
        key: value for key, value in attributes.items() if key not in defaults or not defaults[key](value)
    }
    layouts = ("operand_layouts", "result_layouts")
    if name == "stablehlo.custom_call" and all(_EMPTY_LIST(attributes[key]) for key in layouts):
        left = {key: value for key, value in left.items() if key not in layouts}
    return left


# -- parts ---------------------------------------------------------------------------------------------------


def numbers(value: Attribute) -> tuple[int, ...]:
    """The integers of a list of elements."""
    if not isinstance(value, DenseElementsAttr) or len(value.type.shape) != 1 or value.array.size > MAX_LIST:
        raise ValueError("an attribute is no short list of numbers")
    return tuple([int(number) for number in value.array.tolist()])


def number(value: Attribute) -> int:
    if not isinstance(value, IntegerAttr):
        raise ValueError("an attribute is no number")
    return value.value


def _truth(value: Attribute) -> bool:
    return bool(number(value))


def _type(value: Attribute) -> Type:
    if not isinstance(value, TypeAttr):
        raise ValueError("an attribute is no type")
    return value.value


Part = tuple[str, Callable[[Attribute], object]]


def _parts(read: Callable[[Attribute], object], *names: str) -> tuple[Part, ...]:
    return tuple([(name, read) for name in names])


_GATHER: tuple[Part, ...] = (
    *_parts(numbers, "offset_dims", "collapsed_slice_dims", "operand_batching_dims"),
    *_parts(numbers, "start_indices_batching_dims", "start_index_map"),
    ("index_vector_dim", number),
)
_CONVOLUTION_PARTS: tuple[Part, ...] = (
    *_parts(number, "input_batch_dimension", "input_feature_dimension"),
    ("input_spatial_dimensions", numbers),
    *_parts(number, "kernel_input_feature_dimension", "kernel_output_feature_dimension"),
    ("kernel_spatial_dimensions", numbers),
    *_parts(number, "output_batch_dimension", "output_feature_dimension"),
    ("output_spatial_dimensions", numbers),
)
_ALGORITHM: tuple[Part, ...] = (
    *_parts(_type, "lhs_precision_type", "rhs_precision_type", "accumulation_type"),
    *_parts(number, "lhs_component_count", "rhs_component_count", "num_primitive_operations"),
    ("allow_imprecise_accumulation", _truth),
)
_CHANNEL_PARTS: tuple[Part, ...] = (("channel_id", number),)
_TYPED_CHANNEL: tuple[Part, ...] = (("channel_id", number), ("channel_type", number))

Merge = tuple[str, Callable[..., Attribute], Sequence[Part]]

MERGES: dict[str, tuple[Merge, ...]] = {
    **{
        f"stablehlo.{name}": (("channel_handle", ChannelHandle, _CHANNEL_PARTS),)
        for name in (
            *("all_gather", "all_reduce", "reduce_scatter", "all_to_all", "collective_permute"),
            *("collective_broadcast", "collective_reduce"),
        )
    },
    "stablehlo.send": (("channel_handle", ChannelHandle, _TYPED_CHANNEL),),
    "stablehlo.recv": (("channel_handle", ChannelHandle, _TYPED_CHANNEL),),
    "stablehlo.convolution": (("dimension_numbers", ConvDimensionNumbers, _CONVOLUTION_PARTS),),
    "stablehlo.dynamic_conv": (("dimension_numbers", ConvDimensionNumbers, _CONVOLUTION_PARTS),),
    "stablehlo.dot_general": (
        (
            "dot_dimension_numbers",
            DotDimensionNumbers,
            (
                *_parts(numbers, "lhs_batching_dimensions", "rhs_batching_dimensions"),
                *_parts(numbers, "lhs_contracting_dimensions", "rhs_contracting_dimensions"),
            ),
        ),
        ("algorithm", DotAlgorithm, _ALGORITHM),
    ),
    "stablehlo.gather": (("dimension_numbers", GatherDimensionNumbers, _GATHER),),
    "stablehlo.dynamic_gather": (("dimension_numbers", GatherDimensionNumbers, _GATHER),),
    "stablehlo.scatter": (
        (
            "scatter_dimension_numbers",
            ScatterDimensionNumbers,
            (
                *_parts(numbers, "update_window_dims", "inserted_window_dims"),
                *_parts(numbers, "input_batching_dims", "scatter_indices_batching_dims"),
                *_parts(numbers, "scatter_dims_to_operand_dims"),
                ("index_vector_dim", number),
            ),
        ),
    ),
}
"""Attributes that VHLO keeps in parts: the class that holds them, and the parts in the order of its
fields. A part that an operation of an earlier version lacks is an empty list."""

OPTIONAL_PARTS = frozenset(
    (
        *("operand_batching_dims", "start_indices_batching_dims"),
        *("input_batching_dims", "scatter_indices_batching_dims"),
    )
)


def _merge(name: str, attributes: Attributes) -> None:
    """Puts parts together, in place."""
    for target, build, parts in MERGES.get(name, ()):
        given = {part: attributes.pop(part) for part, _ in parts if part in attributes}
        if not given or (target == "algorithm" and all(map(_no_algorithm, given.values()))):
            continue
        values = [
            () if part in OPTIONAL_PARTS and part not in given else read(given[part]) for part, read in parts
        ]
        attributes[target] = build(*values)


# -- forms ---------------------------------------------------------------------------------------------------


@cache
def _kind(name: str, attribute: str) -> str:
    card = find_card(name)
    spec = card.attribute(attribute) if card else None
    return spec.kind if spec else ""


def _is_off(name: str, attribute: str, value: Attribute) -> bool:
    """Whether a truth stands for a unit that is absent."""
    return _kind(name, attribute) == "unit" and value == IntegerAttr(0, I1)


def _as_card_says(name: str, attribute: str, value: Attribute) -> Attribute:
    """The attribute in the form that StableHLO has for it."""
    kind = _kind(name, attribute)
    if kind == "i64_array":
        return DenseArrayAttr(I64, numbers(value))
    if kind == "bool_array":
        return DenseArrayAttr(I1, numbers(value))
    if kind == "symbol":
        return _symbol(value)
    if kind == "unit":
        return UnitAttr()
    if attribute == "called_computations" and isinstance(value, ArrayAttr):
        return ArrayAttr(tuple([_symbol(entry) for entry in value]))
    return value


def _symbol(value: Attribute) -> SymbolRefAttr:
    if not isinstance(value, StringAttr):
        raise ValueError("the name of a function is no string")
    return SymbolRefAttr(value.value)
