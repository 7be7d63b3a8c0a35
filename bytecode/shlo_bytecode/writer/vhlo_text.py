"""StableHLO's attributes and types as VHLO's in text, by the names of `vhlo/text.py`, which reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

from shlo.dialects.vhlo.dialect import VhloTensor
from shlo.dialects.vhlo.versions import Version
from shlo.ir.attributes import Attribute, FloatAttr, IntegerAttr, OpaqueAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.floats import bits_from_float
from shlo.ir.types import F64, FloatType, OpaqueType, Shape, Type
from shlo.syntax import attribute_text, type_text
from shlo.syntax.assembly_format.directives.vhlo import vhlo_function_type_text
from shlo.syntax.lexer.strings import quoted
from shlo.syntax.numbers.print import float_text
from shlo.syntax.types.print import shape_text
from shlo_bytecode.container.errors import ItemError
from shlo_bytecode.tables.fields import Item
from shlo_bytecode.tables.vhlo import ApiVersion
from shlo_bytecode.vhlo.text import CONSTANT_TYPES, ENUMS, STRUCTS, StructForm
from shlo_bytecode.writer.interning import Form, VhloItems

FLOAT, INTEGER, TENSOR = 8, 9, 15
CONSTANT_NAMES: Final = {type_: name for name, type_ in CONSTANT_TYPES.items()}
WORDS: Final[Mapping[Attribute, str]] = {
    ApiVersion(value.value) if isinstance(value, IntegerAttr) else value: f"<{name} {word}>"
    for name, words in ENUMS.items()
    for word, value in words.items()
}
"""What attributes of enumerations are in VHLO."""


Write = Callable[..., str]
"""Returns what is between the brackets, of the values of a row."""


class VhloWriter:
    """Attributes and types in VHLO as a version of StableHLO has it, as the parser keeps them: as text.

    Raises ItemError for what the version lacks, and for those of other dialects unless it `keeps_others`.
    """

    def __init__(self, target: Version, keeps_others: bool) -> None:
        self._items = VhloItems(target)
        self._keeps_others = keeps_others
        self._types: dict[Type, Type] = {}
        self._attribute_forms: Mapping[int, tuple[str, Write]] = {
            1: ("array_v1", self._part),
            2: ("bool_v1", self._truth),
            6: ("dict_v1", self._dictionary),
            14: ("string_v1", quoted),
            17: ("type_v1", self._text),
            **{form.code: (name, self._struct(form)) for name, form in STRUCTS.items()},
        }
        self._type_forms: Mapping[int, tuple[str, Write]] = {
            1: ("complex_v1", self._text),
            8: ("func_v1", self._function),
            20: ("tensor_v1", self._shaped),
            21: ("tensor_v1", self._bounded),
            23: ("tuple_v1", self._list),
            24: ("quant_v1", self._quantized),
            25: ("unranked_tensor_v1", self._text),
            30: ("quant_per_axis_v1", self._quantized_per_axis),
            41: ("buffer_v1", self._shaped),
            42: ("future_v1", self._list),
        }

    def type(self, type_: Type) -> Type:
        """Returns what a type is in VHLO."""
        if type_ not in self._types:
            form = self._form(type_)
            self._types[type_] = self._opaque(type_, form) if form else type_
        return self._types[type_]

    def attribute(self, attribute: Attribute) -> Attribute:
        """Returns what an attribute is in VHLO."""
        form = self._form(attribute)
        if form is None:
            return attribute
        if form.code == TENSOR:
            is_dense = isinstance(attribute, DenseElementsAttr)
            return VhloTensor(attribute if is_dense else cast("Attribute", form.row.build(*form.values)))
        return OpaqueAttr("vhlo", WORDS.get(attribute) or self._attribute_body(attribute, form))

    def _form(self, item: Item) -> Form | None:
        form = self._items.find(item)
        if form is None and not self._keeps_others:
            raise ItemError(item)
        return form

    def _opaque(self, type_: Type, form: Form) -> Type:
        return OpaqueType("vhlo", CONSTANT_NAMES.get(type_) or self._bracketed(self._type_forms, form))

    def _attribute_body(self, attribute: Attribute, form: Form) -> str:
        if form.code == FLOAT:
            number = cast("FloatAttr", attribute)
            type_ = cast("FloatType", number.type)
            return f".float_v1<{float_text(number.bits, type_)} : {self._text(type_)}>"
        if form.code == INTEGER:
            return f".integer_v1<{attribute_text(attribute)}>"
        return "." + self._bracketed(self._attribute_forms, form)

    def _bracketed(self, forms: Mapping[int, tuple[str, Write]], form: Form) -> str:
        name, write = forms[form.code]
        return f"{name}<{write(*form.values)}>"

    def _text(self, item: Any) -> str:
        """Returns a part of an attribute or type."""
        if isinstance(item, Attribute):
            return attribute_text(self.attribute(item))
        if isinstance(item, Type):
            return type_text(self.type(item))
        if isinstance(item, float):
            return float_text(bits_from_float(item, F64), F64)
        return "?" if item is None else str(item)

    def _list(self, items: Sequence[Any]) -> str:
        return ", ".join(map(self._text, items))

    def _struct(self, form: StructForm) -> Write:
        """Returns what writes `name = value, ...` without what is absent."""

        def write(*values: Any) -> str:
            parts = zip(form.parts, values, strict=True)
            return ", ".join(f"{name} = {self._part(value)}" for name, value in parts if value is not None)

        return write

    def _part(self, value: Any) -> str:
        if isinstance(value, tuple):
            return f"[{self._list(cast('tuple[Any, ...]', value))}]"
        return self._text(value)

    def _truth(self, value: int) -> str:
        return "true" if value else "false"

    def _dictionary(self, items: Sequence[Attribute]) -> str:
        entries = zip(map(self._text, items[::2]), map(self._text, items[1::2]))
        return f"{{{', '.join(f'{name} = {value}' for name, value in entries)}}}"

    def _function(self, inputs: Sequence[Type], results: Sequence[Type]) -> str:
        return vhlo_function_type_text([*map(self.type, inputs)], [*map(self.type, results)])

    def _shaped(self, shape: Shape, *parts: Item) -> str:
        return shape_text(shape) + self._list(parts)

    def _bounded(self, encoding: Attribute, shape: Shape, element: Type) -> str:
        return self._shaped(shape, element, encoding)

    def _quantized(
        self, flags: int, stored: Type, expressed: Type, scale: float, zero: int, low: int, high: int
    ) -> str:
        scales = f"{self._text(scale)}:{zero}"
        return f"{self._text(stored)}:{self._text(expressed)}, {scales}, {low}:{high}, {flags}"

    def _quantized_per_axis(self, flags: int, stored: Type, expressed: Type, axis: int, *rest: Any) -> str:
        low, high, scales, zeros = rest
        storage = f"{self._text(stored)}:{self._text(expressed)}, {axis}"
        return f"{storage}, {self._part(scales)}, {self._part(zeros)}, {low}:{high}, {flags}"
