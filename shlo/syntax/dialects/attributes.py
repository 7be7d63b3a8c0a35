"""Attributes of dialects with definitions, both directions: words of enumerations, and attributes with
fields.

Most are lists of fields that their definition describes; those that are written in a way of their own have a
pair of functions in `CUSTOM`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from shlo.dialects import DIALECT_MODULES, find_dialect
from shlo.dialects.opdef import AttrDef, AttrParam, EnumDef
from shlo.dialects.stablehlo.attributes import (
    Mesh,
    MeshAxis,
    ResultAccuracy,
    SubAxisInfo,
    TypeExtensions,
)
from shlo.dialects.vhlo.dialect import VhloTensor
from shlo.ir.attributes import Attribute, EnumAttr
from shlo.ir.floats import bits_from_float, float_from_bits
from shlo.ir.source import Span
from shlo.ir.types import F64
from shlo.syntax.assembly_format.fields import FIELD_FORMS, FieldForm, full_or_short, read_any, read_int64
from shlo.syntax.dialects import sdy as shardy
from shlo.syntax.dialects import sdy_edges as shardy_edges
from shlo.syntax.dialects import sdy_rules as shardy_rules
from shlo.syntax.dialects.convolution_dimensions import (
    convolution_dimensions_text,
    parse_convolution_dimensions,
    parse_raw_convolution_dimensions,
)
from shlo.syntax.dialects.symbols import DialectSymbol, dotted_or_wrapped, read_mnemonic
from shlo.syntax.lexer.cursor import Reader
from shlo.syntax.parser.numbers import expect_literal, float_bits
from shlo.syntax.parser.types import CLOSED_DIALECTS
from shlo.syntax.printer.numbers import float_text


def parse_dialect_attribute(reader: Reader, symbol: DialectSymbol, span: Span) -> Attribute | None:
    """The attribute that a symbol writes, None where its dialect's attributes are not known here."""
    dialect = find_dialect(symbol.dialect)
    mnemonic = read_mnemonic(reader, symbol)
    struct = dialect.structs.get(mnemonic) if dialect else None
    enum = dialect.enums.get(mnemonic) if dialect else None
    if struct is None and enum is None:
        if symbol.dialect in CLOSED_DIALECTS:
            reader.fail(f"the dialect '{symbol.dialect}' has no attribute '{mnemonic}'", span)
        reader.pos = symbol.end
        return None
    attribute = parse_struct(reader, struct) if struct else _enum(reader, symbol.dialect, enum)
    if symbol.wrapped:
        reader.expect(">", "after an attribute of a dialect")
    if reader.pos != symbol.end:
        reader.fail(f"expected the end of the attribute, but found {reader.found()}")
    return attribute


def dialect_attribute_text(attribute: Attribute) -> str:
    """An attribute with fields as MLIR prints it."""
    dialect, op_def = attr_defs()[type(attribute)]
    return f"#{dialect}{dotted_or_wrapped(op_def.mnemonic + struct_text(attribute, op_def))}"


def enum_text(attribute: EnumAttr) -> str:
    """A word of an enumeration as MLIR prints it."""
    dialect = find_dialect(attribute.dialect)
    op_def = dialect.enums.get(attribute.enum) if dialect else None
    word = f"<{attribute.value}>" if op_def and op_def.dotted else f" {attribute.value}"
    return f"#{attribute.dialect}{dotted_or_wrapped(attribute.enum + word)}"


@cache
def attr_defs() -> dict[object, tuple[str, AttrDef]]:
    """The dialect and definition of each class of attribute with fields."""
    op_defs: dict[object, tuple[str, AttrDef]] = {}
    for name in DIALECT_MODULES:
        dialect = find_dialect(name)
        for op_def in dialect.structs.values() if dialect else ():
            op_defs.setdefault(op_def.cls, (name, op_def))
    return op_defs


# -- enumerations --------------------------------------------------------------------------------------------


def _enum(reader: Reader, dialect: str, op_def: EnumDef | None) -> Attribute:
    assert op_def is not None
    is_dotted = op_def.dotted or (reader.context.reads_mhlo and reader.at("<"))  # MHLO has both forms
    if is_dotted:
        reader.expect("<", f"after '{op_def.mnemonic}'")
    start = reader.skip()
    word = reader.word()
    if word not in op_def.words:
        reader.pos = start
        reader.fail(f"expected one of {', '.join(op_def.words)}, but found {reader.found()}")
    if is_dotted:
        reader.expect(">", f"after the word of '{op_def.mnemonic}'")
    return EnumAttr(dialect, op_def.mnemonic, word)


# -- fields --------------------------------------------------------------------------------------------------


def parse_struct(reader: Reader, op_def: AttrDef) -> Attribute:
    """Reads what follows the mnemonic of an attribute with fields."""
    if op_def.custom is not None and not CUSTOM[op_def.custom].bracketed:
        return _body(reader, op_def)
    reader.expect("<", f"after '{op_def.mnemonic}'")
    attribute = _body(reader, op_def)
    reader.expect(">", f"at the end of '{op_def.mnemonic}'")
    return attribute


def parse_struct_form(reader: Reader, dialect: str, mnemonic: str) -> Attribute:
    """Reads an attribute with fields as formats write it: what follows its mnemonic, or all of it."""
    op_def = _attr_def(dialect, mnemonic)
    assert isinstance(op_def.cls, type)
    return full_or_short(reader, op_def.cls, f"{dialect}.{mnemonic}", lambda: parse_struct(reader, op_def))


def parse_struct_body(reader: Reader, dialect: str, mnemonic: str) -> Attribute:
    """Reads an attribute with fields as it stands between its angle brackets."""
    return _body(reader, _attr_def(dialect, mnemonic))


def struct_body(attribute: Attribute) -> str:
    """An attribute with fields as it stands between its angle brackets."""
    return _body_text(attribute, attr_defs()[type(attribute)][1])


def _body(reader: Reader, op_def: AttrDef) -> Attribute:
    return CUSTOM[op_def.custom].read(reader) if op_def.custom is not None else _fields(reader, op_def)


def _fields(reader: Reader, op_def: AttrDef) -> Attribute:
    start = reader.pos
    values: dict[str, Any] = {}
    fields = {field.name: field for field in op_def.fields}
    is_lenient = all(field.default is not None for field in op_def.fields)
    while not (is_lenient and reader.at(">")):
        expected = op_def.fields[len(values)].name if op_def.ordered and len(values) < len(fields) else None
        _field(reader, fields, values, expected)
        if not reader.accept(","):
            break
    for field in op_def.fields:
        if field.default is None and not field.optional and field.name not in values:
            reader.fail(
                f"the field '{field.name}' of '{op_def.mnemonic}' is missing", Span(start, reader.pos)
            )
    return op_def.cls(**values)


def _field(
    reader: Reader, fields: dict[str, AttrParam], values: dict[str, Any], expected: str | None
) -> None:
    start = reader.skip()
    name = reader.word()
    if name is None or name not in fields or expected not in (None, name):
        reader.pos = start
        reader.fail(f"expected {expected or 'one of ' + ', '.join(fields)}, but found {reader.found()}")
    if name in values:
        reader.fail(f"the field '{name}' is given twice", Span(start, reader.pos))
    reader.expect("=", f"after '{name}'")
    kind, _, detail = fields[name].kind.partition(":")
    values[name] = FIELDS[kind].read(reader, detail)


def struct_text(attribute: Attribute, op_def: AttrDef) -> str:
    """What follows the mnemonic of an attribute with fields."""
    body = _body_text(attribute, op_def)
    return body if op_def.custom is not None and not CUSTOM[op_def.custom].bracketed else f"<{body}>"


def _body_text(attribute: Attribute, op_def: AttrDef) -> str:
    if op_def.custom is not None:
        return CUSTOM[op_def.custom].text(attribute)
    parts: list[str] = []
    for field in op_def.fields:
        value = getattr(attribute, field.name)
        kind, _, detail = field.kind.partition(":")
        if value != field.default:
            parts.append(f"{field.name} = {FIELDS[kind].text(value, detail)}")
    return ", ".join(parts)


def _attr_def(dialect_name: str, mnemonic: str) -> AttrDef:
    dialect = find_dialect(dialect_name)
    assert dialect is not None
    return dialect.structs[mnemonic]


def _read_struct(reader: Reader, detail: str) -> Attribute:
    return parse_struct_form(reader, "stablehlo", detail)


def _struct_text(value: Attribute, detail: str) -> str:
    return struct_text(value, _attr_def("stablehlo", detail))


FIELDS = FIELD_FORMS | {"struct": FieldForm(_read_struct, _struct_text)}
"""How the kinds of fields are written."""


# -- attributes written in a way of their own ----------------------------------------------------------------


class CustomForm(NamedTuple):
    """How an attribute is read and written that is no list of fields, without the brackets around it, if
    any."""

    read: Callable[[Reader], Attribute]
    text: Callable[[Any], str]
    bracketed: bool = True


def _read_convolution(reader: Reader) -> Attribute:
    is_raw = reader.accept("raw")
    return parse_raw_convolution_dimensions(reader) if is_raw else parse_convolution_dimensions(reader)


def _read_accuracy(reader: Reader) -> Attribute:
    tolerances: dict[str, Any] = {}
    for name, read in (("atol", _read_tolerance), ("rtol", _read_tolerance), ("ulps", _read_ulps)):
        if reader.accept(name):
            reader.expect("=", f"after '{name}'")
            tolerances[name] = read(reader)
            reader.expect(",", f"after '{name}'")
    reader.expect("mode", "for how accuracy is meant")
    reader.expect("=", "after 'mode'")
    start = reader.skip()
    mode = read_any(reader)
    if not (isinstance(mode, EnumAttr) and mode.enum == "result_accuracy_mode"):
        reader.fail("expected a word of result_accuracy_mode", Span(start, reader.pos))
    return ResultAccuracy(**tolerances, mode=mode.value)  # type: ignore[arg-type]


def _read_tolerance(reader: Reader) -> float:
    literal = expect_literal(reader)
    value = float_from_bits(float_bits(reader, literal, F64), F64)
    if not value >= 0:
        reader.fail("a tolerance is not negative", literal.span)
    return value


def _read_ulps(reader: Reader) -> int:
    start = reader.skip()
    value = read_int64(reader)
    if value < 0:
        reader.fail("a tolerance is not negative", Span(start, reader.pos))
    return value


def _accuracy_text(attribute: ResultAccuracy) -> str:
    parts = [
        f"{name} = {float_text(bits_from_float(value, F64), F64)}"
        for name, value in (("atol", attribute.atol), ("rtol", attribute.rtol))
        if value
    ]
    if attribute.ulps:
        parts.append(f"ulps = {attribute.ulps}")
    mode = enum_text(EnumAttr("stablehlo", "result_accuracy_mode", attribute.mode))
    return ", ".join([*parts, f"mode = {mode}"])


def _read_bound(reader: Reader) -> int | None:
    return None if reader.accept("?") else read_int64(reader)


def _read_bounds(reader: Reader) -> Attribute:
    if reader.at(">"):
        return TypeExtensions()
    bounds = [_read_bound(reader)]
    while reader.accept(","):
        bounds.append(_read_bound(reader))
    return TypeExtensions(tuple(bounds))


def _bounds_text(attribute: TypeExtensions) -> str:
    return ", ".join("?" if bound is None else str(bound) for bound in attribute.bounds)


def _read_extensions(reader: Reader) -> Attribute:
    reader.expect("bounds")
    reader.expect("=", "after 'bounds'")
    reader.expect("[", "before the bounds")
    return TypeExtensions(tuple(reader.comma_list(lambda: _read_bound(reader), "]")))


def _read_sub_axis(reader: Reader) -> Attribute:
    reader.expect("(", "before what stands in front of a part of an axis")
    pre_size = read_int64(reader)
    reader.expect(")", "before the size of a part of an axis")
    return SubAxisInfo(pre_size, read_int64(reader))


def _sub_axis_text(attribute: SubAxisInfo) -> str:
    return f"({attribute.pre_size}){attribute.size}"


def _read_mesh(reader: Reader) -> Attribute:
    reader.expect("axes")
    reader.expect("=", "after 'axes'")
    reader.expect("[", "before the axes")
    axes = [_read_axis(reader)]
    while reader.accept(","):
        axes.append(_read_axis(reader))
    reader.expect("]", "after the axes")
    devices = None
    if reader.accept(","):
        reader.expect("device_ids")
        reader.expect("=", "after 'device_ids'")
        devices = read_any(reader)
    return Mesh(tuple(axes), devices)


def _read_axis(reader: Reader) -> MeshAxis:
    start = reader.skip()
    axis = parse_struct(reader, _attr_def("stablehlo", "mesh_axis")) if reader.at("<") else read_any(reader)
    if not isinstance(axis, MeshAxis):
        reader.fail("expected an axis '<name = ..., size = ...>'", Span(start, reader.pos))
    return axis


def _mesh_text(attribute: Mesh) -> str:
    axes = ", ".join(struct_text(axis, _attr_def("stablehlo", "mesh_axis")) for axis in attribute.axes)
    devices = "" if attribute.device_ids is None else f", device_ids={attribute.device_ids}"
    return f"axes=[{axes}]{devices}"


def _read_vhlo_tensor(reader: Reader) -> Attribute:
    return VhloTensor(read_any(reader))


def _vhlo_tensor_text(tensor: VhloTensor) -> str:
    return str(tensor.value)


CUSTOM: dict[str, CustomForm] = {
    "vhlo_tensor": CustomForm(_read_vhlo_tensor, _vhlo_tensor_text),
    "convolution_dimensions": CustomForm(_read_convolution, convolution_dimensions_text),
    "result_accuracy": CustomForm(_read_accuracy, _accuracy_text),
    "bounds": CustomForm(_read_bounds, _bounds_text),
    "type_extensions": CustomForm(_read_extensions, _bounds_text),
    "sub_axis_info": CustomForm(_read_sub_axis, _sub_axis_text, bracketed=False),
    "mesh": CustomForm(_read_mesh, _mesh_text),
    "shardy_mesh": CustomForm(shardy.read_mesh, shardy.mesh_text),
    "sharding": CustomForm(shardy.read_sharding, shardy.sharding_text),
    "sharding_per_value": CustomForm(shardy.read_shardings, shardy.shardings_text),
    "op_sharding_rule": CustomForm(shardy_rules.read_rule, shardy_rules.rule_text),
    "propagation_edges": CustomForm(shardy_edges.read_edges, shardy_edges.edges_text),
    "propagation_one_step": CustomForm(shardy_edges.read_step, shardy_edges.step_text, bracketed=False),
    "axis_to_propagation_details": CustomForm(
        shardy_edges.read_axis_propagation, shardy_edges.axis_propagation_text, bracketed=False
    ),
    "edge_value_ref": CustomForm(shardy_edges.read_value, shardy_edges.spaced_value_text, bracketed=False),
    "axis_ref": CustomForm(shardy.read_axis, shardy.axis_text, bracketed=False),
    "dimension_sharding": CustomForm(shardy.read_dimension, shardy.dimension_text, bracketed=False),
    "all_to_all_param": CustomForm(
        shardy.read_all_to_all_parameter, shardy.all_to_all_parameter_text, bracketed=False
    ),
    "manual_axes": CustomForm(shardy.read_manual_axes, shardy.manual_axes_text, bracketed=False),
    "axis_ref_list": CustomForm(shardy.read_axis_references, shardy.axis_references_text, bracketed=False),
    "list_of_axis_ref_lists": CustomForm(
        shardy.read_axis_reference_lists, shardy.axis_reference_lists_text, bracketed=False
    ),
    "all_to_all_param_list": CustomForm(
        shardy.read_all_to_all_parameters, shardy.all_to_all_parameters_text, bracketed=False
    ),
}
"""The functions of `AttrDef.custom`."""
