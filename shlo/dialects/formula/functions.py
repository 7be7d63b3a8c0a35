"""The functions that formulas call. Specification: "Functions".

Those on types take a type or a placeholder; of what is not known they make UNKNOWN, and they raise Undefined
where the specification says that there is no such member.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from msgspec.structs import replace

from shlo.dialects.formula.values import (
    ANY_SIZE,
    UNKNOWN,
    Interval,
    Placeholder,
    Truth,
    Undefined,
    Unknown,
    add,
    both,
    equal,
    holds_for_all,
    less,
    maximum,
    minimum,
    multiply,
    rounded,
    sizes,
    type_of,
)
from shlo.dialects.struct_attributes import TypeExtensions
from shlo.ir.dtypes import bit_width
from shlo.ir.types import (
    I1,
    ComplexType,
    FloatType,
    FunctionType,
    FutureType,
    IndexType,
    IntegerType,
    QuantizedType,
    RankedTensorType,
    TokenType,
    TupleType,
    Type,
    UnknownType,
    UnrankedTensorType,
)

_OP_NAME = re.compile(r"[a-zA-Z]\w*(\.[\w$]+)+", re.ASCII)


class Rows(tuple[Any, ...]):
    """A tensor of an attribute with more dimensions than one: its rows, and its shape even without any."""

    shape: tuple[int, ...]

    def __new__(cls, rows: Any, shape: tuple[int, ...]) -> Rows:
        """Returns the rows with their shape."""
        instance = super().__new__(cls, rows)
        instance.shape = shape
        return instance


# --- shapes ---


def shape(value: Any) -> Any:
    """Returns the sizes of a tensor's dimensions; of an attribute's tensor as well."""
    if isinstance(value, Rows):
        return value.shape
    if isinstance(value, tuple):
        return (len(cast("tuple[Any, ...]", value)),)
    if isinstance(value, (int, float)):  # a union of types would be made anew each time
        return ()
    type_ = type_of(value)
    return UNKNOWN if type_ is UNKNOWN else sizes(type_)


def rank(value: Any) -> Any:
    """Returns the number of dimensions."""
    sizes = shape(value)
    return UNKNOWN if sizes is UNKNOWN else len(sizes)


def axes(value: Any) -> Any:
    """Returns the numbers of all dimensions, in order."""
    return numbers_below(rank(value))


def dim(value: Any, axis: Any) -> Any:
    """`shape(x)[axis]`."""
    return item(shape(value), axis)


def dims(value: Any, chosen: Any) -> Any:
    """Returns the sizes of the chosen dimensions."""
    return UNKNOWN if chosen is UNKNOWN else tuple(dim(value, axis) for axis in chosen)


def size(value: Any) -> Any:
    """Returns how many elements a list or a tensor has."""
    if isinstance(value, tuple) and not isinstance(value, Rows):
        return len(cast("tuple[Any, ...]", value))
    return product(shape(value))


def product(values: Any) -> Any:
    """Returns the product of the elements, 1 for an empty list."""
    total: Any = 1
    for value in _listed(values):
        total = multiply(total, value)
    return total


def item(values: Any, index: Any) -> Any:
    """`xs[i]`, from the end where `i` is negative."""
    if values is UNKNOWN or isinstance(index, Unknown | Interval):
        return UNKNOWN
    if not isinstance(values, tuple) or not isinstance(index, int):
        raise Undefined(f"{values!r}[{index!r}]")
    items = cast("tuple[Any, ...]", values)
    if not -len(items) <= index < len(items):
        raise Undefined(f"there is no element {index} of {len(items)}")
    return items[index]


def numbers_below(count: Any) -> Any:
    """`range(n)`."""
    return UNKNOWN if isinstance(count, Unknown | Interval) else tuple(range(count))


# --- lists ---


def is_unique(values: Any) -> Truth:
    """Returns whether no two elements are equal."""
    if values is UNKNOWN or UNKNOWN in values:
        return UNKNOWN
    return len(set(values)) == len(values)


def is_sorted(values: Any) -> Truth:
    """Judges whether no element is greater than the next."""
    return holds_for_all(
        [less(one, other, False) for one, other in zip(_listed(values), _listed(values)[1:])]
    )


def is_empty(values: Any) -> Truth:
    """Judges whether there are no elements."""
    return UNKNOWN if values is UNKNOWN else len(values) == 0


def same(values: Any) -> Truth:
    """Returns whether all elements are equal."""
    items = _listed(values)
    return holds_for_all([equal(items[0], other) for other in items[1:]])


def is_permutation(values: Any, count: Any) -> Truth:
    """Returns whether a list holds each number below another one once."""
    if values is UNKNOWN or isinstance(count, Unknown | Interval):
        return UNKNOWN
    return sorted(values) == list(range(count))


def with_items(values: Any, places: Any, replacements: Any) -> Any:
    """Returns a list with other elements at some places."""
    if UNKNOWN in (values, places, replacements):
        return UNKNOWN
    changed = list(cast("tuple[Any, ...]", values))
    for axis, replacement in zip(places, replacements):
        if not 0 <= axis < len(changed):
            raise Undefined(f"there is no element {axis} of {len(changed)}")
        changed[axis] = replacement
    return tuple(changed)


def without_items(values: Any, places: Any) -> Any:
    """Returns a list without the elements at some places; a place beyond its end is none."""
    if values is UNKNOWN or places is UNKNOWN:
        return UNKNOWN
    return tuple(value for position, value in enumerate(values) if position not in places)


def combined(others: Any, places: Any, values: Any) -> Any:
    """Returns a list with `values` at `places`, and `others` in order at the places that are left."""
    if others is UNKNOWN or values is UNKNOWN:
        return UNKNOWN
    if len(values) != len(places):
        raise Undefined("lists of different lengths")
    by_axis = dict(zip(places, values))
    count = len(others) + len(values)
    if len(by_axis) < len(places) or any(not 0 <= axis < count for axis in by_axis):
        raise Undefined(f"there are {count} places")
    rest = iter(others)
    return tuple(by_axis[position] if position in by_axis else next(rest) for position in range(count))


def total(values: Any) -> Any:
    """`sum`."""
    sum_: Any = 0
    for value in _listed(values):
        sum_ = add(sum_, value)
    return sum_


def filled(values: Any, otherwise: Any) -> Any:
    """Returns a list, or another one where it is absent or empty."""
    return otherwise if values is None or values == () else values


def is_part(values: Any, whole: Any) -> Truth:
    """Returns whether a list is another one with some elements left out."""
    if UNKNOWN in (values, whole):
        return UNKNOWN
    rest = iter(whole)
    return all(any(equal(value, other) is not False for other in rest) for value in values)


def broadcast_shape(left: Any, right: Any, dimensions: Any) -> Any:
    """Returns the shape to which two shapes are broadcast, the smaller one along `dimensions` of the larger,
    or (None) along the last ones; UNKNOWN where they cannot be."""
    if UNKNOWN in (left, right):
        return UNKNOWN
    small, large = sorted((left, right), key=len)
    places = range(len(large) - len(small), len(large)) if dimensions is None else dimensions
    if len(places) != len(small) or any(not 0 <= axis < len(large) for axis in places):
        return UNKNOWN
    collected = list(large)
    for axis, size in zip(places, small):
        collected[axis] = _wider(large[axis], size)
    return UNKNOWN if UNKNOWN in collected else tuple(collected)


def _wider(left: Any, right: Any) -> Any:
    """Returns the size of a dimension to which two are broadcast."""
    if right == 1 or left == 1:
        return left if right == 1 else right
    return (
        UNKNOWN
        if equal(left, right) is False
        else next((size for size in (left, right) if isinstance(size, int)), left)
    )


def leading(values: Any, value: Any) -> Any:
    """Returns the elements of a list that are before a value."""
    return values[: values.index(value)]


def common_types(lists: Any) -> Any:
    """Returns the types that the values at each place of some lists have in common: a size in which they
    differ is not known, but for the largest that it may be."""
    if lists is UNKNOWN or UNKNOWN in lists:
        return UNKNOWN
    if not lists or any(len(types) != len(lists[0]) for types in lists):
        raise Undefined("no lists, or of different lengths")
    return tuple(map(_common, *lists))


def _common(*types: Any) -> Any:
    first = types[0]
    if not all(isinstance(type_, RankedTensorType) and type_.rank == first.rank for type_ in types):
        return first
    sizes_ = tuple(_common_size(column) for column in zip(*map(sizes, types)))
    return tensor(sizes_, first.element_type)


def _common_size(column: tuple[Any, ...]) -> Any:
    if all(size == column[0] for size in column):
        return column[0]
    ends = [largest(size) for size in column]
    return ANY_SIZE if UNKNOWN in ends else Interval(0, max(ends))


def identical(left: Any, right: Any) -> Truth:
    """Returns whether two types, or lists of types, are the same as they are written."""
    return UNKNOWN if UNKNOWN in (left, right) else left == right


def flat(values: Any) -> Any:
    """Returns the elements of nested lists in one."""
    collected: list[Any] = []
    pending = [values]
    while pending:
        value = pending.pop()
        if value is UNKNOWN:
            return UNKNOWN
        if isinstance(value, tuple):
            pending += reversed(cast("tuple[Any, ...]", value))
        else:
            collected.append(value)
    return tuple(collected)


def is_tensor_value(value: Any) -> Truth:
    """Returns whether an attribute holds numbers (and no axes of a mesh)."""
    return UNKNOWN if value is UNKNOWN else isinstance(value, tuple)


def future_types(value: Any) -> Any:
    """Returns the types of the values that a future refers to."""
    type_ = type_of(value)
    if type_ is UNKNOWN:
        return UNKNOWN
    if not isinstance(type_, FutureType):
        raise Undefined(f"{type_} is no future")
    return type_.types


def given(value: Any, otherwise: Any) -> Any:
    """Returns a value, or another one where it is absent."""
    return otherwise if value is None else value


def group_size(replica_groups: Any, channel_id: Any, use_global_device_ids: Any) -> Any:
    """Returns how many processes a group of a collective has, `dim(process_groups, 1)`: unknown where that
    depends on the grid (cross_replica_and_partition, no list, axes of a mesh)."""
    if (
        not isinstance(replica_groups, tuple)
        or not replica_groups
        or UNKNOWN in (channel_id, use_global_device_ids)
    ):
        return UNKNOWN
    if use_global_device_ids is None and given(channel_id, 0) > 0:
        return UNKNOWN
    row = cast("tuple[Any, ...]", replica_groups)[0]
    return len(cast("tuple[Any, ...]", row)) if isinstance(row, tuple) and row else UNKNOWN


def _listed(values: Any) -> tuple[Any, ...]:
    if not isinstance(values, tuple):
        return (UNKNOWN, UNKNOWN) if values is UNKNOWN else (values,)
    return cast("tuple[Any, ...]", values)


# --- types ---


def element_type(value: Any) -> Any:
    """Returns the element type of a tensor (quantized ones included) or a complex type."""
    type_ = type_of(value)
    if isinstance(type_, RankedTensorType | UnrankedTensorType | ComplexType):
        return type_of(type_.element_type)
    if type_ is UNKNOWN:
        return UNKNOWN
    raise Undefined(f"{type_} has no element type")


def element(value: Any) -> Any:
    """Returns the element type of a tensor; an element type itself."""
    type_ = type_of(value)
    if isinstance(type_, RankedTensorType | UnrankedTensorType):
        return type_of(type_.element_type)
    return type_


def baseline_element_type(value: Any) -> Any:
    """Returns the element type with its scales at 1 and its zero points at 0."""
    element_type = element(value)
    if not isinstance(element_type, QuantizedType):
        return element_type
    count = len(element_type.scales)
    return replace(element_type, scales=(1.0,) * count, zero_points=(0,) * count)


def without_axis(value: Any) -> Any:
    """Returns the element type, quantized along the first dimension where it is along any."""
    element_type = element(value)
    return (
        replace(element_type, axis=0)
        if isinstance(element_type, QuantizedType) and element_type.axis is not None
        else element_type
    )


def baseline_type(value: Any) -> Any:
    """Returns the type with its scales at 1 and its zero points at 0."""
    type_ = type_of(value)
    if isinstance(type_, RankedTensorType):
        return replace(type_, element_type=baseline_element_type(type_))
    return type_


def tensor(sizes_: Any, element_: Any) -> Any:
    """Returns the type of a tensor of a shape and an element type; the ends of intervals are its bounds."""
    if sizes_ is UNKNOWN:
        return UNKNOWN if element_ is UNKNOWN else UnrankedTensorType(element_)
    shape = tuple(size if isinstance(size, int) else None for size in sizes_)
    limits = tuple(size.high if isinstance(size, Interval) else None for size in sizes_)
    bounds = TypeExtensions(limits) if any(limit is not None for limit in limits) else None
    return RankedTensorType(shape, UnknownType() if element_ is UNKNOWN else element_, bounds)


def complex_type(value: Any) -> Any:
    """Returns the complex type whose parts have the element type of a value."""
    return UNKNOWN if value is UNKNOWN else ComplexType(element(value))


def real_type(value: Any) -> Any:
    """Returns the type of the parts of a complex type; any other element type itself."""
    element_type = element(value)
    return element_type.element_type if isinstance(element_type, ComplexType) else element_type


def bitwidth(value: Any) -> Any:
    """Returns how many bits an element has."""
    element_type = element(value)
    if element_type is UNKNOWN:
        return UNKNOWN
    try:
        return bit_width(
            storage_type(element_type) if isinstance(element_type, QuantizedType) else element_type
        )
    except (TypeError, ValueError) as error:
        raise Undefined(str(error)) from error


def is_static(value: Any) -> Truth:
    """Returns whether the sizes of a tensor are all known."""
    sizes = shape(value)
    return UNKNOWN if sizes is UNKNOWN else all(isinstance(size, int) for size in sizes)


def is_static_or_bounded(value: Any) -> Truth:
    """Returns whether the sizes of a tensor are known, but for one that has a bound."""
    sizes = shape(value)
    if sizes is UNKNOWN:
        return UNKNOWN
    open_ = [size for size in sizes if isinstance(size, Interval)]
    return not open_ or (len(open_) == 1 and open_[0].high is not None)


def resized(size: Any, limit: Any) -> Any:
    """What is known of a dimension that is set to a size, where it had another one or a bound: it is at most
    that, and not known before the program runs unless it is all of it."""
    if limit is UNKNOWN:
        return UNKNOWN
    high = largest(limit)
    if high is UNKNOWN:
        return ANY_SIZE
    return high if size == high else Interval(0, high)


def tuple_element_types(value: Any) -> Any:
    """Returns the types of a tuple's elements; raises `Undefined` for any other type."""
    type_ = type_of(value)
    if type_ is UNKNOWN:
        return UNKNOWN
    if not isinstance(type_, TupleType):
        raise Undefined(f"{type_} is no tuple")
    return type_.types


def tuple_type(types: Any) -> Any:
    """Returns the type of a tuple of values of these types."""
    return UNKNOWN if types is UNKNOWN or UNKNOWN in types else TupleType(types)


def input_types(value: Any) -> Any:
    """Returns the types of a function's or region's arguments."""
    function = _function(value)
    return function if function is UNKNOWN else function.inputs


def output_types(value: Any) -> Any:
    """Returns the types that a function or region gives."""
    function = _function(value)
    return function if function is UNKNOWN else function.results


def _function(value: Any) -> Any:
    type_ = type_of(value)
    if type_ is not UNKNOWN and not isinstance(type_, FunctionType):
        raise Undefined(f"{type_} is no function type")
    return type_


def element_test(test: Callable[[Type], bool]) -> Callable[[Any], Truth]:
    """Returns a test of an element type as one of types and placeholders."""

    def apply(value: Any) -> Truth:
        element_type = element(value)
        return UNKNOWN if element_type is UNKNOWN else test(element_type)

    return apply


def type_test(*classes: type) -> Callable[[Any], Truth]:
    """Returns a function that judges whether the type of a value is of one of the classes."""

    def apply(value: Any) -> Truth:
        type_ = type_of(value)
        return UNKNOWN if type_ is UNKNOWN else isinstance(type_, classes)

    return apply


is_bool = element_test(lambda type_: type_ == I1)
is_integer = element_test(lambda type_: isinstance(type_, IntegerType | IndexType) and type_ != I1)
is_unsigned = element_test(lambda type_: isinstance(type_, IntegerType) and type_.is_unsigned)
is_float = element_test(lambda type_: isinstance(type_, FloatType))
is_complex = element_test(lambda type_: isinstance(type_, ComplexType))
is_quantized = element_test(lambda type_: isinstance(type_, QuantizedType))
is_per_axis_quantized = element_test(
    lambda type_: isinstance(type_, QuantizedType) and type_.axis is not None
)
is_sub_channel_quantized = element_test(
    lambda type_: isinstance(type_, QuantizedType) and type_.block_sizes is not None
)
is_per_tensor_quantized = element_test(
    lambda type_: isinstance(type_, QuantizedType) and type_.axis is None and type_.block_sizes is None
)


def is_promotable(one: Any, other: Any) -> Truth:
    """Returns whether an element type can be promoted to another one: alike, and at least as wide."""
    left, right = element(one), element(other)
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    alike = any(test(left) and test(right) for test in (is_bool, is_integer, is_float))
    return both(alike, lambda: bitwidth(left) <= bitwidth(right)) or _widens(left, right)


def is_combinable(one: Any, other: Any) -> Truth:
    """Returns whether the MLIR tools let elements of a type be combined by a region of another type: as
    `is_promotable`, but floats of any width, and booleans among the integers."""
    left, right = element(one), element(other)
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    if isinstance(left, FloatType) and isinstance(right, FloatType):
        return True
    alike = isinstance(left, IntegerType) and isinstance(right, IntegerType)
    return bitwidth(left) <= bitwidth(right) if alike else _widens(left, right)


def _widens(left: Any, right: Any) -> Truth:
    """Returns whether a quantized or complex type can be promoted to another one."""
    alike = (isinstance(left, ComplexType) and isinstance(right, ComplexType)) or (
        isinstance(left, QuantizedType)
        and isinstance(right, QuantizedType)
        and left.expressed_type == right.expressed_type
    )
    return alike and bitwidth(left) <= bitwidth(right)


def is_float_alike(one: Any, other: Any) -> Truth:
    """Returns whether two element types are equal, or both floats."""
    left, right = element(one), element(other)
    if isinstance(left, FloatType) and isinstance(right, FloatType):
        return True
    return equal(left, right)


# --- quantized types ---


def quantized_member(read: Callable[[QuantizedType], Any]) -> Callable[[Any], Any]:
    """Returns a member of a quantized element type."""

    def apply(value: Any) -> Any:
        element_type = element(value)
        if element_type is UNKNOWN:
            return UNKNOWN
        if not isinstance(element_type, QuantizedType):
            raise Undefined(f"{element_type} is not quantized")
        return read(element_type)

    return apply


storage_type = quantized_member(lambda type_: type_.storage_type)
expressed_type = quantized_member(lambda type_: type_.expressed_type)
quantization_dimension = quantized_member(lambda type_: type_.axis)


# --- the rest ---


def is_namespaced_op_name(value: Any) -> Truth:
    """Judges whether a string is the name of an operation with its dialect."""
    return _OP_NAME.fullmatch(value) is not None


def every(function: Callable[..., Any], *lists: Any) -> Truth:
    """Returns whether a condition holds for the elements of lists, side by side."""
    if UNKNOWN in lists:
        return UNKNOWN
    return holds_for_all([function(*items) for items in zip(*lists)])


def elements(value: Any) -> Any:
    """Returns the elements of a vector, those that are not known as UNKNOWN; a list itself."""
    attribute = value_of(value)
    if attribute is not UNKNOWN:
        return attribute
    length = size(value)
    return (UNKNOWN,) * length if isinstance(length, int) else UNKNOWN


def largest(value: Any) -> Any:
    """Returns the largest number that a size may be, UNKNOWN where it has no bound."""
    if isinstance(value, Interval):
        return UNKNOWN if value.high is None else value.high
    return value


def value_of(value: Any) -> Any:
    """Returns what a constant operand holds; UNKNOWN for any other."""
    return value.value if isinstance(value, Placeholder) else value


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    function.__name__: function
    for function in (
        *(axes, baseline_element_type, baseline_type, bitwidth, broadcast_shape, combined, common_types),
        *(complex_type, dim, dims, element_type, elements, filled, flat, future_types, given, group_size),
        *(identical, input_types, is_combinable, is_empty, is_float_alike, is_namespaced_op_name, is_part),
        *(is_permutation, is_promotable, is_sorted, is_static, is_static_or_bounded, is_tensor_value),
        *(is_unique, item, leading, output_types, product, rank, real_type, resized, same, shape, size),
        *(tensor, tuple_element_types, tuple_type, with_items, without_axis, without_items),
    )
} | {
    "all": every,
    "ceil": rounded(math.ceil),
    "expressed_type": expressed_type,
    "floor": rounded(math.floor),
    "is_bool": is_bool,
    "is_complex": is_complex,
    "is_float": is_float,
    "is_integer": is_integer,
    "is_per_axis_quantized": is_per_axis_quantized,
    "is_per_tensor_quantized": is_per_tensor_quantized,
    "is_quantized": is_quantized,
    "is_sub_channel_quantized": is_sub_channel_quantized,
    "is_tensor": type_test(RankedTensorType, UnrankedTensorType),
    "is_token": type_test(TokenType),
    "is_tuple": type_test(TupleType),
    "is_unsigned": is_unsigned,
    "max": maximum,
    "min": minimum,
    "quantization_dimension": quantization_dimension,
    "range": numbers_below,
    "scales": quantized_member(lambda type_: type_.scales),
    "storage_max": quantized_member(lambda type_: type_.storage_max),
    "storage_min": quantized_member(lambda type_: type_.storage_min),
    "storage_type": storage_type,
    "sum": total,
    "type": type_of,
    "value": value_of,
    "zero_points": quantized_member(lambda type_: type_.zero_points),
}
"""By name. An operation's own name is added by who evaluates formulas about values."""
