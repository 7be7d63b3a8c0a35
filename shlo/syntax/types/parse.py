"""Text to types. Grammar: MLIR's builtin types, and StableHLO's specification, "Types"."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from shlo.ir.attributes import AffineMapAttr, Attribute, IntegerAttr, StridedLayoutAttr
from shlo.ir.dtypes import FLOAT_FORMATS, element_type_named
from shlo.ir.source import Span
from shlo.ir.suggestions import Expect, Rename, Suggestion
from shlo.ir.types import (
    F32,
    F64,
    I1,
    INDEX,
    NONE,
    TOKEN,
    ComplexType,
    FloatType,
    FunctionType,
    FutureType,
    IndexType,
    IntegerType,
    MemRefType,
    OpaqueType,
    QuantizedType,
    RankedTensorType,
    Shape,
    TokenType,
    TupleType,
    Type,
    UnknownType,
    UnrankedTensorType,
    VectorType,
)
from shlo.syntax.lexer.cursor import WORD, Cursor
from shlo.syntax.types.affine import dimension_count, is_identity
from shlo.syntax.types.dialect_symbols import DialectSymbol, parse_mnemonic, parse_symbol
from shlo.syntax.types.quant import parse_calibrated, parse_uniform
from shlo.syntax.types.recursion import recursion

MAX_WIDTH = 16777215
MAX_SIZE = 2**63 - 1

INTEGER_TYPE = re.compile(r"(si|ui|i)([0-9]+)", re.ASCII)
PLAIN_TENSOR = re.compile(r"tensor<((?:(?:[1-9][0-9]{0,17}|0|\?)x)*)([a-z]\w*)>", re.ASCII)
CROSS = re.compile(r"x")
SIZE = re.compile(r"[0-9]+", re.ASCII)
SIGNEDNESS = {"i": "signless", "si": "signed", "ui": "unsigned"}


def parse_type(cursor: Cursor) -> Type:
    """Reads a type; equal types of one document are one object. Raises SyntaxFault."""
    cursor.skip()
    match = PLAIN_TENSOR.match(cursor.text, cursor.pos)
    same = cursor.context.tensor_types.get(match[0]) if match else None
    if match and same is not None:
        cursor.pos = match.end()
        return same
    if match and (element := _scalar(match[2])) not in (None, NONE):
        cursor.pos = match.end()
        signed = element if isinstance(element, IntegerType) and element.signedness == "signed" else None
        if signed and not cursor.has_signed_types:
            cursor.has_signed_types = True  # said once
            today = f"i{signed.width}"
            message = f"StableHLO's signed integers are written {today} today"
            cursor.hint(message, Span(*match.span(2)), today)
        sizes = match[1].split("x")[:-1]
        shape = tuple([None if size == "?" else int(size) for size in sizes])
        type_ = cursor.context.intern(RankedTensorType(shape, element))
        if not signed:
            cursor.context.tensor_types[match[0]] = type_
        return type_
    return cursor.context.intern(cursor.nested(lambda: _type(cursor)))


def parse_function_type(cursor: Cursor) -> FunctionType:
    """Reads `(T, ...) -> T` or `(T, ...) -> (T, ...)`."""
    cursor.expects("function type")
    inputs = _types_in_parentheses(cursor)
    cursor.expect("->", "in a function type")
    results = _types_in_parentheses(cursor) if cursor.at("(") else (parse_type(cursor),)
    return FunctionType(inputs, results)


def _types_in_parentheses(cursor: Cursor) -> tuple[Type, ...]:
    cursor.expect("(", "before a list of types")
    return tuple(cursor.comma_list(lambda: parse_type(cursor), ")"))


def _type(cursor: Cursor) -> Type:
    cursor.expects("type")
    character = cursor.peek()
    if character == "(":
        return parse_function_type(cursor)
    if character == "!":
        return _dialect_type(cursor)
    start = cursor.pos
    match = WORD.match(cursor.text, start)
    if not match:
        cursor.fail_expected("a type", is_type=True)
    cursor.pos = match.end()
    type_ = _named(cursor, match[0], Span(start, match.end()))
    if type_ is None:
        cursor.pos = start
        close = element_type_named(_OTHER_NAMES.get(match[0], match[0]))
        suggestions: tuple[Suggestion, ...] = (Expect(is_type=True),)
        if close:
            suggestions = (Rename(match[0], str(close), "type"), *suggestions)
        cursor.fail(f"expected a type, but found {cursor.found()}", suggestions=suggestions)
    return type_


_OTHER_NAMES: Final = {"half": "float16", "float": "float32", "double": "float64"}
"""Names of C for NumPy's types."""


DOCUMENT_TYPES: dict[str, Type] = {
    "pred": I1,
    "c64": ComplexType(F32),
    "c128": ComplexType(F64),
    "token": TOKEN,
    **{f"u{width}": IntegerType(width, "unsigned") for width in (2, 4, 8, 16, 32, 64)},
}
"""Types by the names that StableHLO's documents call them, where MLIR has another name."""


def _named(cursor: Cursor, word: str, span: Span) -> Type | None:
    documented = DOCUMENT_TYPES.get(word)
    if documented is not None:
        cursor.hint(f"'{word}' is written {documented} today", span, str(documented))
        return documented
    compound = COMPOUND.get(word)
    if compound is not None:
        cursor.expect("<", f"after '{word}'")
        return compound(cursor)
    match = INTEGER_TYPE.fullmatch(word)
    if match and (len(match[2]) > 20 or int(match[2]) > MAX_WIDTH):
        cursor.fail(f"an integer type has at most {MAX_WIDTH} bits", span)
    return _scalar(word)


def _scalar(word: str) -> Type | None:
    match = INTEGER_TYPE.fullmatch(word)
    if match:
        width = int(match[2]) if len(match[2]) <= 20 else MAX_WIDTH + 1
        return IntegerType(width, SIGNEDNESS[match[1]]) if width <= MAX_WIDTH else None  # type: ignore[arg-type]
    if word in FLOAT_FORMATS:
        return FloatType(word)
    return {"index": INDEX, "none": NONE}.get(word)


# -- types in angle brackets: each reads from behind its `<` -------------------------------------------------


def _complex(cursor: Cursor) -> Type:
    start = cursor.skip()
    element = parse_type(cursor)
    if not isinstance(element, (IntegerType, FloatType)):
        cursor.fail(
            f"a complex number has parts of an integer or float type, not {element}", Span(start, cursor.pos)
        )
    cursor.expect(">", "after the type of a complex number's parts")
    return ComplexType(element)


def _tensor(cursor: Cursor) -> Type:
    if cursor.accept("*"):
        _cross(cursor)
        element = _element(cursor, "tensor")
        cursor.accept(",")
        cursor.expect(">", "in a tensor type (an unranked one has no encoding)")
        return UnrankedTensorType(element)
    start = cursor.pos
    shape = parse_shape(cursor)
    element = _element(cursor, "tensor")
    encoding = None
    if cursor.accept(",") and not cursor.at(">"):
        encoding = recursion.parse_attribute(cursor)
    cursor.expect(">", "at the end of a tensor type")
    type_ = RankedTensorType(shape, element, encoding)
    _check_bounds(cursor, type_, Span(start, cursor.pos))
    return type_


def _check_bounds(cursor: Cursor, type_: RankedTensorType, span: Span) -> None:
    bounds = getattr(type_.encoding, "bounds", None)
    if bounds is None:
        return
    if len(bounds) != type_.rank:
        cursor.fail(f"{len(bounds)} bounds for a tensor of rank {type_.rank}", span)
    for index, (bound, size) in enumerate(zip(bounds, type_.shape, strict=True)):
        if bound is not None and size is not None:
            cursor.fail(f"dimension {index} is of known size {size}, so it has no bound", span)


def _vector(cursor: Cursor) -> Type:
    shape: list[int] = []
    scalable: list[bool] = []
    while (is_scalable := cursor.accept("[")) or cursor.match(SIZE):
        if is_scalable:
            size = _size(cursor.expect_integer("a size"), cursor)
            cursor.expect("]", "after a scalable dimension")
        else:
            size = _last_size(cursor)
        if size == 0:
            cursor.fail("a vector has no dimension of size 0")
        shape.append(size)
        scalable.append(is_scalable)
        _cross(cursor)
    element = _element(cursor, "vector")
    cursor.expect(">", "at the end of a vector type")
    return VectorType(tuple(shape), element, tuple(scalable) if any(scalable) else ())


def _memref(cursor: Cursor) -> Type:
    shape: Shape | None = None
    if cursor.accept("*"):
        _cross(cursor)
    else:
        shape = parse_shape(cursor)
    element = _element(cursor, "memref")
    layout: Attribute | None = None
    space: Attribute | None = None
    while cursor.accept(","):
        start = cursor.skip()
        attribute = recursion.parse_attribute(cursor)
        is_layout = isinstance(attribute, (AffineMapAttr, StridedLayoutAttr))
        if (space is not None) or (is_layout and (layout is not None or shape is None)):
            cursor.fail(
                "a memref has at most a layout and a memory space, in this order", Span(start, cursor.pos)
            )
        if is_layout and _layout_rank(attribute) != len(shape or ()):
            cursor.fail(f"the layout is not for rank {len(shape or ())}", Span(start, cursor.pos))
        layout, space = (attribute, space) if is_layout else (layout, attribute)
    cursor.expect(">", "at the end of a memref type")
    if isinstance(layout, AffineMapAttr) and is_identity(layout):
        layout = None
    if isinstance(space, IntegerAttr) and space.value == 0:
        space = None
    return MemRefType(shape, element, layout, space)


def _layout_rank(layout: Attribute) -> int:
    if isinstance(layout, AffineMapAttr):
        return dimension_count(layout)
    assert isinstance(layout, StridedLayoutAttr)
    strides = layout.body[1 : layout.body.index("]")]
    return strides.count(",") + 1 if strides else 0


def parse_shape(cursor: Cursor) -> Shape:
    """Parses the sizes in front of an element type, `4x?x`, each with its `x`; `()` where there are none."""
    shape: list[int | None] = []
    while True:
        if cursor.accept("?"):
            shape.append(None)
        elif cursor.match(SIZE):
            shape.append(_last_size(cursor))
        else:
            return tuple(shape)
        _cross(cursor)


def _last_size(cursor: Cursor) -> int:
    """Returns the size whose digits were read last."""
    end = cursor.pos
    start = end
    while start > 0 and cursor.text[start - 1] in "0123456789":
        start -= 1
    digits = cursor.text[start:end]
    return _size(int(digits) if len(digits) < 4000 else MAX_SIZE + 1, cursor, Span(start, end))


def _size(value: int, cursor: Cursor, span: Span | None = None) -> int:
    if not 0 <= value <= MAX_SIZE:
        cursor.fail("a dimension's size is a number below 2^63", span)
    return value


def _cross(cursor: Cursor) -> None:
    if not cursor.match(CROSS):
        cursor.fail_expected("'x' after a dimension", literals=("x",))


def _element(cursor: Cursor, what: str) -> Type:
    start = cursor.skip()
    element = parse_type(cursor)
    if what == "memref" and isinstance(element, OpaqueType):  # whether its dialect allows it is not known
        message = f"a memref has no elements of type '{element}'"
        cursor.report(message, Span(start, cursor.pos), code="unknown-dialect")
    elif not isinstance(element, ELEMENTS[what]):
        cursor.fail(f"a {what} has no elements of type {element}", Span(start, cursor.pos))
    return element


_NUMBERS = (IntegerType, FloatType, IndexType)
_DENSE = (*_NUMBERS, ComplexType, VectorType)
ELEMENTS: dict[str, tuple[type[Type], ...]] = {
    "tensor": (*_DENSE, QuantizedType, OpaqueType, TokenType, FutureType, UnknownType),
    "vector": _NUMBERS,
    "memref": (*_DENSE, MemRefType),
    "future": (RankedTensorType,),
}
"""The types that elements of tensors, vectors, memrefs and futures may have."""

COMPOUND: dict[str, Callable[[Cursor], Type]] = {
    "tensor": _tensor,
    "complex": _complex,
    "tuple": lambda cursor: TupleType(tuple(cursor.comma_list(lambda: parse_type(cursor), ">"))),
    "vector": _vector,
    "memref": _memref,
}


# -- types of dialects ---------------------------------------------------------------------------------------


def _dialect_type(cursor: Cursor) -> Type:
    start = cursor.pos
    symbol = parse_symbol(cursor)
    if symbol.dialect:
        return _in_dialect(cursor, symbol, Span(start, symbol.end))
    type_ = cursor.aliases.types.get(symbol.body)
    return cursor.use_alias("!", symbol.body, type_, Span(start, symbol.end))


def _in_dialect(cursor: Cursor, symbol: DialectSymbol, span: Span) -> Type:
    kind = parse_mnemonic(cursor, symbol)
    read = DIALECT_TYPES.get(f"{symbol.dialect}.{kind}")
    if read is not None:
        type_ = read(cursor)
        if symbol.wrapped:
            cursor.expect(">", "after a type of a dialect")
        if cursor.pos != symbol.end:
            cursor.fail_expected("the end of the type", is_type=True)
        return type_
    if symbol.dialect in CLOSED_DIALECTS and f"{symbol.dialect}.{kind}" not in OPAQUE_TYPES:
        cursor.fail(f"the dialect '{symbol.dialect}' has no type '{kind}'", span)
    cursor.pos = symbol.end
    return OpaqueType(symbol.dialect, symbol.body)


def _future(cursor: Cursor) -> Type:
    cursor.expect("<", "after 'future'")
    types = cursor.sequence(lambda: _element(cursor, "future"))
    cursor.expect(">", "at the end of a future type")
    return FutureType(tuple(types))


DIALECT_TYPES: dict[str, Callable[[Cursor], Type]] = {
    "stablehlo.token": lambda cursor: TOKEN,
    "stablehlo.future": _future,
    "quant.calibrated": parse_calibrated,
    "quant.uniform": parse_uniform,
}
"""Types of dialects that are more than text to us: what reads them from behind their name."""

OPAQUE_TYPES = {"quant.any"}
"""Types of known dialects that are kept as they are written."""

CLOSED_DIALECTS = {"stablehlo", "chlo", "sdy", "func", "builtin", "quant"}
"""Dialects whose types are all known here: any other is a mistake."""

recursion.parse_type = parse_type
