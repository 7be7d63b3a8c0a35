"""Attributes: the constants of a program. Immutable values, compared by structure.

`str(attribute)` is the text of an attribute in MLIR, from the printer that `shlo.ir.upper_layers` holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from shlo.ir.types import Attribute as Attribute
from shlo.ir.types import Type


class IntegerAttr(Attribute, Struct, frozen=True):
    """`5 : i64`; a boolean is an IntegerAttr of type i1 with the value 0 or 1 (printed `true`, `false`)."""

    value: int
    type: Type


class FloatAttr(Attribute, Struct, frozen=True):
    """`0.5 : f32`, kept as the bit pattern of its type, so that every NaN stays what it is."""

    bits: int
    type: Type

    @property
    def value(self) -> float:
        """The number; a narrow type's value is exact in a Python float."""
        from shlo.ir.floats import float_from_bits

        return float_from_bits(self.bits, self.type)


class StringAttr(Attribute, Struct, frozen=True):
    """`"text"`. MLIR strings are bytes: those that are no UTF-8 are surrogate escapes in `value`."""

    value: str
    type: Type | None = None


class UnitAttr(Attribute, Struct, frozen=True):
    """`unit`: present or absent, nothing more."""


class TypeAttr(Attribute, Struct, frozen=True):
    """A type used as an attribute."""

    value: Type


class ArrayAttr(Attribute, Struct, frozen=True, cache_hash=True):
    """`[a, b, ...]`."""

    values: tuple[Attribute, ...]

    def __iter__(self) -> Iterator[Attribute]:
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.values)


class DictionaryAttr(Attribute, Struct, frozen=True, cache_hash=True):
    """`{name = value, ...}`, ordered by name."""

    entries: tuple[tuple[str, Attribute], ...]

    def as_dict(self) -> dict[str, Attribute]:
        """Returns the entries as a new dict."""
        return dict(self.entries)

    @staticmethod
    def of(entries: Mapping[str, Attribute]) -> DictionaryAttr:
        """Returns a dictionary of these entries."""
        return DictionaryAttr(tuple(sorted(entries.items())))


class SymbolRefAttr(Attribute, Struct, frozen=True):
    """`@root::@nested::...`."""

    root: str
    nested: tuple[str, ...] = ()


class DenseArrayAttr(Attribute, Struct, frozen=True):
    """`array<i64: 1, 2>`: numbers of one type; i1 elements are bools, floats are kept as bit patterns."""

    element_type: Type
    values: tuple[int, ...]

    def __iter__(self) -> Iterator[int]:
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.values)


class DenseResourceAttr(Attribute, Struct, frozen=True):
    """`dense_resource<key> : type`: elements that are in the file's resource section under `key`.

    `blob` holds the resource's bytes after its alignment word, or None where the file has no such entry.
    """

    key: str
    type: Type
    blob: bytes | memoryview | None = None


class EnumAttr(Attribute, Struct, frozen=True):
    """A word of an enumeration: `#stablehlo<precision HIGHEST>` has dialect stablehlo, enum precision."""

    dialect: str
    enum: str
    value: str


class AffineMapAttr(Attribute, Struct, frozen=True):
    """`affine_map<...>` or `affine_set<...>`, kept as written between the angle brackets."""

    keyword: str
    body: str


class StridedLayoutAttr(Attribute, Struct, frozen=True):
    """`strided<[...], offset: ...>`, kept as written between the angle brackets."""

    body: str


class DistinctAttr(Attribute, Struct, frozen=True):
    """`distinct[number]<value>`: a value that equals no other one, whatever it holds, but by its number."""

    number: int
    value: Attribute


class OpaqueAttr(Attribute, Struct, frozen=True):
    """An attribute of a dialect without definitions, kept as written: `#dialect.body` or `#dialect<body>`.

    `body` is what follows `#dialect`, its dot or angle bracket included; `type` is a trailing `: type`.
    """

    dialect: str
    body: str
    type: Type | None = None


def as_bool(attribute: Attribute) -> bool:
    """Returns the truth of an i1 IntegerAttr (a UnitAttr is true)."""
    return isinstance(attribute, UnitAttr) or (isinstance(attribute, IntegerAttr) and attribute.value != 0)
