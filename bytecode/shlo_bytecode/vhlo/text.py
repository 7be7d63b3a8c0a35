"""VHLO's attributes and types in text, as the StableHLO attributes and types that they stand for.

The parser keeps `#vhlo...` and `!vhlo...` as the text that they are. Here their parts are read from that text
and put together by the same rows as the parts in a file of bytecode (`vhlo_encoding.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from shlo.dialects import find_dialect
from shlo.dialects.stablehlo.attributes import SubAxisInfo
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
from shlo.ir.floats import float_from_bits
from shlo.ir.recursion import MAX_DEPTH
from shlo.ir.types import F64, I32, FloatType, FunctionType, OpaqueType, Type
from shlo.syntax.assembly_format.directives.vhlo import parse_vhlo_function_type
from shlo.syntax.assembly_format.fields import read_int64, read_int64s
from shlo.syntax.lexer.cursor import Reader, SyntaxFault
from shlo.syntax.parser.attributes import parse_attribute
from shlo.syntax.parser.numbers import expect_literal, float_bits
from shlo.syntax.parser.types import parse_shape, parse_type
from shlo.syntax.printer.types import type_text
from shlo_bytecode.vhlo.encoding import ATTRIBUTES, TYPES

Read = Callable[[Reader], Any]

_ENUMS: Final = (
    *("comparison_direction", "comparison_type", "fft_type", "precision", "result_accuracy_mode"),
    *("rng_algorithm", "rng_distribution", "transpose"),
)
_API_VERSIONS: Final = (
    *("UNSPECIFIED", "ORIGINAL", "STATUS_RETURNING", "STATUS_RETURNING_UNIFIED", "TYPED_FFI"),
)
_OTHER_NAMES: Final = {
    "i1": "bool",
    "tf32": "tf31",
    "!shape.witness": "witness",
    "!stablehlo.token": "token",
}
"""Types that VHLO has another name for."""


def _words_of_enums() -> dict[str, dict[str, Attribute]]:
    """What the words of VHLO's enumerations stand for, by the name of the enumeration."""
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
    """The types without parts, by VHLO's name."""
    found: dict[str, Type] = {}
    for row in TYPES.values():
        if not row.fields:
            type_ = cast("Type", row.build())
            text = type_text(type_)
            found[f"{_OTHER_NAMES.get(text, text)}_v1"] = type_
    return found


ENUMS: Final = _words_of_enums()
CONSTANT_TYPES: Final = _constant_types()


class VhloText:
    """Converts the attributes and types of one program."""

    def __init__(self) -> None:
        self._types: dict[Type, Type] = {}
        self._depth = 0
        self._attribute_forms: Mapping[str, Callable[[Reader], Attribute]] = {
            "array_v1": lambda reader: ArrayAttr(tuple(self._list(reader))),
            "bool_v1": lambda reader: _of_class(parse_attribute(reader), IntegerAttr),
            "dict_v1": self._dictionary,
            "float_v1": self._float,
            "integer_v1": lambda reader: _of_class(parse_attribute(reader), IntegerAttr),
            "string_v1": lambda reader: StringAttr(reader.expect_string()),
            "type_v1": lambda reader: TypeAttr(self._type(reader)),
            "output_operand_alias_v1": self._struct(
                10, outputTupleIndices=read_int64s, operandIndex=read_int64, operandTupleIndices=read_int64s
            ),
            "type_extensions_v1": self._struct(18, bounds=_bounds),
            "result_accuracy_v1": self._struct(
                20, atol=_double, rtol=_double, ulps=read_int64, mode=self._attribute_of(EnumAttr)
            ),
            "sub_axis_info_v1": self._struct(21, pre_size=read_int64, size=read_int64),
            "axis_ref_v1": self._struct(
                22, 1, name=self._attribute_of(StringAttr), sub_axis_info=self._attribute_of(SubAxisInfo)
            ),
            "replica_group_mesh_axes_v1": self._struct(
                23, mesh=self._attribute, axes=self._attribute_of(ArrayAttr)
            ),
            "mesh_axis_v1": self._struct(24, name=self._attribute_of(StringAttr), size=read_int64),
            "mesh_v1": self._struct(25, 1, axes=self._attribute_of(ArrayAttr), device_ids=self._attribute),
        }
        self._type_forms: Mapping[str, Callable[[Reader], Type]] = {
            "buffer_v1": lambda reader: _type_row(41, parse_shape(reader), self._type(reader)),
            "complex_v1": lambda reader: _type_row(1, self._type(reader)),
            "func_v1": lambda reader: self._function(parse_vhlo_function_type(reader)),
            "future_v1": lambda reader: _type_row(42, self._type_list(reader)),
            "quant_v1": self._quantized,
            "quant_per_axis_v1": self._quantized_per_axis,
            "tensor_v1": self._tensor,
            "tuple_v1": lambda reader: _type_row(23, self._type_list(reader)),
            "unranked_tensor_v1": lambda reader: _type_row(25, self._type(reader)),
        }

    def type(self, type_: Type) -> Type:
        """Returns what a type of VHLO stands for, and any other type as it is; function types may be of
        VHLO's types. Raises ValueError for what VHLO has not."""
        if isinstance(type_, FunctionType):
            return self._function(type_)
        if not is_vhlo(type_):
            return type_
        if type_ not in self._types:
            body = cast("OpaqueType", type_).body
            self._types[type_] = self._read(body, self._type_body)
        return self._types[type_]

    def attribute(self, attribute: Attribute) -> Attribute:
        """Returns what an attribute of VHLO stands for, and any other one as it is; a type as an attribute
        may be VHLO's. Raises ValueError for what VHLO has not."""
        if isinstance(attribute, TypeAttr):
            return TypeAttr(self.type(attribute.value))
        if isinstance(attribute, VhloTensor):
            return _of_class(attribute.value, DenseElementsAttr)
        if not is_vhlo(attribute):
            return attribute
        body = cast("OpaqueAttr", attribute).body
        return self._read(body[1:-1] if body.startswith("<") else body[1:], self._attribute_body)

    def _read(self, body: str, read: Callable[[Reader], Any]) -> Any:
        """Reads the whole of a body."""
        if self._depth >= MAX_DEPTH:
            raise ValueError(f"nested more than {MAX_DEPTH} levels deep")
        self._depth += 1
        reader = Reader(body)
        try:
            item = read(reader)
            if not reader.at_end:
                reader.fail(f"expected the end, but found {reader.found()}")
        except SyntaxFault as fault:
            raise ValueError(fault.message) from None
        finally:
            self._depth -= 1
        return item

    # -- attributes ------------------------------------------------------------------------------------------

    def _attribute_body(self, reader: Reader) -> Attribute:
        """Reads `name<...>`, or the name of an enumeration and a word."""
        name = reader.word() or ""
        if name in ENUMS:
            return _enum(reader, name)
        read = self._attribute_forms.get(name)
        if read is None:
            raise ValueError(f"VHLO has no attribute '{name}'")
        reader.expect("<", f"after '{name}'")
        attribute = read(reader)
        reader.expect(">", "at the end of an attribute")
        return attribute

    def _attribute(self, reader: Reader) -> Attribute:
        return self.attribute(parse_attribute(reader))

    def _attribute_of(self, cls: type[Attribute]) -> Callable[[Reader], Attribute]:
        return lambda reader: _of_class(self._attribute(reader), cls)

    def _list(self, reader: Reader) -> list[Attribute]:
        reader.expect("[")
        return reader.comma_list(lambda: self._attribute(reader), "]")

    def _dictionary(self, reader: Reader) -> Attribute:
        """Reads `{name = value, ...}`, where names are attributes, too."""
        reader.expect("{")
        entries = reader.comma_list(lambda: self._entry(reader), "}")
        return _attribute_row(6, [part for entry in entries for part in entry])

    def _entry(self, reader: Reader) -> tuple[Attribute, Attribute]:
        name = self._attribute(reader)
        reader.expect("=", "after a name")
        return name, self._attribute(reader)

    def _float(self, reader: Reader) -> Attribute:
        """Reads `1.5 : type`; the number's bits follow from the type behind it."""
        literal = expect_literal(reader)
        reader.expect(":", "before the type of a float")
        type_ = self._type(reader)
        if not isinstance(type_, FloatType):
            raise ValueError(f"a float is not of type {type_}")
        return FloatAttr(float_bits(reader, literal, type_), type_)

    def _struct(
        self, code: int, optional: int = 0, **forms: Callable[[Reader], Any]
    ) -> Callable[[Reader], Attribute]:
        """Returns what reads `name = value, ...` in any order, and builds the row of this code; the last
        `optional` ones may be absent."""

        def read(reader: Reader) -> Attribute:
            values: dict[str, Any] = {}
            while True:
                name = reader.expect_identifier("a name")
                if name not in forms or name in values:
                    reader.fail(f"expected one of {', '.join(forms)}, each once, but found '{name}'")
                reader.expect("=", f"after '{name}'")
                values[name] = forms[name](reader)
                if not reader.accept(","):
                    break
            for name in list(forms)[: len(forms) - optional]:
                if name not in values:
                    raise ValueError(f"it lacks '{name}'")
            return _attribute_row(code, *[values.get(name) for name in forms])

        return read

    # -- types -----------------------------------------------------------------------------------------------

    def _type_body(self, reader: Reader) -> Type:
        """Reads `name` or `name<...>`."""
        name = reader.word() or ""
        if name in CONSTANT_TYPES:
            return CONSTANT_TYPES[name]
        read = self._type_forms.get(name)
        if read is None:
            raise ValueError(f"VHLO has no type '{name}'")
        reader.expect("<", f"after '{name}'")
        type_ = read(reader)
        reader.expect(">", "at the end of a type")
        return type_

    def _type(self, reader: Reader) -> Type:
        return self.type(parse_type(reader))

    def _type_list(self, reader: Reader) -> tuple[Type, ...]:
        """Reads types up to the closing bracket, which it leaves."""
        types: list[Type] = []
        while not reader.at(">"):
            if types:
                reader.expect(",")
            types.append(self._type(reader))
        return tuple(types)

    def _function(self, type_: FunctionType) -> FunctionType:
        return FunctionType(tuple(map(self.type, type_.inputs)), tuple(map(self.type, type_.results)))

    def _tensor(self, reader: Reader) -> Type:
        shape, element = parse_shape(reader), self._type(reader)
        if reader.accept(","):
            return _type_row(21, self._attribute(reader), shape, element)
        return _type_row(20, shape, element)

    def _quantized(self, reader: Reader) -> Type:
        """Reads `storage:expressed, scale:zero, low:high, flags`."""
        stored, expressed = self._storage(reader)
        scale = _double(reader)
        reader.expect(":")
        zero = read_int64(reader)
        low, high, flags = _limits(reader)
        return _type_row(24, flags, stored, expressed, scale, zero, low, high)

    def _quantized_per_axis(self, reader: Reader) -> Type:
        """Reads `storage:expressed, axis, [scales], [zeros], low:high, flags`."""
        stored, expressed = self._storage(reader)
        axis = read_int64(reader)
        reader.expect(",")
        reader.expect("[", "before the scales")
        scales = tuple(reader.comma_list(lambda: _double(reader), "]"))
        reader.expect(",")
        zeros = read_int64s(reader)
        low, high, flags = _limits(reader)
        return _type_row(30, flags, stored, expressed, axis, low, high, scales, zeros)

    def _storage(self, reader: Reader) -> tuple[Type, Type]:
        stored = self._type(reader)
        reader.expect(":", "after the storage type")
        expressed = self._type(reader)
        reader.expect(",")
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


def _limits(reader: Reader) -> tuple[int, int, int]:
    """Reads `, low:high, flags`."""
    reader.expect(",")
    low = read_int64(reader)
    reader.expect(":")
    high = read_int64(reader)
    reader.expect(",")
    return low, high, read_int64(reader)


def _double(reader: Reader) -> float:
    return float_from_bits(float_bits(reader, expect_literal(reader), F64), F64)


def _bounds(reader: Reader) -> tuple[int | None, ...]:
    reader.expect("[", "before the bounds")
    return tuple(reader.comma_list(lambda: None if reader.accept("?") else read_int64(reader), "]"))


def _enum(reader: Reader, name: str) -> Attribute:
    """Reads a word behind the name of its enumeration, ` WORD` or `<WORD>`."""
    is_bracketed = reader.accept("<")
    word = reader.word() or ""
    attribute = ENUMS[name].get(word)
    if attribute is None:
        raise ValueError(f"expected a word of '{name}' ({', '.join(ENUMS[name])}), got '{word}'")
    if is_bracketed:
        reader.expect(">", "at the end of an attribute")
    return attribute
