"""The builtin dialect's types, one row each. Codes are MLIR's."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from msgspec import Struct

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
from shlo_bytecode.tables.fields import EntryStream, Field, Item, ItemRow, Take

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


IDENTITY, PERMUTATION, PROJECTION, GENERAL = range(4)
LEAVES = ("d{}", "s{}", "{}")
OPERATORS = ("+", "*", "mod", "floordiv", "ceildiv")
COMPARISONS = (">=", "==")
MAX_OPERANDS = 10_000
DYNAMIC = -(1 << 63)
"""The offset or stride that is not known."""


def affine_map_text(stream: EntryStream) -> str:
    """Returns the map as text between the angle brackets."""
    start = stream.pos
    number = stream.varint("the dimensions of an affine map")
    dimensions, kind = number >> 2, number & 3
    if dimensions > MAX_OPERANDS:
        stream.fail(f"an affine map has {dimensions} dimensions", start)
    symbols = 0
    if kind == IDENTITY:
        results = [f"d{index}" for index in range(dimensions)]
    elif kind == GENERAL:
        symbols = stream.index(MAX_OPERANDS, "the symbols of an affine map")
        results = [_expression(stream) for _ in range(stream.count("results of an affine map"))]
    else:
        count = dimensions if kind == PERMUTATION else stream.varint("the results of an affine map")
        stream.checked_count(count, "results of an affine map", start)
        results = [f"d{stream.varint('a dimension of an affine map')}" for _ in range(count)]
    return f"{_operands(dimensions, symbols)} -> ({', '.join(results)})"


def integer_set_text(stream: EntryStream) -> str:
    """Returns the set as text between the angle brackets; behind its constraints a byte for each says
    whether it is an equation.
    """
    dimensions = stream.index(MAX_OPERANDS, "the dimensions of an integer set")
    symbols = stream.index(MAX_OPERANDS, "the symbols of an integer set")
    parts = [_expression(stream) for _ in range(stream.count("constraints of an integer set"))]
    signs = [COMPARISONS[stream.byte("whether a constraint is an equation") != 0] for _ in parts]
    constraints = [f"{part} {sign} 0" for part, sign in zip(parts, signs, strict=True)]
    return f"{_operands(dimensions, symbols)} : ({', '.join(constraints)})"


def strided_layout_text(stream: EntryStream) -> str:
    """Returns the layout of a memref as text between the angle brackets."""
    offset = _extent(stream, "the offset of a layout")
    strides = [_extent(stream, "a stride of a layout") for _ in range(stream.count("strides of a layout"))]
    return f"[{', '.join(strides)}]" + (f", offset: {offset}" if offset != "0" else "")


def _extent(stream: EntryStream, what: str) -> str:
    number = stream.signed(what)
    return "?" if number == DYNAMIC else str(number)


def _operands(dimensions: int, symbols: int) -> str:
    names = ", ".join(f"d{index}" for index in range(dimensions))
    return f"({names})" + (f"[{', '.join(f's{index}' for index in range(symbols))}]" if symbols else "")


class _Expression(Struct, frozen=True):
    """An expression as MLIR prints it; `operator` is empty for a name or number, `negated` is what a sum
    subtracts instead of adding it, and empty where it adds.
    """

    text: str
    operator: str = ""
    negated: str = ""

    @property
    def operand(self) -> str:
        """The text as an operand of anything but a sum."""
        return f"({self.text})" if self.operator else self.text


def _expression(stream: EntryStream) -> str:
    """Returns an expression in prefix order; each operator waits for its two operands."""
    waiting: list[tuple[str, list[_Expression]]] = []
    while True:
        code = stream.index(len(LEAVES) + len(OPERATORS), "an affine expression")
        if code >= len(LEAVES):
            waiting.append((OPERATORS[code - len(LEAVES)], []))
            continue
        read = stream.signed if code == 2 else stream.varint
        text = LEAVES[code].format(read("a part of an affine expression"))
        expression = _Expression(text, negated=text[1:] if text.startswith("-") else "")
        while waiting and waiting[-1][1]:
            operator, operands = waiting.pop()
            expression = _joined(operator, operands[0], expression)
        if not waiting:
            return expression.text
        waiting[-1][1].append(expression)


def _joined(operator: str, left: _Expression, right: _Expression) -> _Expression:
    if operator == "+":
        end = f"- {right.negated}" if right.negated else f"+ {right.text}"
        return _Expression(f"{left.text} {end}", operator)
    text = f"{left.operand} {operator} {right.operand}"
    if operator != "*" or right.operator or not right.negated:
        return _Expression(text, operator)
    if right.text == "-1":
        return _Expression(f"-{left.operand}", operator, left.operand if left.operator == "+" else left.text)
    return _Expression(text, operator, f"{left.operand} * {right.negated}")
