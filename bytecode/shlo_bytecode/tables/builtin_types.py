"""The builtin dialect's types, one row each. Codes are MLIR's."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from shlo.ir.attributes import AffineMapAttr, Attribute
from shlo.ir.types import (
    ComplexType,
    FloatType,
    FunctionType,
    IndexType,
    IntegerType,
    MemRefType,
    NoneType,
    RankedTensorType,
    Shape,
    Signedness,
    TupleType,
    Type,
    UnrankedTensorType,
    VectorType,
)
from shlo.syntax.types.affine import is_identity
from shlo_bytecode.tables import fields
from shlo_bytecode.tables.fields import Field, Item, ItemRow, Take

MAX_WIDTH = (1 << 24) - 1
SIGNEDNESS: tuple[Signedness, ...] = ("signless", "signed", "unsigned")
NO_ELEMENTS = (RankedTensorType, UnrankedTensorType, FunctionType, TupleType, NoneType, MemRefType)


def _integer_type(number: int) -> IntegerType:
    width, sign = number >> 2, number & 3
    if width > MAX_WIDTH or sign == 3:
        raise ValueError(f"there is no integer type of {width} bits and signedness {sign}")
    return IntegerType(width, SIGNEDNESS[sign])


def complex_(element: Type) -> ComplexType:
    """Builds `complex<element>`; raises ValueError."""
    if not isinstance(element, (IntegerType, FloatType)):
        raise ValueError(f"complex numbers have no parts of type {element}")
    return ComplexType(element)


def tensor(shape: Shape, element: Type, encoding: Attribute | None = None) -> RankedTensorType:
    """Builds a ranked tensor; raises ValueError for an element type that no tensor has."""
    return RankedTensorType(shape, tensor_element(element), encoding)


def encoded_tensor(encoding: Attribute, shape: Shape, element: Type) -> RankedTensorType:
    """Builds a ranked tensor with an encoding; raises ValueError."""
    return tensor(shape, element, encoding)


def tensor_parts(type_: RankedTensorType) -> tuple[Shape, Type] | None:
    """Returns shape and element type of a tensor without an encoding, None with one."""
    return (type_.shape, type_.element_type) if type_.encoding is None else None


def unranked_tensor(element: Type) -> UnrankedTensorType:
    """Builds `tensor<*xelement>`; raises ValueError."""
    return UnrankedTensorType(tensor_element(element))


def tensor_element(element: Type) -> Type:
    """Returns the type, which a tensor may have elements of."""
    if isinstance(element, NO_ELEMENTS):
        raise ValueError(f"a tensor has no elements of type {element}")
    return element


def _memref(shape: Shape, element: Type, layout: Attribute, space: Attribute | None = None) -> Type:
    is_plain = isinstance(layout, AffineMapAttr) and is_identity(layout)
    return MemRefType(shape, element, None if is_plain else layout, space)


def _memref_in(space: Attribute, shape: Shape, element: Type, layout: Attribute) -> Type:
    return _memref(shape, element, layout, space)


def _unranked_memref(element: Type) -> Type:
    return MemRefType(None, element)


def _unranked_memref_in(space: Attribute, element: Type) -> Type:
    return MemRefType(None, element, None, space)


def _memref_parts(is_ranked: bool, has_space: bool) -> Take:
    """Takes a memref of one of four kinds apart."""

    def take(type_: MemRefType) -> tuple[Any, ...] | None:
        if (type_.shape is not None, type_.memory_space is not None) != (is_ranked, has_space):
            return None
        space = (type_.memory_space,) if has_space else ()
        if type_.shape is None:
            return *space, type_.element_type
        return *space, type_.shape, type_.element_type, type_.layout or _identity(len(type_.shape))

    return take


def _identity(rank: int) -> AffineMapAttr:
    names = ", ".join([f"d{index}" for index in range(rank)])
    return AffineMapAttr("affine_map", f"({names}) -> ({names})")


def _vector(shape: Shape, element: Type, scalable: tuple[bool, ...] = ()) -> VectorType:
    if not isinstance(element, (IntegerType, FloatType, IndexType)):
        raise ValueError(f"a vector has no elements of type {element}")
    if None in shape or (scalable and len(scalable) != len(shape)):
        raise ValueError("a vector's shape is incomplete")
    if 0 in shape:
        raise ValueError("a vector has no dimension of size 0")
    sizes = tuple([size for size in shape if size is not None])
    return VectorType(sizes, element, scalable if any(scalable) else ())


def _scalable_vector(scalable: tuple[bool, ...], shape: Shape, element: Type) -> VectorType:
    return _vector(shape, element, scalable)


def _vector_parts(type_: VectorType) -> tuple[Shape, Type] | None:
    return (type_.shape, type_.element_type) if not type_.scalable else None


_SHAPE = fields.sizes("the shape")
_ELEMENT = fields.type_("the element type")
_SPACE = fields.attribute("the memory space")
_LAYOUT = fields.attribute("the layout")
_SCALABLE = fields.items(fields.flag("the scalable dimensions"))

FIRST_LATER_FLOAT = 21
"""The first code of those that jaxlib reads since 0.10.2."""
FLOATS = {
    **dict(enumerate(("bf16", "f16", "f32", "f64", "f80", "f128"), 3)),
    **dict(
        enumerate(
            (
                *("tf32", "f8E5M2", "f8E4M3", "f8E4M3FN", "f8E5M2FNUZ", "f8E4M3FNUZ", "f8E4M3B11FNUZ"),
                *("f8E3M4", "f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E8M0FNU"),
            ),
            FIRST_LATER_FLOAT,
        )
    ),
}
LATER_FLOATS = frozenset([name for code, name in FLOATS.items() if code >= FIRST_LATER_FLOAT])


def types_list(name: str) -> Field:
    """Returns a list of types."""
    return fields.items(fields.type_(name))


def constant_row(item: Item, name: str) -> ItemRow:
    """Returns the row of one item, which its code alone represents."""
    return ItemRow(name, (), lambda: item, type(item), lambda other: () if other == item else None)


def float_row(name: str) -> ItemRow:
    """Returns the row of a floating-point type."""
    return constant_row(FloatType(name), name)


TYPES = {
    **{code: float_row(name) for code, name in FLOATS.items()},
    0: ItemRow(
        "an integer type",
        (fields.varint("width and signedness"),),
        _integer_type,
        IntegerType,
        lambda type_: (type_.width << 2 | SIGNEDNESS.index(type_.signedness),),
    ),
    1: fields.struct(IndexType),
    2: fields.struct(FunctionType, types_list("the inputs"), types_list("the results")),
    9: ItemRow("a complex type", (_ELEMENT,), complex_, ComplexType),
    10: ItemRow("a memref", (_SHAPE, _ELEMENT, _LAYOUT), _memref, MemRefType, _memref_parts(True, False)),
    11: ItemRow(
        "a memref", (_SPACE, _SHAPE, _ELEMENT, _LAYOUT), _memref_in, MemRefType, _memref_parts(True, True)
    ),
    12: fields.struct(NoneType),
    13: ItemRow("a tensor type", (_SHAPE, _ELEMENT), tensor, RankedTensorType, tensor_parts),
    14: ItemRow(
        "a tensor type",
        (fields.attribute("the encoding"), _SHAPE, _ELEMENT),
        encoded_tensor,
        RankedTensorType,
        attrgetter("encoding", "shape", "element_type"),
    ),
    15: fields.struct(TupleType, types_list("the types")),
    16: ItemRow("an unranked memref", (_ELEMENT,), _unranked_memref, MemRefType, _memref_parts(False, False)),
    17: ItemRow(
        "an unranked memref", (_SPACE, _ELEMENT), _unranked_memref_in, MemRefType, _memref_parts(False, True)
    ),
    18: ItemRow("an unranked tensor type", (_ELEMENT,), unranked_tensor, UnrankedTensorType),
    19: ItemRow("a vector type", (_SHAPE, _ELEMENT), _vector, VectorType, _vector_parts),
    20: ItemRow(
        "a vector type",
        (_SCALABLE, _SHAPE, _ELEMENT),
        _scalable_vector,
        VectorType,
        attrgetter("scalable", "shape", "element_type"),
    ),
}
