"""Attribute constraints: what an attribute of an operation, or a parameter of a struct attribute, may be.

Definitions name those of numbers, strings and symbols (`I64_ATTR`, `SYMBOL_ATTR`) and make the others with
functions (`enum_of`, `struct_of`, `array_of`). How formats write the attributes of each constraint is in
`shlo/syntax/assembly_format/attributes.py`. In snippets a reader fills in what is in «», several choices have
bars between them; the language service makes tab stops of these.

Specification: "Constants", "Attributes".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from shlo.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DenseResourceAttr,
    DictionaryAttr,
    EnumAttr,
    FloatAttr,
    IntegerAttr,
    OpaqueAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    UnitAttr,
)
from shlo.ir.dense import DenseElementsAttr, DenseStringElementsAttr, SparseElementsAttr
from shlo.ir.suggestions import Suggestion
from shlo.ir.types import F32, F64, I1, I32, I64, INDEX, FloatType, IntegerType, RankedTensorType, Type

TAB_STOP: Final = re.compile("«([^»]*)»")
ELEMENTS: Final = (DenseElementsAttr, DenseResourceAttr, DenseStringElementsAttr, SparseElementsAttr)


class Problem(Struct, frozen=True):
    """What is wrong with an attribute, and what may be done about it."""

    message: str
    suggestions: tuple[Suggestion, ...] = ()


class EnumDef(Struct, frozen=True):
    """An enumeration: `#dialect<mnemonic WORD>`, or `#dialect.mnemonic<WORD>` where `dotted`; its words."""

    dialect: str
    name: str
    mnemonic: str
    words: tuple[str, ...]
    dotted: bool = False


class AttrDef(Struct, frozen=True, eq=False):
    """A struct attribute `#dialect.mnemonic<name = value, ...>`: its Python class and its parameters.

    Attributes:
        custom: Names a pair of functions in `shlo/syntax` where the text is no list of parameters.
        ordered: Whether the parameters are written in their order.
        check: Returns what is wrong with an attribute that could be parsed, None where nothing is.
        snippet: What follows the mnemonic, to go on from.
    """

    dialect: str
    mnemonic: str
    cls: Callable[..., Attribute]
    parameters: tuple[AttrParam, ...] = ()
    custom: str | None = None
    ordered: bool = False
    check: Callable[[Any], Problem | None] | None = None
    snippet: str = "<«»>"

    @property
    def name(self) -> str:
        """The name behind the `#`."""
        return f"{self.dialect}.{self.mnemonic}"


class AttrParam(Struct, frozen=True):
    """A parameter of a struct attribute: name in the text, constraint, default that the text leaves out."""

    name: str
    constraint: AttrConstraint
    default: object = None
    optional: bool = False


class AttrConstraint(Struct, frozen=True, eq=False):
    """What an attribute may be; one of this class itself takes every attribute.

    Attributes:
        name: What lists of operations and hover call the constraint.
        description: What messages say that the attribute must be.
        snippet: A value in an attribute dictionary, to go on from.
        words: The words that the attribute may be, where these are all.
        format_snippet: A value where an assembly format shows it, "" where that is `snippet`.
    """

    name: str
    description: str
    snippet: str = "«0»"
    words: tuple[str, ...] = ()
    format_snippet: str = ""

    @property
    def uses(self) -> EnumDef | AttrDef | None:
        """The enumeration or struct attribute that the constraint is about."""
        return None

    def matches(self, attribute: Attribute) -> bool:
        """Returns whether an attribute fulfils the constraint."""
        return True

    def problem(self, name: str, attribute: Attribute) -> str | None:
        """Returns what is wrong with an attribute of that name, None where it fulfils the constraint."""
        return None if self.matches(attribute) else f"{name} must be {self.description}, but is {attribute}"


# --- attributes of a class ------------------------------------------------------------------------------


class InstanceOf(AttrConstraint, frozen=True, eq=False, kw_only=True):
    """Any attribute of some classes."""

    classes: tuple[type[Attribute], ...]

    def matches(self, attribute: Attribute) -> bool:
        """Returns whether an attribute is of one of the classes."""
        return isinstance(attribute, self.classes)


class NumberOf(AttrConstraint, frozen=True, eq=False, kw_only=True):
    """A number of one type."""

    type: IntegerType | FloatType

    def matches(self, attribute: Attribute) -> bool:
        """Returns whether an attribute is a number of the type."""
        return isinstance(attribute, IntegerAttr | FloatAttr) and attribute.type == self.type


class DenseArrayOf(AttrConstraint, frozen=True, eq=False, kw_only=True):
    """An array `array<i64: 1, 2>` of integers of one type."""

    type: IntegerType

    def matches(self, attribute: Attribute) -> bool:
        """Returns whether an attribute is a dense array with elements of the type."""
        return isinstance(attribute, DenseArrayAttr) and attribute.element_type == self.type


class Tested(AttrConstraint, frozen=True, eq=False, kw_only=True):
    """An attribute that passes a test."""

    test: Callable[[Attribute], bool]

    def matches(self, attribute: Attribute) -> bool:
        """Returns whether an attribute passes the test."""
        return self.test(attribute)


def _is_symbol(attribute: Attribute) -> bool:
    return isinstance(attribute, SymbolRefAttr) and not attribute.nested


ANY_ATTR: Final = AttrConstraint("any", "an attribute")
I64_ATTR: Final = NumberOf("i64", "a 64-bit integer (`1 : i64`)", "«0»", type=I64)
I32_ATTR: Final = NumberOf("i32", "a 32-bit integer (`1 : i32`)", "«0» : i32", type=I32, format_snippet="«0»")
UI64_ATTR: Final = NumberOf(
    "ui64",
    "an unsigned 64-bit integer (`1 : ui64`)",
    "«0» : ui64",
    type=IntegerType(64, "unsigned"),
    format_snippet="«0»",
)
UI32_ATTR: Final = NumberOf(
    "ui32",
    "an unsigned 32-bit integer (`1 : ui32`)",
    "«0» : ui32",
    type=IntegerType(32, "unsigned"),
    format_snippet="«0»",
)
BOOL_ATTR: Final = NumberOf("bool", "true or false", "«true|false»", type=I1, words=("true", "false"))
F32_ATTR: Final = NumberOf(
    "float", "a 32-bit float (`1.0 : f32`)", "«0.0» : f32", type=F32, format_snippet="«0.0»"
)
F64_ATTR: Final = NumberOf(
    "f64", "a 64-bit float (`1.0 : f64`)", "«0.0» : f64", type=F64, format_snippet="«0.0»"
)
STRING_ATTR: Final = InstanceOf("string", "a string", '"«text»"', classes=(StringAttr,))
SYMBOL_NAME_ATTR: Final = InstanceOf(
    "symbol_name", "a string", '"«name»"', classes=(StringAttr,), format_snippet="@«name»"
)
SYMBOL_ATTR: Final = Tested("symbol", "a symbol (`@name`)", "@«name»", test=_is_symbol)
TYPE_ATTR: Final = InstanceOf("type", "a type", "«f32»", classes=(TypeAttr,))
DICT_ATTR: Final = InstanceOf("dict", "a dictionary (`{...}`)", "{«»}", classes=(DictionaryAttr,))
UNIT_ATTR: Final = InstanceOf("unit", "present without a value", classes=(UnitAttr,))
I64_ARRAY_ATTR: Final = DenseArrayOf(
    "i64_array",
    "an array of 64-bit integers (`array<i64: 1, 2>`)",
    "array<i64: «0»>",
    type=I64,
    format_snippet="[«0»]",
)
I32_ARRAY_ATTR: Final = DenseArrayOf(
    "i32_array",
    "an array of 32-bit integers (`array<i32: 1, 2>`)",
    "array<i32: «0»>",
    type=I32,
    format_snippet="[«0»]",
)
BOOL_ARRAY_ATTR: Final = DenseArrayOf(
    "bool_array",
    "an array of truths (`array<i1: true, false>`)",
    "array<i1: «false»>",
    type=I1,
    format_snippet="[«false»]",
)


# --- enumerations ---------------------------------------------------------------------------------------


class EnumOf(AttrConstraint, frozen=True, eq=False, kw_only=True):
    """A word of an enumeration of the op's dialect, bare in formats."""

    enum: EnumDef

    @property
    def uses(self) -> EnumDef:
        """The enumeration."""
        return self.enum

    def matches(self, attribute: Attribute) -> bool:
        """Returns whether an attribute is a word of the enumeration."""
        return (
            isinstance(attribute, EnumAttr)
            and (attribute.dialect, attribute.enum) == (self.enum.dialect, self.enum.mnemonic)
            and attribute.value in self.enum.words
        )


class EnumNumberOf(AttrConstraint, frozen=True, eq=False, kw_only=True):
    """The number of a word of an enumeration as an integer of one type, the word in formats."""

    enum: EnumDef
    type: IntegerType

    @property
    def uses(self) -> EnumDef:
        """The enumeration."""
        return self.enum

    def matches(self, attribute: Attribute) -> bool:
        """Returns whether an attribute is an integer of the type that numbers a word of the enumeration."""
        return (
            isinstance(attribute, IntegerAttr)
            and attribute.type == self.type
            and 0 <= attribute.value < len(self.enum.words)
        )


class FlagsOf(AttrConstraint, frozen=True, eq=False, kw_only=True):
    """Flags in angle brackets, kept as text: `#arith.fastmath<nnan,ninf>`, `<nnan,ninf>` in formats."""

    enum: EnumDef

    def matches(self, attribute: Attribute) -> bool:
        """Returns whether an attribute is flags of the enumeration, kept as text."""
        return (
            isinstance(attribute, OpaqueAttr)
            and attribute.dialect == self.enum.dialect
            and attribute.body.startswith(f".{self.enum.mnemonic}<")
        )


def enum_of(enum: EnumDef) -> EnumOf:
    """Returns a word of an enumeration."""
    choice = f"«{'|'.join(enum.words)}»"
    return EnumOf(
        f"enum:{enum.mnemonic}",
        f"a word of the enumeration {enum.mnemonic.replace('_', ' ')}",
        f"#{enum.dialect}<{enum.mnemonic} {choice}>",
        words=enum.words,
        format_snippet=choice,
        enum=enum,
    )


def enum_number_of(enum: EnumDef, type_: IntegerType) -> EnumNumberOf:
    """Returns the number of a word of an enumeration."""
    return EnumNumberOf(
        f"enum_{type_}:{enum.mnemonic}",
        f"the {type_.width}-bit number of a word of the enumeration {enum.mnemonic.replace('_', ' ')}",
        f"«0» : {type_}",
        words=enum.words,
        format_snippet=f"«{'|'.join(enum.words)}»",
        enum=enum,
        type=type_,
    )


def flags_of(enum: EnumDef) -> FlagsOf:
    """Flags of an enumeration."""
    return FlagsOf(
        f"flags:{enum.mnemonic}",
        f"flags `#{enum.dialect}.{enum.mnemonic}<...>`",
        f"#{enum.dialect}.{enum.mnemonic}<«{'|'.join(enum.words)}»>",
        format_snippet=f"<«{'|'.join(enum.words)}»>",
        enum=enum,
    )


# --- struct attributes ----------------------------------------------------------------------------------


class StructOf(AttrConstraint, frozen=True, eq=False, kw_only=True):
    """A struct attribute. Formats show what follows its mnemonic (`#sdy.sharding<@m, []>` is `<@m, []>`), or
    only what is in its angle brackets where `body_only`."""

    attr_def: AttrDef
    body_only: bool = False

    @property
    def uses(self) -> AttrDef:
        """The definition of the struct attribute."""
        return self.attr_def

    def matches(self, attribute: Attribute) -> bool:
        """Returns whether an attribute is of the class of the struct attribute."""
        cls: Any = self.attr_def.cls
        return isinstance(attribute, cls)


def struct_of(attr_def: AttrDef, body_only: bool = False) -> StructOf:
    """Returns a struct attribute."""
    return StructOf(
        f"{'struct_body' if body_only else 'struct'}:{attr_def.mnemonic}",
        f"a {attr_def.mnemonic.replace('_', ' ')} attribute",
        f"#{attr_def.name}{attr_def.snippet}",
        format_snippet=attr_def.snippet[1:-1] if body_only else attr_def.snippet,
        attr_def=attr_def,
        body_only=body_only,
    )


# --- arrays and elements --------------------------------------------------------------------------------


class ArrayOf(AttrConstraint, frozen=True, eq=False, kw_only=True):
    """An array `[...]` of attributes that fulfil a constraint."""

    items: AttrConstraint

    @property
    def uses(self) -> EnumDef | AttrDef | None:
        """The enumeration or struct attribute that the constraint of the items is about."""
        return self.items.uses

    def matches(self, attribute: Attribute) -> bool:
        """Returns whether an attribute is an array whose items all fulfil the constraint."""
        return isinstance(attribute, ArrayAttr) and all(map(self.items.matches, attribute))

    def problem(self, name: str, attribute: Attribute) -> str | None:
        """Returns what is wrong with an attribute or its first invalid item, None if it is valid."""
        if isinstance(attribute, ArrayAttr):
            for item in attribute:
                if not self.items.matches(item):
                    return f"{name} must hold {self.items.description} at each place, but holds {item}"
            return None
        return f"{name} must be {self.description}, but is {attribute}"


class ElementsOf(AttrConstraint, frozen=True, eq=False, kw_only=True):
    """Elements `dense<...> : tensor<...>`, of one type unless `type` is None."""

    type: Type | None

    def matches(self, attribute: Attribute) -> bool:
        """Returns whether an attribute is dense elements, of the type if there is one."""
        return isinstance(attribute, ELEMENTS) if self.type is None else _elements_of(attribute) == self.type

    def problem(self, name: str, attribute: Attribute) -> str | None:
        """Returns what is wrong with an attribute or with its type, None if it fulfils the constraint."""
        if self.matches(attribute):
            return None
        if isinstance(attribute, ELEMENTS):
            return f"{name} must be 64-bit integers, but is of type {attribute.type}"
        return f"{name} must be {self.description}, but is {attribute}"


def _elements_of(attribute: Attribute) -> Type | None:
    """Returns the type of elements that are numbers."""
    if not isinstance(attribute, DenseElementsAttr | DenseResourceAttr):
        return None
    return attribute.type.element_type if isinstance(attribute.type, RankedTensorType) else None


def array_of(items: AttrConstraint = ANY_ATTR) -> ArrayOf:
    """Returns an array of attributes."""
    return ArrayOf("array", "an array (`[...]`)", "[«»]", items=items)


def _is_layout(attribute: Attribute) -> bool:
    return (
        isinstance(attribute, DenseElementsAttr)
        and _elements_of(attribute) == INDEX
        and len(attribute.type.shape) == 1
    )


_ELEMENTS_TEXT: Final = "elements (`dense<...> : tensor<...>`)"
ARRAY_ATTR: Final = array_of()
SYMBOLS_ATTR: Final = ArrayOf("symbols", "an array of symbols (`[@name]`)", "[«»]", items=SYMBOL_ATTR)
ELEMENTS_ATTR: Final = ElementsOf("elements", _ELEMENTS_TEXT, "dense<«0»> : «tensor<1xi64>»", type=None)
I64_ELEMENTS_ATTR: Final = ElementsOf("elements", _ELEMENTS_TEXT, "dense<«0»> : «tensor<1xi64>»", type=I64)
LAYOUT_ATTR: Final = Tested("layout", "a list of indices (`dense<...> : tensor<...xindex>`)", test=_is_layout)
