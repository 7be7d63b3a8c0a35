"""Type constraints: the types that an operand or a result takes.

Definitions write them with the combinators `tensor`, `quantized_tensor`, `per_axis_tensor`, `like` and `|`;
what a constraint is called in messages, hover and documents is composed from its parts in the words of the
specification.

Specification: "Types". `tensor()` takes every element type that is not quantized, `quantized_tensor()` one
with a scale for all of it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from shlo.ir.types import (
    I1,
    I32,
    ComplexType,
    FloatType,
    FunctionType,
    FutureType,
    IndexType,
    IntegerType,
    MemRefType,
    QuantizedType,
    RankedTensorType,
    TokenType,
    TupleType,
    Type,
    UnknownType,
    UnrankedTensorType,
    VectorType,
    element_type_of,
)

Extent = Literal["", "static", "any-rank"]


class TypeConstraint(Struct, frozen=True, eq=False):
    """The types that an operand or a result takes.

    Attributes:
        description: What messages and documents call these types.
        test: Judges a type.
        alternatives: The constraints of which a type must fulfil one, for one made with `|`.
        elements: What the elements of a tensor must fulfil.
        rank: The rank of the tensors, None where any is taken.
        only: The one type that fulfils the constraint, where there is one.
    """

    description: str
    test: Callable[[Type], bool]
    alternatives: tuple[TypeConstraint, ...] = ()
    elements: TypeConstraint | None = None
    rank: int | None = None
    only: Type | None = None

    def matches(self, type_: Type) -> bool:
        """Returns whether a type fulfils the constraint. The type of a broken operation fulfils every one."""
        return _matches(self, type_)

    @property
    def takes_quantized(self) -> bool:
        """Whether tensors of quantized elements fulfil the constraint."""
        return any(
            constraint.elements in (_QUANTIZED, _PER_AXIS) for constraint in self.alternatives or (self,)
        )

    def __or__(self, other: TypeConstraint) -> TypeConstraint:
        parts = (*(self.alternatives or (self,)), *(other.alternatives or (other,)))
        return TypeConstraint(
            _listed([part.description for part in parts]),
            lambda type_: any(constraint.test(type_) for constraint in parts),
            parts,
        )

    def __str__(self) -> str:
        return self.description


@cache
def _matches(constraint: TypeConstraint, type_: Type) -> bool:
    return isinstance(type_, UnknownType) or constraint.test(type_)


def _listed(names: list[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _is_a(*classes: type[Type]) -> Callable[[Type], bool]:
    return lambda type_: isinstance(type_, classes)


# --- elements -----------------------------------------------------------------------------------------------

INTEGER_WIDTHS: Final = frozenset((2, 4, 8, 16, 32, 64))
FLOAT_NAMES: Final = frozenset(
    (
        *("f16", "bf16", "f32", "f64", "f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E4M3", "f8E4M3FN"),
        *("f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU"),
    )
)


def _is_integer(type_: Type) -> bool:
    """Returns whether a type is an integer of the specification, whose `si32` MLIR writes `i32`."""
    return isinstance(type_, IntegerType) and type_.width in INTEGER_WIDTHS


def _is_float(type_: Type) -> bool:
    return isinstance(type_, FloatType) and type_.name in FLOAT_NAMES


def _is_complex(type_: Type) -> bool:
    return isinstance(type_, ComplexType) and type_.element_type in (FloatType("f32"), FloatType("f64"))


def _is_number(type_: Type) -> bool:
    return type_ == I1 or _is_integer(type_) or _is_float(type_) or _is_complex(type_)


def _is_stored(type_: QuantizedType) -> bool:
    return (
        type_.block_sizes is None
        and _is_integer(type_.storage_type)
        and type_.storage_type.signedness != "signed"
        and all(type_.storage_min <= point <= type_.storage_max for point in type_.zero_points)
    )


def _is_quantized(type_: Type) -> bool:
    return isinstance(type_, QuantizedType) and type_.axis is None and _is_stored(type_)


BOOLEAN_TYPE: Final = TypeConstraint("boolean type", lambda type_: type_ == I1, only=I1)
INTEGER_TYPE: Final = TypeConstraint("integer type", _is_integer)
SIGNED_INTEGER_TYPE: Final = TypeConstraint(
    "signed integer type", lambda type_: _is_integer(type_) and getattr(type_, "signedness", "") != "unsigned"
)
FLOAT_TYPE: Final = TypeConstraint("floating-point type", _is_float)
COMPLEX_TYPE: Final = TypeConstraint("complex type", _is_complex)
ANY_INTEGER_TYPE: Final = TypeConstraint("any integer type", _is_a(IntegerType, IndexType))
SIGNLESS_TYPE: Final = TypeConstraint(
    "signless integer type", lambda type_: isinstance(type_, IntegerType) and type_.signedness == "signless"
)
UI32_TYPE: Final = TypeConstraint(
    "type ui32", lambda type_: type_ == IntegerType(32, "unsigned"), only=IntegerType(32, "unsigned")
)
SI32_TYPE: Final = TypeConstraint(
    "type si32", lambda type_: type_ in (I32, IntegerType(32, "signed")), only=I32
)
F32_TYPE: Final = TypeConstraint("type f32", lambda type_: type_ == FloatType("f32"))
F64_TYPE: Final = TypeConstraint("type f64", lambda type_: type_ == FloatType("f64"))
INDEX_TYPE: Final = TypeConstraint("index", _is_a(IndexType))
_NUMBER: Final = TypeConstraint("", _is_number)
_QUANTIZED: Final = TypeConstraint("quantized", _is_quantized)
_PER_AXIS: Final = TypeConstraint(
    "per-axis quantized",
    lambda type_: isinstance(type_, QuantizedType) and type_.axis is not None and _is_stored(type_),
)


# --- tensors ------------------------------------------------------------------------------------------------


def tensor(of: TypeConstraint | None = None, rank: int | None = None, extent: Extent = "") -> TypeConstraint:
    """Tensors of elements `of` some types, of numbers and truth values unless told otherwise.

    Args:
        of: What the elements must fulfil.
        rank: The rank, None for any.
        extent: `static` tensors have known sizes alone, `any-rank` ones may be of unknown rank.
    """
    constraint = _tensor("tensor", of or _NUMBER, rank, extent)
    if of is None:
        return constraint
    parts = [part.description for part in of.alternatives or (of,)]
    shortened = [part.removesuffix(" type") for part in parts[:-1]]
    return replace(constraint, description=f"{constraint.description} of {_listed([*shortened, parts[-1]])}")


def quantized_tensor(rank: int | None = None, extent: Extent = "") -> TypeConstraint:
    """Tensors of quantized elements with one scale for all of them."""
    return _tensor("quantized tensor", _QUANTIZED, rank, extent)


def per_axis_tensor(extent: Extent = "") -> TypeConstraint:
    """Tensors of quantized elements with a scale for each index of one dimension."""
    return _tensor("per-axis quantized tensor", _PER_AXIS, None, extent)


def _tensor(noun: str, elements: TypeConstraint, rank: int | None, extent: Extent) -> TypeConstraint:
    def test(type_: Type) -> bool:
        if isinstance(type_, UnrankedTensorType):
            return extent == "any-rank" and elements.test(type_.element_type)
        return (
            isinstance(type_, RankedTensorType)
            and rank in (None, type_.rank)
            and (type_.is_static or extent != "static")
            and elements.test(type_.element_type)
            and _scales_fit(type_)
        )

    words = (extent, "" if rank is None else f"{rank}-dimensional", noun)
    return TypeConstraint(" ".join(filter(None, words)), test, elements=elements, rank=rank)


def _scales_fit(type_: RankedTensorType) -> bool:
    """Returns whether a tensor has as many indices along the quantized dimension as there are scales."""
    element = type_.element_type
    if not isinstance(element, QuantizedType) or element.axis is None:
        return True
    return element.axis < type_.rank and type_.shape[element.axis] in (None, len(element.scales))


def quantization_problem(type_: Type) -> str:
    """Returns what is wrong with a quantized tensor's type itself, as the end of a message with the label of
    the constraint; "" where nothing is."""
    element = type_.element_type if isinstance(type_, RankedTensorType) else None
    if not isinstance(element, QuantizedType):
        return ""
    low, high = element.storage_min, element.storage_max
    for point in element.zero_points:
        if not low <= point <= high:
            return f", whose zero point {point} is not within {low} to {high} (quantized_type-C7)"
    if isinstance(type_, RankedTensorType) and not _scales_fit(type_):
        label = "C13" if (element.axis or 0) < type_.rank else "C12"
        scales = f"{len(element.scales)} scales along dimension {element.axis}"
        return f", which has {scales} (quantized_type-{label})"
    return ""


# --- other types --------------------------------------------------------------------------------------------


def like(description: str, *numbers: TypeConstraint) -> TypeConstraint:
    """Returns numbers that fulfil one of the constraints, and tensors and vectors of them."""

    def test(type_: Type) -> bool:
        element = element_type_of(type_)
        return not isinstance(type_, MemRefType) and any(number.test(element) for number in numbers)

    return TypeConstraint(description, test)


def _is_buffer(type_: Type) -> bool:
    return (
        isinstance(type_, MemRefType)
        and type_.shape is not None
        and (_is_number(type_.element_type) or _is_quantized(type_.element_type))
    )


def _tuple_of(description: str, part: Callable[[], TypeConstraint]) -> TypeConstraint:
    return TypeConstraint(
        description, lambda type_: isinstance(type_, TupleType) and all(map(part().test, type_.types))
    )


ANY_TYPE: Final = TypeConstraint("any type", lambda type_: True)
TOKEN: Final = TypeConstraint("token", _is_a(TokenType), only=TokenType())
FUTURE: Final = TypeConstraint("future", _is_a(FutureType))
FUNCTION: Final = TypeConstraint("function", _is_a(FunctionType))
MEMREF: Final = TypeConstraint("memref", _is_buffer)
ANY_MEMREF: Final = TypeConstraint("any memref", _is_a(MemRefType))
ANY_TENSOR: Final = TypeConstraint("any tensor", _is_a(RankedTensorType, UnrankedTensorType))
ANY_RANKED_TENSOR: Final = TypeConstraint("any ranked tensor", _is_a(RankedTensorType))
ANY_STATIC_TENSOR: Final = TypeConstraint(
    "any static tensor", lambda type_: isinstance(type_, RankedTensorType) and type_.is_static
)
ANY_SHAPED: Final = TypeConstraint(
    "any value with a shape", _is_a(RankedTensorType, UnrankedTensorType, MemRefType, VectorType)
)
TUPLE: Final = _tuple_of("tuple", lambda: _PART)
ANY_RANK_TUPLE: Final = _tuple_of("any-rank tuple", lambda: _ANY_RANK_PART)
ANY_RANK_VALUE: Final = (
    tensor(extent="any-rank") | quantized_tensor(extent="any-rank") | per_axis_tensor("any-rank")
)
_PART: Final = tensor() | quantized_tensor() | per_axis_tensor() | TOKEN | TUPLE | MEMREF
_ANY_RANK_PART: Final = ANY_RANK_VALUE | _PART
