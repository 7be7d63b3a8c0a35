"""Attributes with forms of their own: ranges, dimension numbers, precision, windows, constants."""

from __future__ import annotations

import re
from functools import partial

import numpy as np

from shlo.dialects.stablehlo.enums import PRECISION
from shlo.dialects.stablehlo.structs import DOT_ALGORITHM
from shlo.dialects.struct_attributes import ConvDimensionNumbers, DotDimensionNumbers, Int64s
from shlo.ir.attributes import ArrayAttr, Attribute, DenseArrayAttr, EnumAttr, IntegerAttr, OpaqueAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.source import Span
from shlo.ir.types import I32, I64, RankedTensorType
from shlo.syntax.assembly_format.attributes import attribute_form_text, parse_attribute_form, parse_enum
from shlo.syntax.assembly_format.directives.registry import Directive, Directives
from shlo.syntax.assembly_format.directives.types import value_type
from shlo.syntax.assembly_format.parse_state import ParseState
from shlo.syntax.assembly_format.print_state import PrintState
from shlo.syntax.attributes.parse import parse_attribute, parse_attribute_dict
from shlo.syntax.dialects.attributes import parse_struct, struct_text
from shlo.syntax.dialects.convolution_dimensions import (
    convolution_dimensions_text,
    parse_convolution_dimensions,
)
from shlo.syntax.dialects.params import parse_int64s
from shlo.syntax.lexer.cursor import Cursor

EXPONENT_MANTISSA = re.compile(r"e([0-9]{1,9})m([0-9]{1,9})\b", re.ASCII)


# -- slice ---------------------------------------------------------------------------------------------------

RANGES = ("start_indices", "limit_indices", "strides")


def _parse_slice_ranges(state: ParseState) -> None:
    """`[start:limit, start:limit:stride]`."""
    cursor = state.cursor

    def parse_range() -> tuple[int, int, int]:
        first = cursor.expect_integer("where the slice starts")
        cursor.expect(":")
        limit = cursor.expect_integer("where the slice ends")
        return first, limit, cursor.expect_integer("the stride") if cursor.accept(":") else 1

    start = cursor.skip()
    cursor.expect("[", "before the ranges of the slice")
    ranges = cursor.comma_list(parse_range, "]")
    for index, name in enumerate(RANGES):
        values = tuple(range_[index] for range_ in ranges)
        state.set_attribute(name, DenseArrayAttr(I64, values), start)


def _print_slice_ranges(state: PrintState) -> None:
    columns = [state.integers(name) for name in RANGES]
    ranges = [
        f"{start}:{limit}" + (f":{stride}" if stride != 1 else "") for start, limit, stride in zip(*columns)
    ]
    state.add(f"[{', '.join(ranges)}]")


# -- dot_general ---------------------------------------------------------------------------------------------


def _parse_dot_dimension_numbers(cursor: Cursor) -> DotDimensionNumbers:
    batching: tuple[Int64s, Int64s] = ((), ())
    if cursor.accept("batching_dims"):
        batching = _parse_dimension_pair(cursor)
        cursor.expect(",")
    cursor.expect("contracting_dims")
    return DotDimensionNumbers(*batching, *_parse_dimension_pair(cursor))


def _parse_dimension_pair(cursor: Cursor) -> tuple[Int64s, Int64s]:
    cursor.expect("=")
    lhs = cursor.integer_list()
    cursor.expect("x", "between the dimensions of both sides")
    return lhs, cursor.integer_list()


def _print_dot_dimensions(state: PrintState) -> None:
    numbers = state.signature.properties.get("dot_dimension_numbers")
    if not isinstance(numbers, DotDimensionNumbers):
        return
    lhs, rhs = list(numbers.lhs_batching_dimensions), list(numbers.rhs_batching_dimensions)
    if lhs or rhs:
        state.add(f"batching_dims = {lhs} x {rhs}, ")
    lhs, rhs = list(numbers.lhs_contracting_dimensions), list(numbers.rhs_contracting_dimensions)
    state.add(f"contracting_dims = {lhs} x {rhs}")


def _parse_precision(state: ParseState) -> None:
    """`, precision = [DEFAULT, HIGHEST]`, or nothing."""
    if state.cursor.accept(","):
        state.keep("precision_config", lambda: _parse_precision_list(state.cursor))


def _parse_precision_list(cursor: Cursor) -> Attribute:
    cursor.expect("precision")
    cursor.expect("=")
    cursor.expect("[")
    words: list[Attribute] = list(cursor.comma_list(lambda: parse_enum(cursor, PRECISION), "]"))
    return ArrayAttr(tuple(words))


def _print_precision(state: PrintState) -> None:
    config = state.signature.properties.get("precision_config")
    if isinstance(config, ArrayAttr):
        words = [word.value if isinstance(word, EnumAttr) else str(word) for word in config]
        state.add(f", precision = [{', '.join(words)}]")


def _parse_precision_and_algorithm(state: ParseState) -> None:
    """`, precision = [...], algorithm = <...>`, of which each may be left out."""
    cursor = state.cursor
    if not cursor.accept(","):
        return
    if cursor.at("precision") or not cursor.at("algorithm"):
        state.keep("precision_config", lambda: _parse_precision_list(cursor))
        if not cursor.accept(","):
            return
    cursor.expect("algorithm")
    cursor.expect("=")
    state.keep("algorithm", lambda: parse_struct(cursor, DOT_ALGORITHM))


def _print_precision_and_algorithm(state: PrintState) -> None:
    _print_precision(state)
    algorithm = state.signature.properties.get("algorithm")
    if algorithm is not None:
        state.add(f", algorithm = {struct_text(algorithm, DOT_ALGORITHM)}")


# -- convolution ---------------------------------------------------------------------------------------------


def _print_convolution_dimensions(state: PrintState) -> None:
    numbers = state.signature.properties.get("dimension_numbers")
    if isinstance(numbers, ConvDimensionNumbers):
        state.add(convolution_dimensions_text(numbers))


WINDOW = {
    "stride": "window_strides",
    "pad": "padding",
    "lhs_dilate": "lhs_dilation",
    "rhs_dilate": "rhs_dilation",
    "reverse": "window_reversal",
}
"""The words of a convolution's window, and the attributes that they refer to."""


def _parse_window(state: ParseState) -> None:
    """Words of WINDOW, `stride = [1, 1], pad = [[0, 1], [2, 3]], ...`; a comma may end them."""
    cursor = state.cursor
    while not cursor.at("}"):
        word = next((word for word in WINDOW if cursor.accept(word)), None)
        if word is None:
            start = cursor.skip()
            cursor.word()
            cursor.fail(f"expected one of {', '.join(WINDOW)}", Span(start, max(cursor.pos, start + 1)))
        cursor.expect("=")
        spec = state.spec(WINDOW[word])
        if word == "pad":
            state.keep(spec.name, partial(_parse_padding, cursor))
        else:
            state.keep(spec.name, partial(parse_attribute_form, cursor, spec))
        if not cursor.accept(","):
            return


def _parse_padding(cursor: Cursor) -> Attribute:
    start = cursor.skip()
    cursor.expect("[")
    pairs = cursor.comma_list(lambda: parse_int64s(cursor), "]")
    if any(len(pair) != 2 for pair in pairs):
        cursor.fail("each dimension is padded with two numbers", Span(start, cursor.pos))
    type_ = RankedTensorType((len(pairs), 2), I64)
    return DenseElementsAttr(type_, np.array(pairs, np.int64).reshape(len(pairs), 2))


def _print_window(state: PrintState) -> None:
    parts: list[str] = []
    for word, name in WINDOW.items():
        attribute = state.signature.properties.get(name)
        spec = state.op_def.attribute(name)
        if attribute is not None and spec is not None:
            text = attribute_form_text(attribute, spec)
            if word == "pad" and isinstance(attribute, DenseElementsAttr):
                text = str(attribute.array.tolist())
            parts.append(f"{word} = {text}")
    state.add(", ".join(parts))


# -- reduce_precision ----------------------------------------------------------------------------------------


def _parse_exponent_mantissa(state: ParseState) -> None:
    """`e5m10`."""
    match = state.cursor.match(EXPONENT_MANTISSA)
    if not match:
        state.cursor.fail_expected("a format such as e5m10")
    for name, digits in zip(("exponent_bits", "mantissa_bits"), match.groups()):
        state.set_attribute(name, IntegerAttr(int(digits), I32), match.start())


def _print_exponent_mantissa(state: PrintState) -> None:
    exponent, mantissa = (state.signature.properties.get(name) for name in ("exponent_bits", "mantissa_bits"))
    if isinstance(exponent, IntegerAttr) and isinstance(mantissa, IntegerAttr):
        state.add(f"e{exponent.value}m{mantissa.value}")


# -- constant ------------------------------------------------------------------------------------------------


def _parse_constant(state: ParseState) -> None:
    """`{...} dense<...> : T`, or `() <{value = ...}> {...} : () -> T` where the result has another type."""
    cursor = state.cursor
    if cursor.accept("("):
        cursor.expect(")")
        if cursor.accept("<"):
            state.attributes.update(parse_attribute_dict(cursor, "operation"))
            cursor.expect(">")
        state.attribute_dict()
        cursor.expect(":")
        state.set_function_type()
        return
    state.attribute_dict()
    start = cursor.skip()
    cursor.quantized_type = None
    state.keep("value", lambda: parse_attribute(cursor))
    value = state.attributes["value"]
    type_ = None if isinstance(value, OpaqueAttr) else cursor.quantized_type or value_type(value)
    if type_ is None:
        cursor.fail("expected elements with their type", Span(start, cursor.pos))
    state.set_types((), (type_,), start)


def _print_constant(state: PrintState) -> None:
    value = state.signature.properties.get("value")
    if value is not None and state.signature.result_types == (value_type(value),):
        state.add(state.attribute_dict(), " ", state.attribute(value))
    else:
        attributes = state.dictionary(state.signature.attributes)
        state.add("()", state.properties(), attributes, " : ", state.function_type())


DIRECTIVES: Directives = {
    "slice_ranges": Directive(_parse_slice_ranges, _print_slice_ranges, RANGES),
    "dot_dimension_numbers": Directive(
        lambda state: state.keep("dot_dimension_numbers", lambda: _parse_dot_dimension_numbers(state.cursor)),
        _print_dot_dimensions,
        ("dot_dimension_numbers",),
        words=dict.fromkeys(("batching_dims", "contracting_dims"), "dot_dimension_numbers"),
    ),
    "precision_config": Directive(
        _parse_precision,
        _print_precision,
        ("precision_config",),
        blank=False,
        words={"precision": "precision_config"},
    ),
    "precision_config_and_algorithm": Directive(
        _parse_precision_and_algorithm,
        _print_precision_and_algorithm,
        ("precision_config", "algorithm"),
        blank=False,
        words={"precision": "precision_config", "algorithm": "algorithm"},
    ),
    "convolution_dimensions": Directive(
        lambda state: state.keep("dimension_numbers", lambda: parse_convolution_dimensions(state.cursor)),
        _print_convolution_dimensions,
        ("dimension_numbers",),
        words={"dimension_numbers": "dimension_numbers"},
    ),
    "window_attributes": Directive(_parse_window, _print_window, tuple(WINDOW.values()), words=WINDOW),
    "exponent_mantissa": Directive(
        _parse_exponent_mantissa, _print_exponent_mantissa, ("exponent_bits", "mantissa_bits")
    ),
    "constant": Directive(_parse_constant, _print_constant, ("value",), blank=False),
}
