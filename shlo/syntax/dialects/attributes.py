"""Attributes of dialects with definitions, both directions: words of enumerations, and attributes with
fields.

Most are lists of fields that their definition describes; those that are written in a way of their own have a
pair of functions in `CUSTOM`.
"""

from __future__ import annotations

from typing import Any

from shlo.dialects import find_attr_def, find_attribute, find_dialect
from shlo.dialects.attr_constraints import AttrConstraint, AttrDef, AttrParam, EnumDef, StructOf
from shlo.dialects.stablehlo.structs import MESH_AXIS
from shlo.dialects.struct_attributes import (
    Mesh,
    MeshAxis,
    ResultAccuracy,
    SubAxisInfo,
    TypeExtensions,
)
from shlo.ir.attributes import Attribute, EnumAttr
from shlo.ir.floats import bits_from_float
from shlo.ir.source import Span
from shlo.ir.types import F64
from shlo.syntax.dialects.convolution_dimensions import (
    convolution_dimensions_text,
    parse_any_convolution_dimensions,
)
from shlo.syntax.dialects.params import (
    PARAM_FORMS,
    CustomForm,
    ParamForm,
    full_or_short,
    parse_any,
    parse_enum_word,
    parse_int64,
)
from shlo.syntax.lexer.cursor import Cursor
from shlo.syntax.numbers.parse import parse_double
from shlo.syntax.numbers.print import float_text
from shlo.syntax.types.dialect_symbols import DialectSymbol, dotted_or_wrapped, parse_mnemonic
from shlo.syntax.types.parse import CLOSED_DIALECTS


def parse_dialect_attribute(cursor: Cursor, symbol: DialectSymbol, span: Span) -> Attribute | None:
    """Returns the attribute that a symbol writes, None where its dialect's attributes are not known here."""
    mnemonic = parse_mnemonic(cursor, symbol)
    definition = find_attribute(symbol.dialect, mnemonic)
    if definition is None:
        if symbol.dialect in CLOSED_DIALECTS:
            cursor.fail(f"the dialect '{symbol.dialect}' has no attribute '{mnemonic}'", span)
        cursor.pos = symbol.end
        return None
    if isinstance(definition, AttrDef):
        attribute = parse_struct(cursor, definition)
    else:
        attribute = _enum(cursor, symbol.dialect, definition)
    if symbol.wrapped:
        cursor.expect(">", "after an attribute of a dialect")
    if cursor.pos != symbol.end:
        cursor.fail_expected("the end of the attribute")
    return attribute


def dialect_attribute_text(attribute: Attribute) -> str:
    """Returns an attribute with fields as MLIR prints it."""
    attr_def = find_attr_def(type(attribute))
    assert attr_def is not None, attribute
    return f"#{attr_def.dialect}{dotted_or_wrapped(attr_def.mnemonic + struct_text(attribute, attr_def))}"


def enum_text(attribute: EnumAttr) -> str:
    """Returns a word of an enumeration as MLIR prints it."""
    dialect = find_dialect(attribute.dialect)
    enum = dialect.enums.get(attribute.enum) if dialect else None
    word = f"<{attribute.value}>" if enum and enum.dotted else f" {attribute.value}"
    return f"#{attribute.dialect}{dotted_or_wrapped(attribute.enum + word)}"


# -- enumerations --------------------------------------------------------------------------------------------


def _enum(cursor: Cursor, dialect: str, enum_def: EnumDef) -> Attribute:
    is_dotted = enum_def.dotted or (cursor.context.reads_mhlo and cursor.at("<"))  # MHLO has both forms
    if is_dotted:
        cursor.expect("<", f"after '{enum_def.mnemonic}'")
    word = parse_enum_word(cursor, enum_def)
    if is_dotted:
        cursor.expect(">", f"after the word of '{enum_def.mnemonic}'")
    return EnumAttr(dialect, enum_def.mnemonic, word)


# -- fields --------------------------------------------------------------------------------------------------


def parse_struct(cursor: Cursor, attr_def: AttrDef) -> Attribute:
    """Reads what follows the mnemonic of an attribute with fields."""
    if attr_def.custom is not None and not _custom(attr_def.custom).bracketed:
        return parse_struct_body(cursor, attr_def)
    cursor.expect("<", f"after '{attr_def.mnemonic}'")
    attribute = parse_struct_body(cursor, attr_def)
    cursor.expect(">", f"at the end of '{attr_def.mnemonic}'")
    return attribute


def parse_struct_form(cursor: Cursor, attr_def: AttrDef) -> Attribute:
    """Parses a struct attribute as formats write it: what follows its mnemonic, or all of it."""
    assert isinstance(attr_def.cls, type)
    return full_or_short(cursor, attr_def.cls, attr_def.name, lambda: parse_struct(cursor, attr_def))


def parse_struct_body(cursor: Cursor, attr_def: AttrDef) -> Attribute:
    """Parses a struct attribute as it is written between its angle brackets."""
    return _custom(attr_def.custom).read(cursor) if attr_def.custom is not None else _fields(cursor, attr_def)


def struct_body(attribute: Attribute, attr_def: AttrDef) -> str:
    """Returns an attribute with fields as it is between its angle brackets."""
    if attr_def.custom is not None:
        return _custom(attr_def.custom).text(attribute)
    parts: list[str] = []
    for field in attr_def.parameters:
        value = getattr(attribute, field.name)
        if value != field.default:
            parts.append(f"{field.name} = {_form(field.constraint).text(value)}")
    return ", ".join(parts)


def _fields(cursor: Cursor, attr_def: AttrDef) -> Attribute:
    start = cursor.pos
    values: dict[str, Any] = {}
    fields = {field.name: field for field in attr_def.parameters}
    is_lenient = all(field.default is not None for field in attr_def.parameters)
    while not (is_lenient and cursor.at(">")):
        expected = (
            attr_def.parameters[len(values)].name if attr_def.ordered and len(values) < len(fields) else None
        )
        cursor.expects_entry(attr_def, values)
        name = _field(cursor, fields, values, expected)
        cursor.expects_entry_value(attr_def, name)
        values[name] = _form(fields[name].constraint).parse(cursor)
        if not cursor.accept(","):
            break
    for field in attr_def.parameters:
        if field.default is None and not field.optional and field.name not in values:
            cursor.fail(
                f"the field '{field.name}' of '{attr_def.mnemonic}' is missing", Span(start, cursor.pos)
            )
    return attr_def.cls(**values)


def _field(cursor: Cursor, fields: dict[str, AttrParam], values: dict[str, Any], expected: str | None) -> str:
    """Reads the name of a field that has no value yet, and the `=` behind it."""
    start = cursor.skip()
    name = cursor.word()
    if name is None or name not in fields or expected not in (None, name):
        cursor.pos = start
        words = () if expected else tuple(fields)
        cursor.fail_expected(expected or f"one of {', '.join(fields)}", words=words)
    if name in values:
        cursor.fail(f"the field '{name}' is given twice", Span(start, cursor.pos))
    cursor.expect("=", f"after '{name}'")
    return name


def struct_text(attribute: Attribute, attr_def: AttrDef) -> str:
    """Returns what follows the mnemonic of an attribute with fields."""
    body = struct_body(attribute, attr_def)
    return body if attr_def.custom is not None and not _custom(attr_def.custom).bracketed else f"<{body}>"


def _form(constraint: AttrConstraint) -> ParamForm:
    form = PARAM_FORMS.get(constraint)
    if form is not None:
        return form
    assert isinstance(constraint, StructOf), constraint.name
    attr_def = constraint.attr_def
    return ParamForm(
        lambda cursor: parse_struct_form(cursor, attr_def), lambda value: struct_text(value, attr_def)
    )


# -- attributes written in a way of their own ----------------------------------------------------------------


def _parse_accuracy(cursor: Cursor) -> Attribute:
    tolerances: dict[str, Any] = {}
    for name in ("atol", "rtol", "ulps"):
        if cursor.accept(name):
            cursor.expect("=", f"after '{name}'")
            start = cursor.skip()
            value = parse_int64(cursor) if name == "ulps" else parse_double(cursor)
            if not value >= 0:
                cursor.fail("a tolerance is not negative", Span(start, cursor.pos))
            tolerances[name] = value
            cursor.expect(",", f"after '{name}'")
    cursor.expect("mode", "for how accuracy is meant")
    cursor.expect("=", "after 'mode'")
    start = cursor.skip()
    mode = parse_any(cursor)
    if not (isinstance(mode, EnumAttr) and mode.enum == "result_accuracy_mode"):
        cursor.fail("expected a word of result_accuracy_mode", Span(start, cursor.pos))
    return ResultAccuracy(**tolerances, mode=mode.value)  # type: ignore[arg-type]


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


def _parse_bound(cursor: Cursor) -> int | None:
    return None if cursor.accept("?") else parse_int64(cursor)


def _parse_bounds(cursor: Cursor) -> Attribute:
    bounds = () if cursor.at(">") else cursor.sequence(lambda: _parse_bound(cursor))
    return TypeExtensions(tuple(bounds))


def _bounds_text(attribute: TypeExtensions) -> str:
    return ", ".join("?" if bound is None else str(bound) for bound in attribute.bounds)


def _parse_extensions(cursor: Cursor) -> Attribute:
    cursor.expect("bounds")
    cursor.expect("=", "after 'bounds'")
    cursor.expect("[", "before the bounds")
    return TypeExtensions(tuple(cursor.comma_list(lambda: _parse_bound(cursor), "]")))


def _parse_sub_axis(cursor: Cursor) -> Attribute:
    from shlo.syntax.dialects.sdy import parse_pre_size

    return SubAxisInfo(parse_pre_size(cursor), parse_int64(cursor))


def _parse_mesh(cursor: Cursor) -> Attribute:
    cursor.expect("axes")
    cursor.expect("=", "after 'axes'")
    cursor.expect("[", "before the axes")
    axes = cursor.sequence(lambda: _parse_axis(cursor))
    cursor.expect("]", "after the axes")
    devices = None
    if cursor.accept(","):
        cursor.expect("device_ids")
        cursor.expect("=", "after 'device_ids'")
        devices = parse_any(cursor)
    return Mesh(tuple(axes), devices)


def _parse_axis(cursor: Cursor) -> MeshAxis:
    start = cursor.skip()
    axis = parse_struct(cursor, MESH_AXIS) if cursor.at("<") else parse_any(cursor)
    if not isinstance(axis, MeshAxis):
        cursor.fail("expected an axis '<name = ..., size = ...>'", Span(start, cursor.pos))
    return axis


def _mesh_text(attribute: Mesh) -> str:
    axes = ", ".join(struct_text(axis, MESH_AXIS) for axis in attribute.axes)
    devices = "" if attribute.device_ids is None else f", device_ids={attribute.device_ids}"
    return f"axes=[{axes}]{devices}"


def _parse_vhlo_tensor(cursor: Cursor) -> Attribute:
    from shlo.dialects.vhlo.dialect import VhloTensor

    return VhloTensor(parse_any(cursor))


CUSTOM: dict[str, CustomForm] = {
    "vhlo_tensor": CustomForm(_parse_vhlo_tensor, lambda tensor: str(tensor.value)),
    "convolution_dimensions": CustomForm(parse_any_convolution_dimensions, convolution_dimensions_text),
    "result_accuracy": CustomForm(_parse_accuracy, _accuracy_text),
    "bounds": CustomForm(_parse_bounds, _bounds_text),
    "type_extensions": CustomForm(_parse_extensions, _bounds_text),
    "sub_axis_info": CustomForm(
        _parse_sub_axis, lambda info: f"({info.pre_size}){info.size}", bracketed=False
    ),
    "mesh": CustomForm(_parse_mesh, _mesh_text),
}
"""The functions of `AttrDef.custom`, but for those of Shardy."""


def _custom(name: str) -> CustomForm:
    """Returns the functions that `AttrDef.custom` names. Those of Shardy are loaded with the first attribute
    of Shardy."""
    if name not in CUSTOM:
        from shlo.syntax.dialects.sdy import FORMS

        return FORMS[name]
    return CUSTOM[name]
