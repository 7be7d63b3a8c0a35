"""The types of MLIR and StableHLO programs: immutable values, compared by structure.

Specification: "Types". `str(type)` is the text of a type in MLIR, from the printer that
`shlo.ir.upper_layers` holds.
"""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from msgspec import Struct

from shlo.ir.upper_layers import printer

Signedness = Literal["signless", "signed", "unsigned"]
Shape = tuple[int | None, ...]
"""Dimension sizes; None represents an unknown one (`?`)."""


class Attribute:
    """Base class of all attributes, which `shlo.ir.attributes` has; types may carry some."""

    __slots__ = ()

    has_references: ClassVar[bool] = False
    """Whether it speaks of symbols or values around its operation."""

    def __str__(self) -> str:
        return printer().attribute_text(self)


class Type:
    """Base class of all types."""

    __slots__ = ()

    def __str__(self) -> str:
        return printer().type_text(self)


class IntegerType(Type, Struct, frozen=True):
    """`i32`, `si32` or `ui32`, of any width.

    StableHLO reads a signless integer as signed; `i1` is a boolean.
    """

    width: int
    signedness: Signedness = "signless"

    @property
    def is_unsigned(self) -> bool:
        """Whether the type is `ui<width>`."""
        return self.signedness == "unsigned"


class IndexType(Type, Struct, frozen=True):
    """`index`, an integer as wide as a machine address; computed as 64-bit signed."""


class FloatType(Type, Struct, frozen=True):
    """A floating-point type by its MLIR name: f16, f32, f64, bf16, tf32, f8E4M3FN, f4E2M1FN, ..."""

    name: str


class ComplexType(Type, Struct, frozen=True):
    """`complex<element>`."""

    element_type: Type


class NoneType(Type, Struct, frozen=True):
    """`none`, the type of an attribute or value that carries nothing."""


class VectorType(Type, Struct, frozen=True):
    """`vector<4x[8]xf32>`; scalable dimensions are marked in `scalable`."""

    shape: tuple[int, ...]
    element_type: Type
    scalable: tuple[bool, ...] = ()


class RankedTensorType(Type, Struct, frozen=True, cache_hash=True):
    """`tensor<2x?xf32, encoding>`. A dimension of None is unknown (`?`)."""

    shape: Shape
    element_type: Type
    encoding: Attribute | None = None

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def is_static(self) -> bool:
        """Whether all sizes are known."""
        return None not in self.shape

    @property
    def static_shape(self) -> tuple[int, ...]:
        """The sizes; raises ValueError where one is unknown."""
        if None in self.shape:
            raise ValueError(f"{self} has no static shape")
        return self.shape  # type: ignore[return-value]

    @property
    def element_count(self) -> int:
        """How many elements; raises ValueError where a size is unknown."""
        return math.prod(self.static_shape)


class UnrankedTensorType(Type, Struct, frozen=True):
    """`tensor<*xf32>`."""

    element_type: Type


class MemRefType(Type, Struct, frozen=True):
    """`memref<2x?xf32, layout, space>`, ranked, or unranked where `shape` is None."""

    shape: Shape | None
    element_type: Type
    layout: Attribute | None = None
    memory_space: Attribute | None = None


class TupleType(Type, Struct, frozen=True, cache_hash=True):
    """`tuple<T, ...>`."""

    types: tuple[Type, ...]


class FunctionType(Type, Struct, frozen=True, cache_hash=True):
    """`(T, ...) -> (T, ...)`."""

    inputs: tuple[Type, ...]
    results: tuple[Type, ...]


class TokenType(Type, Struct, frozen=True):
    """`!stablehlo.token`, orders operations that have effects."""


class FutureType(Type, Struct, frozen=True):
    """`!stablehlo.future<T, ...>`, what `async_start` gives."""

    types: tuple[Type, ...]


class QuantizedType(Type, Struct, frozen=True):
    """`!quant.uniform<storage<min:max>:expressed[:axis], scale[:zero point]>`.

    Per tensor: `axis` and `block_sizes` are None and there is one scale. Per axis: `axis` names the quantized
    dimension and there is a scale for each of its indices. Sub-channel: `block_sizes` maps dimensions to
    block sizes and `block_shape` is the shape of the scales, which are listed row by row. An unsigned
    storage type is written `ui8`, or `u8` where `short_unsigned`: MLIR keeps the two apart. Specification:
    "Quantized types".
    """

    storage_type: IntegerType
    storage_min: int
    storage_max: int
    expressed_type: Type
    scales: tuple[float, ...]
    zero_points: tuple[int, ...]
    axis: int | None = None
    block_sizes: tuple[tuple[int, int], ...] | None = None
    block_shape: tuple[int, ...] | None = None
    short_unsigned: bool = False

    @property
    def is_per_axis(self) -> bool:
        """Whether there is a scale for each index of one dimension."""
        return self.axis is not None


class OpaqueType(Type, Struct, frozen=True):
    """A type of a dialect without definitions, kept as written: `!dialect.body` (`body` without the dot)."""

    dialect: str
    body: str


class UnknownType(Type, Struct, frozen=True):
    """The type of a broken operation's results: it fits everywhere, so that a mistake is reported once."""


def element_type_of(type_: Type) -> Type:
    """Returns the element type of a tensor, vector or memref; any other type itself."""
    if isinstance(type_, (RankedTensorType, UnrankedTensorType, VectorType, MemRefType)):
        return type_.element_type
    return type_


def is_number_type(type_: Type) -> bool:
    """Returns whether a type is that of a single number."""
    return isinstance(type_, (IntegerType, FloatType, IndexType, ComplexType))


def quantized_type(type_: Type) -> QuantizedType | None:
    """Returns the element type of a tensor if it is quantized, else None."""
    element = element_type_of(type_)
    return element if isinstance(element, QuantizedType) else None


def stored_type(type_: RankedTensorType) -> RankedTensorType:
    """Returns the type of the numbers that hold a tensor: a quantized one's are of its storage type."""
    element = type_.element_type
    if not isinstance(element, QuantizedType):
        return type_
    return RankedTensorType(type_.shape, element.storage_type, type_.encoding)


I1 = IntegerType(1)
I32 = IntegerType(32)
I64 = IntegerType(64)
F32 = FloatType("f32")
F64 = FloatType("f64")
INDEX = IndexType()
NONE = NoneType()
TOKEN = TokenType()
UNKNOWN = UnknownType()
