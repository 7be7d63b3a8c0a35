"""Attributes that operations write in ways of their own: ranges, dimension numbers, precision, windows,
constants."""

from __future__ import annotations

import re

import numpy as np

from shlo.dialects import find_dialect
from shlo.dialects.opdef import AttrDef
from shlo.dialects.stablehlo.attributes import ConvDimensionNumbers, DotDimensionNumbers, Int64s
from shlo.ir.attributes import ArrayAttr, Attribute, DenseArrayAttr, EnumAttr, IntegerAttr, OpaqueAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.source import Span
from shlo.ir.types import I32, I64, RankedTensorType
from shlo.syntax.assembly_format.attributes import attribute_form_text, read_attribute_form, read_enum
from shlo.syntax.assembly_format.directives.registry import Directive, Directives
from shlo.syntax.assembly_format.directives.types import value_type
from shlo.syntax.assembly_format.fields import read_int64s
from shlo.syntax.assembly_format.parse_state import FormReading
from shlo.syntax.assembly_format.print_state import FormWriting
from shlo.syntax.dialects.attributes import parse_struct, struct_text
from shlo.syntax.dialects.convolution_dimensions import (
    convolution_dimensions_text,
    parse_convolution_dimensions,
)
from shlo.syntax.lexer.cursor import Reader
from shlo.syntax.parser.attributes import parse_attribute, parse_attribute_dict

PRECISION = "stablehlo.precision"
EXPONENT_MANTISSA = re.compile(r"e([0-9]{1,9})m([0-9]{1,9})\b", re.ASCII)


# -- slice ---------------------------------------------------------------------------------------------------

RANGES = ("start_indices", "limit_indices", "strides")


def _read_slice_ranges(reading: FormReading) -> None:
    """`[start:limit, start:limit:stride]`."""
    reader = reading.reader
    start = reader.skip()
    reader.expect("[", "before the ranges of the slice")
    ranges = reader.comma_list(lambda: _read_range(reader), "]")
    for index, name in enumerate(RANGES):
        values = tuple(each[index] for each in ranges)
        reading.set_attribute(name, DenseArrayAttr(I64, values), start)


def _read_range(reader: Reader) -> tuple[int, int, int]:
    start = reader.expect_integer("where the slice starts")
    reader.expect(":")
    limit = reader.expect_integer("where the slice ends")
    stride = reader.expect_integer("the stride") if reader.accept(":") else 1
    return start, limit, stride


def _write_slice_ranges(writing: FormWriting) -> None:
    columns = [writing.integers(name) for name in RANGES]
    ranges = [
        f"{start}:{limit}" + (f":{stride}" if stride != 1 else "") for start, limit, stride in zip(*columns)
    ]
    writing.text(f"[{', '.join(ranges)}]")


# -- dot_general ---------------------------------------------------------------------------------------------


def _read_dot_dimensions(reading: FormReading) -> None:
    """`batching_dims = [0] x [0], contracting_dims = [2] x [1]`; the former may be left out."""
    reader = reading.reader
    start = reader.skip()
    batching: tuple[Int64s, Int64s] = ((), ())
    if reader.accept("batching_dims"):
        batching = _read_dimension_pair(reader)
        reader.expect(",")
    reader.expect("contracting_dims")
    numbers = DotDimensionNumbers(*batching, *_read_dimension_pair(reader))
    reading.set_attribute("dot_dimension_numbers", numbers, start)


def _read_dimension_pair(reader: Reader) -> tuple[Int64s, Int64s]:
    reader.expect("=")
    lhs = reader.integer_list()
    reader.expect("x", "between the dimensions of both sides")
    return lhs, reader.integer_list()


def _write_dot_dimensions(writing: FormWriting) -> None:
    numbers = writing.signature.properties.get("dot_dimension_numbers")
    if not isinstance(numbers, DotDimensionNumbers):
        return
    if numbers.lhs_batching_dimensions or numbers.rhs_batching_dimensions:
        pair = _pair_text(numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions)
        writing.text(f"batching_dims = {pair}, ")
    pair = _pair_text(numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions)
    writing.text(f"contracting_dims = {pair}")


def _pair_text(lhs: Int64s, rhs: Int64s) -> str:
    return f"{list(lhs)} x {list(rhs)}"


def _read_precision(reading: FormReading) -> None:
    """`, precision = [DEFAULT, HIGHEST]`, or nothing."""
    if reading.reader.accept(","):
        _read_precision_list(reading)


def _read_precision_list(reading: FormReading) -> None:
    reader = reading.reader
    start = reader.skip()
    reader.expect("precision")
    reader.expect("=")
    reader.expect("[")
    words: list[Attribute] = list(reader.comma_list(lambda: read_enum(reader, PRECISION), "]"))
    reading.set_attribute("precision_config", ArrayAttr(tuple(words)), start)


def _write_precision(writing: FormWriting) -> None:
    config = writing.signature.properties.get("precision_config")
    if isinstance(config, ArrayAttr):
        words = [each.value if isinstance(each, EnumAttr) else str(each) for each in config]
        writing.text(f", precision = [{', '.join(words)}]")


def _read_precision_and_algorithm(reading: FormReading) -> None:
    """`, precision = [...], algorithm = <...>`, of which each may be left out."""
    reader = reading.reader
    if not reader.accept(","):
        return
    if not reader.at("algorithm"):
        _read_precision_list(reading)
        if not reader.accept(","):
            return
    reader.expect("algorithm")
    reader.expect("=")
    reading.keep("algorithm", lambda: parse_struct(reader, _struct("dot_algorithm")))


def _write_precision_and_algorithm(writing: FormWriting) -> None:
    _write_precision(writing)
    algorithm = writing.signature.properties.get("algorithm")
    if algorithm is not None:
        writing.text(f", algorithm = {struct_text(algorithm, _struct('dot_algorithm'))}")


def _struct(mnemonic: str) -> AttrDef:
    dialect = find_dialect("stablehlo")
    assert dialect is not None
    return dialect.structs[mnemonic]


# -- convolution ---------------------------------------------------------------------------------------------


def _read_convolution_dimensions(reading: FormReading) -> None:
    """`[b, 0, f]x[0, i, o]->[b, 0, f]`."""
    reading.keep("dimension_numbers", lambda: parse_convolution_dimensions(reading.reader))


def _write_convolution_dimensions(writing: FormWriting) -> None:
    numbers = writing.signature.properties.get("dimension_numbers")
    if isinstance(numbers, ConvDimensionNumbers):
        writing.text(convolution_dimensions_text(numbers))


WINDOW = {
    "stride": "window_strides",
    "pad": "padding",
    "lhs_dilate": "lhs_dilation",
    "rhs_dilate": "rhs_dilation",
    "reverse": "window_reversal",
}
"""The words of a convolution's window, and the attributes that they stand for."""


def _read_window(reading: FormReading) -> None:
    """Words of WINDOW, `stride = [1, 1], pad = [[0, 1], [2, 3]], ...`; a comma may end them."""
    reader = reading.reader
    while not reader.at("}"):
        _read_window_attribute(reading)
        if not reader.accept(","):
            return


def _read_window_attribute(reading: FormReading) -> None:
    reader = reading.reader
    start = reader.skip()
    word = reader.word()
    if word not in WINDOW:
        reader.fail(f"expected one of {', '.join(WINDOW)}", Span(start, max(reader.pos, start + 1)))
    reader.expect("=")
    if word == "pad":
        reading.keep("padding", lambda: _read_padding(reader))
    else:
        spec = reading.spec(WINDOW[word])
        reading.keep(spec.name, lambda: read_attribute_form(reader, reading.op_def, spec))


def _read_padding(reader: Reader) -> Attribute:
    start = reader.skip()
    reader.expect("[")
    pairs = reader.comma_list(lambda: read_int64s(reader), "]")
    if any(len(pair) != 2 for pair in pairs):
        reader.fail("each dimension is padded with two numbers", Span(start, reader.pos))
    type_ = RankedTensorType((len(pairs), 2), I64)
    return DenseElementsAttr(type_, np.array(pairs, np.int64).reshape(len(pairs), 2))


def _write_window(writing: FormWriting) -> None:
    parts: list[str] = []
    for word, name in WINDOW.items():
        attribute = writing.signature.properties.get(name)
        spec = writing.op_def.attribute(name)
        if attribute is not None and spec is not None:
            text = (
                _padding_text(attribute)
                if word == "pad"
                else attribute_form_text(attribute, writing.op_def, spec)
            )
            parts.append(f"{word} = {text}")
    writing.text(", ".join(parts))


def _padding_text(padding: Attribute) -> str:
    return str(padding.array.tolist()) if isinstance(padding, DenseElementsAttr) else str(padding)


# -- reduce_precision ----------------------------------------------------------------------------------------


def _read_exponent_mantissa(reading: FormReading) -> None:
    """`e5m10`."""
    match = reading.reader.match(EXPONENT_MANTISSA)
    if not match:
        reading.reader.fail(f"expected a format such as e5m10, but found {reading.reader.found()}")
    for name, digits in zip(("exponent_bits", "mantissa_bits"), match.groups()):
        reading.set_attribute(name, IntegerAttr(int(digits), I32), match.start())


def _write_exponent_mantissa(writing: FormWriting) -> None:
    exponent, mantissa = (
        writing.signature.properties.get(name) for name in ("exponent_bits", "mantissa_bits")
    )
    if isinstance(exponent, IntegerAttr) and isinstance(mantissa, IntegerAttr):
        writing.text(f"e{exponent.value}m{mantissa.value}")


# -- constant ------------------------------------------------------------------------------------------------


def _read_constant(reading: FormReading) -> None:
    """`{...} dense<...> : T`, or `() <{value = ...}> {...} : () -> T` where the result's type is another
    one."""
    reader = reading.reader
    if reader.accept("("):
        _read_generic_constant(reading)
        return
    reading.attribute_dict()
    start = reader.skip()
    reader.quantized_type = None
    reading.keep("value", lambda: parse_attribute(reader))
    value = reading.attributes["value"]
    type_ = None if isinstance(value, OpaqueAttr) else reader.quantized_type or value_type(value)
    if type_ is None:
        reader.fail("expected elements with their type", Span(start, reader.pos))
    reading.set_types((), (type_,), start)


def _read_generic_constant(reading: FormReading) -> None:
    reader = reading.reader
    reader.expect(")")
    if reader.accept("<"):
        reading.attributes.update(parse_attribute_dict(reader))
        reader.expect(">")
    reading.attribute_dict()
    reader.expect(":")
    reading.set_function_type()


def _write_constant(writing: FormWriting) -> None:
    value = writing.signature.properties.get("value")
    if value is not None and writing.signature.result_types == (value_type(value),):
        writing.attribute_dict()
        writing.text(" ")
        writing.attribute(value)
        return
    writing.text("()")
    writing.properties()
    writing.dictionary(writing.signature.attributes)
    writing.text(" : ")
    writing.function_type()


DIRECTIVES: Directives = {
    "slice_ranges": Directive(_read_slice_ranges, _write_slice_ranges, RANGES),
    "dot_dimension_numbers": Directive(
        _read_dot_dimensions, _write_dot_dimensions, ("dot_dimension_numbers",)
    ),
    "precision_config": Directive(_read_precision, _write_precision, ("precision_config",), blank=False),
    "precision_config_and_algorithm": Directive(
        _read_precision_and_algorithm,
        _write_precision_and_algorithm,
        ("precision_config", "algorithm"),
        blank=False,
    ),
    "convolution_dimensions": Directive(
        _read_convolution_dimensions, _write_convolution_dimensions, ("dimension_numbers",)
    ),
    "window_attributes": Directive(_read_window, _write_window, tuple(WINDOW.values())),
    "exponent_mantissa": Directive(
        _read_exponent_mantissa, _write_exponent_mantissa, ("exponent_bits", "mantissa_bits")
    ),
    "constant": Directive(_read_constant, _write_constant, ("value",), blank=False),
}
