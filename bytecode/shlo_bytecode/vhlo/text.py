"""VHLO's attributes and types in text, as the StableHLO attributes and types that they represent.

The parser keeps `#vhlo...` and `!vhlo...` as the text that they are. Here their parts are read from that text
and put together by the same rows as the parts in a file of bytecode (`tables/vhlo.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar, cast

from msgspec import Struct

from shlo.dialects import find_dialect
from shlo.dialects.struct_attributes import SubAxisInfo
from shlo.dialects.vhlo.dialect import VhloTensor
from shlo.ir.attributes import (
    ArrayAttr,
    Attribute,
    EnumAttr,
    FloatAttr,
    IntegerAttr,
    OpaqueAttr,
    StringAttr,
    TypeAttr,
)
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.recursion import MAX_DEPTH
from shlo.ir.types import I32, FloatType, FunctionType, OpaqueType, Type
from shlo.syntax.assembly_format.directives.vhlo import parse_vhlo_function_type
from shlo.syntax.attributes.parse import parse_attribute
from shlo.syntax.dialects.params import parse_int64, parse_int64s
from shlo.syntax.lexer.cursor import Cursor, SyntaxFault
from shlo.syntax.numbers.parse import expect_literal, float_bits, parse_double
from shlo.syntax.types.parse import parse_shape, parse_type
from shlo.syntax.types.print import type_text
from shlo_bytecode.tables.vhlo import ATTRIBUTES, TYPES

Part = Callable[[Cursor], Any] | type[Attribute]
"""What reads a part of an attribute, or the class of an attribute of VHLO."""


class StructForm(Struct, frozen=True):
    """An attribute of named parts: the code of its row, whose fields these are in order, the last `optional`
    of which may be absent.
    """

    code: int
    parts: Mapping[str, Part]
    optional: int = 0


_ENUMS: Final = (
    *("comparison_direction", "comparison_type", "fft_type", "precision", "result_accuracy_mode"),
    *("rng_algorithm", "rng_distribution", "transpose"),
)
_API_VERSIONS: Final = (
    *("UNSPECIFIED", "ORIGINAL", "STATUS_RETURNING", "STATUS_RETURNING_UNIFIED", "TYPED_FFI"),
)
_OTHER_NAMES: Final = {"i1": "bool", "tf32": "tf31", "!shape.witness": "witness", "!stablehlo.token": "token"}
"""Types that VHLO has another name for."""


def _words_of_enums() -> dict[str, dict[str, Attribute]]:
    """Returns what the words of VHLO's enumerations represent, by the name of the enumeration."""
    stablehlo = find_dialect("stablehlo")
    assert stablehlo is not None
    words: dict[str, dict[str, Attribute]] = {
        f"{name}_v1": {word: EnumAttr("stablehlo", name, word) for word in stablehlo.enums[name].words}
        for name in _ENUMS
    }
    words["api_version_v1"] = {
        f"API_VERSION_{word}": IntegerAttr(number, I32) for number, word in enumerate(_API_VERSIONS)
    }
    return words


def _constant_types() -> dict[str, Type]:
    """Returns the types without parts, by VHLO's name."""
    types: dict[str, Type] = {}
    for row in TYPES.values():
        if not row.fields:
            type_ = cast("Type", row.build())
            text = type_text(type_)
            types[f"{_OTHER_NAMES.get(text, text)}_v1"] = type_
    return types


Result = TypeVar("Result")

ENUMS: Final = _words_of_enums()
CONSTANT_TYPES: Final = _constant_types()


class VhloText:
    """Converts the attributes and types of one program."""

    def __init__(self) -> None:
        self._types: dict[Type, Type] = {}
        self._depth = 0
        self._attribute_forms: Mapping[str, Callable[[Cursor], Attribute]] = {
            "array_v1": lambda cursor: ArrayAttr(tuple(self._list(cursor))),
            "bool_v1": lambda cursor: _of_class(parse_attribute(cursor), IntegerAttr),
            "dict_v1": self._dictionary,
            "float_v1": self._float,
            "integer_v1": lambda cursor: _of_class(parse_attribute(cursor), IntegerAttr),
            "string_v1": lambda cursor: StringAttr(cursor.expect_string()),
            "type_v1": lambda cursor: TypeAttr(self._type(cursor)),
            **{name: self._struct(form) for name, form in STRUCTS.items()},
        }
        self._type_forms: Mapping[str, Callable[[Cursor], Type]] = {
            "buffer_v1": lambda cursor: _type_row(41, parse_shape(cursor), self._type(cursor)),
            "complex_v1": lambda cursor: _type_row(1, self._type(cursor)),
            "func_v1": lambda cursor: self._function(parse_vhlo_function_type(cursor)),
            "future_v1": lambda cursor: _type_row(42, self._type_list(cursor)),
            "quant_v1": self._quantized,
            "quant_per_axis_v1": self._quantized_per_axis,
            "tensor_v1": self._tensor,
            "tuple_v1": lambda cursor: _type_row(23, self._type_list(cursor)),
            "unranked_tensor_v1": lambda cursor: _type_row(25, self._type(cursor)),
        }

    def type(self, type_: Type) -> Type:
        """Returns what a type of VHLO represents, and any other type as it is; function types may be of
        VHLO's types. Raises ValueError for what VHLO has not.
        """
        if isinstance(type_, FunctionType):
            return self._function(type_)
        if not is_vhlo(type_):
            return type_
        if type_ not in self._types:
            body = cast("OpaqueType", type_).body
            self._types[type_] = self._read(body, self._type_body)
        return self._types[type_]

    def attribute(self, attribute: Attribute) -> Attribute:
        """Returns what an attribute of VHLO represents, and any other one as it is; a type as an attribute
        may be VHLO's. Raises ValueError for what VHLO has not.
        """
        if isinstance(attribute, TypeAttr):
            return TypeAttr(self.type(attribute.value))
        if isinstance(attribute, VhloTensor):
            return _of_class(attribute.value, DenseElementsAttr)
        if not is_vhlo(attribute):
            return attribute
        body = cast("OpaqueAttr", attribute).body
        return self._read(body[1:-1] if body.startswith("<") else body[1:], self._attribute_body)

    def _read(self, body: str, read: Callable[[Cursor], Any]) -> Any:
        """Reads the whole of a body."""
        if self._depth >= MAX_DEPTH:
            raise ValueError(f"nested more than {MAX_DEPTH} levels deep")
        self._depth += 1
        cursor = Cursor(body)
        try:
            item = read(cursor)
            if not cursor.at_end:
                cursor.fail(f"expected the end, but found {cursor.found()}")
        except SyntaxFault as fault:
            raise ValueError(fault.message) from None
        finally:
            self._depth -= 1
        return item

    # -- attributes ------------------------------------------------------------------------------------------

    def _attribute_body(self, cursor: Cursor) -> Attribute:
        """Reads `name<...>`, or the name of an enumeration and a word."""
        name = cursor.word() or ""
        if name in ENUMS:
            return _enum(cursor, name)
        return _form(cursor, name, self._attribute_forms, "attribute")

    def _attribute(self, cursor: Cursor) -> Attribute:
        return self.attribute(parse_attribute(cursor))

    def _list(self, cursor: Cursor) -> list[Attribute]:
        cursor.expect("[")
        return cursor.comma_list(lambda: self._attribute(cursor), "]")

    def _dictionary(self, cursor: Cursor) -> Attribute:
        """Reads `{name = value, ...}`, where names are attributes, too."""
        cursor.expect("{")
        entries = cursor.comma_list(lambda: self._entry(cursor), "}")
        return _attribute_row(6, [part for entry in entries for part in entry])

    def _entry(self, cursor: Cursor) -> tuple[Attribute, Attribute]:
        name = self._attribute(cursor)
        cursor.expect("=", "after a name")
        return name, self._attribute(cursor)

    def _float(self, cursor: Cursor) -> Attribute:
        """Reads `1.5 : type`; the number's bits follow from the type behind it."""
        literal = expect_literal(cursor)
        cursor.expect(":", "before the type of a float")
        type_ = self._type(cursor)
        if not isinstance(type_, FloatType):
            raise ValueError(f"a float is not of type {type_}")
        return FloatAttr(float_bits(cursor, literal, type_), type_)

    def _struct(self, form: StructForm) -> Callable[[Cursor], Attribute]:
        """Returns what reads `name = value, ...` in any order, and builds the row."""
        parts = form.parts

        def read(cursor: Cursor) -> Attribute:
            values: dict[str, Any] = {}
            while True:
                name = cursor.expect_identifier("a name")
                if name not in parts or name in values:
                    cursor.fail(f"expected one of {', '.join(parts)}, each once, but found '{name}'")
                cursor.expect("=", f"after '{name}'")
                values[name] = self._part(parts[name], cursor)
                if not cursor.accept(","):
                    break
            for name in list(parts)[: len(parts) - form.optional]:
                if name not in values:
                    raise ValueError(f"it lacks '{name}'")
            return _attribute_row(form.code, *[values.get(name) for name in parts])

        return read

    def _part(self, part: Part, cursor: Cursor) -> Any:
        if isinstance(part, type):
            return _of_class(self._attribute(cursor), part)
        return part(cursor)

    # -- types -----------------------------------------------------------------------------------------------

    def _type_body(self, cursor: Cursor) -> Type:
        """Reads `name` or `name<...>`."""
        name = cursor.word() or ""
        return CONSTANT_TYPES.get(name) or _form(cursor, name, self._type_forms, "type")

    def _type(self, cursor: Cursor) -> Type:
        return self.type(parse_type(cursor))

    def _type_list(self, cursor: Cursor) -> tuple[Type, ...]:
        """Reads types up to the closing bracket, which it leaves."""
        types: list[Type] = []
        while not cursor.at(">"):
            if types:
                cursor.expect(",")
            types.append(self._type(cursor))
        return tuple(types)

    def _function(self, type_: FunctionType) -> FunctionType:
        return FunctionType(tuple(map(self.type, type_.inputs)), tuple(map(self.type, type_.results)))

    def _tensor(self, cursor: Cursor) -> Type:
        shape, element = parse_shape(cursor), self._type(cursor)
        if cursor.accept(","):
            return _type_row(21, self._attribute(cursor), shape, element)
        return _type_row(20, shape, element)

    def _quantized(self, cursor: Cursor) -> Type:
        """Reads `storage:expressed, scale:zero, low:high, flags`."""
        stored, expressed = self._storage(cursor)
        scale = parse_double(cursor)
        cursor.expect(":")
        zero = parse_int64(cursor)
        low, high, flags = _limits(cursor)
        return _type_row(24, flags, stored, expressed, scale, zero, low, high)

    def _quantized_per_axis(self, cursor: Cursor) -> Type:
        """Reads `storage:expressed, axis, [scales], [zeros], low:high, flags`."""
        stored, expressed = self._storage(cursor)
        axis = parse_int64(cursor)
        cursor.expect(",")
        cursor.expect("[", "before the scales")
        scales = tuple(cursor.comma_list(lambda: parse_double(cursor), "]"))
        cursor.expect(",")
        zeros = parse_int64s(cursor)
        low, high, flags = _limits(cursor)
        return _type_row(30, flags, stored, expressed, axis, low, high, scales, zeros)

    def _storage(self, cursor: Cursor) -> tuple[Type, Type]:
        stored = self._type(cursor)
        cursor.expect(":", "after the storage type")
        expressed = self._type(cursor)
        cursor.expect(",")
        return stored, expressed


def _attribute_row(code: int, *values: Any) -> Attribute:
    """Builds an attribute as bytecode does; raises ValueError."""
    return cast("Attribute", ATTRIBUTES[code].build(*values))


def _type_row(code: int, *values: Any) -> Type:
    """Builds a type as bytecode does; raises ValueError."""
    return cast("Type", TYPES[code].build(*values))


def _of_class(attribute: Attribute, cls: type[Attribute]) -> Attribute:
    """Returns the attribute; raises ValueError where it is none of a class."""
    if not isinstance(attribute, cls):
        raise ValueError(f"expected {cls.__name__}, got {attribute}")
    return attribute


def is_vhlo(item: Attribute | Type) -> bool:
    """Returns whether an attribute or type is VHLO's."""
    return isinstance(item, VhloTensor) or (
        isinstance(item, (OpaqueAttr, OpaqueType)) and item.dialect == "vhlo"
    )


def _form(cursor: Cursor, name: str, forms: Mapping[str, Callable[[Cursor], Result]], what: str) -> Result:
    """Reads `<...>` behind the name of an attribute or type."""
    read = forms.get(name)
    if read is None:
        raise ValueError(f"VHLO has no {what} '{name}'")
    cursor.expect("<", f"after '{name}'")
    item = read(cursor)
    cursor.expect(">", f"at the end of '{name}'")
    return item


def _limits(cursor: Cursor) -> tuple[int, int, int]:
    """Reads `, low:high, flags`."""
    cursor.expect(",")
    low = parse_int64(cursor)
    cursor.expect(":")
    high = parse_int64(cursor)
    cursor.expect(",")
    return low, high, parse_int64(cursor)


def _bounds(cursor: Cursor) -> tuple[int | None, ...]:
    cursor.expect("[", "before the bounds")
    return tuple(cursor.comma_list(lambda: None if cursor.accept("?") else parse_int64(cursor), "]"))


def _enum(cursor: Cursor, name: str) -> Attribute:
    """Reads a word behind the name of its enumeration, ` WORD` or `<WORD>`."""
    is_bracketed = cursor.accept("<")
    word = cursor.word() or ""
    attribute = ENUMS[name].get(word)
    if attribute is None:
        raise ValueError(f"expected a word of '{name}' ({', '.join(ENUMS[name])}), got '{word}'")
    if is_bracketed:
        cursor.expect(">", "at the end of an attribute")
    return attribute


STRUCTS: Final[Mapping[str, StructForm]] = {
    "output_operand_alias_v1": StructForm(
        10,
        {
            "outputTupleIndices": parse_int64s,
            "operandIndex": parse_int64,
            "operandTupleIndices": parse_int64s,
        },
    ),
    "type_extensions_v1": StructForm(18, {"bounds": _bounds}),
    "result_accuracy_v1": StructForm(
        20, {"atol": parse_double, "rtol": parse_double, "ulps": parse_int64, "mode": EnumAttr}
    ),
    "sub_axis_info_v1": StructForm(21, {"pre_size": parse_int64, "size": parse_int64}),
    "axis_ref_v1": StructForm(22, {"name": StringAttr, "sub_axis_info": SubAxisInfo}, 1),
    "replica_group_mesh_axes_v1": StructForm(23, {"mesh": Attribute, "axes": ArrayAttr}),
    "mesh_axis_v1": StructForm(24, {"name": StringAttr, "size": parse_int64}),
    "mesh_v1": StructForm(25, {"axes": ArrayAttr, "device_ids": Attribute}, 1),
}
"""Attributes with names before their parts."""
