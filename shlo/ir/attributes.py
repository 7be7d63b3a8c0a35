"""Attributes: the constants of a program. Immutable values, compared by structure.

`str(attribute)` is the text of an attribute in MLIR, from the printer that `shlo.ir.printing` holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from shlo.ir.hashing import HashedOnce, hashed_once
from shlo.ir.printing import printer
from shlo.ir.types import Type


class Attribute:
    """Base class of all attributes."""

    __slots__ = ()

    has_references: ClassVar[bool] = False
    """Whether it speaks of symbols or values around its operation."""

    def __str__(self) -> str:
        return printer().attribute_text(self)


@dataclass(frozen=True, slots=True)
class IntegerAttr(Attribute):
    """`5 : i64`; a boolean is an IntegerAttr of type i1 with the value 0 or 1 (printed `true`, `false`)."""

    value: int
    type: Type


@dataclass(frozen=True, slots=True)
class FloatAttr(Attribute):
    """`0.5 : f32`, kept as the bit pattern of its type, so that every NaN stays what it is."""

    bits: int
    type: Type

    @property
    def value(self) -> float:
        """The number; a narrow type's value is exact in a Python float."""
        from shlo.ir.floats import float_from_bits

        return float_from_bits(self.bits, self.type)


@dataclass(frozen=True, slots=True)
class StringAttr(Attribute):
    """`"text"`. MLIR strings are bytes: those that are no UTF-8 are surrogate escapes in `value`."""

    value: str
    type: Type | None = None


@dataclass(frozen=True, slots=True)
class UnitAttr(Attribute):
    """`unit`: present or absent, nothing more."""


@dataclass(frozen=True, slots=True)
class TypeAttr(Attribute):
    """A type used as an attribute."""

    value: Type


@hashed_once
@dataclass(frozen=True, slots=True)
class ArrayAttr(HashedOnce, Attribute):
    """`[a, b, ...]`."""

    values: tuple[Attribute, ...]

    def __iter__(self) -> Iterator[Attribute]:
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.values)


@hashed_once
@dataclass(frozen=True, slots=True)
class DictionaryAttr(HashedOnce, Attribute):
    """`{name = value, ...}`, ordered by name."""

    entries: tuple[tuple[str, Attribute], ...]

    def as_dict(self) -> dict[str, Attribute]:
        """Returns the entries as a new dict."""
        return dict(self.entries)

    @staticmethod
    def of(entries: Mapping[str, Attribute]) -> DictionaryAttr:
        """Returns a dictionary of these entries."""
        return DictionaryAttr(tuple(sorted(entries.items())))


@dataclass(frozen=True, slots=True)
class SymbolRefAttr(Attribute):
    """`@root::@nested::...`."""

    root: str
    nested: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DenseArrayAttr(Attribute):
    """`array<i64: 1, 2>`: numbers of one type; i1 elements are bools, floats are kept as bit patterns."""

    element_type: Type
    values: tuple[int, ...]

    def __iter__(self) -> Iterator[int]:
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True, slots=True)
class DenseResourceAttr(Attribute):
    """`dense_resource<key> : type`: elements that are in the file's resource section under `key`.

    `blob` holds the resource's bytes after its alignment word, or None where the file has no such entry.
    """

    key: str
    type: Type
    blob: bytes | memoryview | None = None


@dataclass(frozen=True, slots=True)
class EnumAttr(Attribute):
    """A word of an enumeration: `#stablehlo<precision HIGHEST>` has dialect stablehlo, enum precision."""

    dialect: str
    enum: str
    value: str


@dataclass(frozen=True, slots=True)
class AffineMapAttr(Attribute):
    """`affine_map<...>` or `affine_set<...>`, kept as written between the angle brackets."""

    keyword: str
    body: str


@dataclass(frozen=True, slots=True)
class StridedLayoutAttr(Attribute):
    """`strided<[...], offset: ...>`, kept as written between the angle brackets."""

    body: str


@dataclass(frozen=True, slots=True)
class DistinctAttr(Attribute):
    """`distinct[number]<value>`: a value that equals no other one, whatever it holds, but by its number."""

    number: int
    value: Attribute


@dataclass(frozen=True, slots=True)
class OpaqueAttr(Attribute):
    """An attribute of a dialect without definitions, kept as written: `#dialect.body` or `#dialect<body>`.

    `body` is what follows `#dialect`, its dot or angle bracket included; `type` is a trailing `: type`.
    """

    dialect: str
    body: str
    type: Type | None = None


def as_bool(attribute: Attribute) -> bool:
    """Returns the truth of an i1 IntegerAttr (a UnitAttr is true)."""
    return isinstance(attribute, UnitAttr) or (isinstance(attribute, IntegerAttr) and attribute.value != 0)
