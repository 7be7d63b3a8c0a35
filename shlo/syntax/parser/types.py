"""Text to types. Grammar: MLIR's builtin types, and StableHLO's specification, "Types"."""

from __future__ import annotations

import re
from collections.abc import Callable

from shlo.ir.attributes import AffineMapAttr, Attribute, IntegerAttr, StridedLayoutAttr
from shlo.ir.dtypes import FLOAT_FORMATS
from shlo.ir.source import Span
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
from shlo.syntax.dialects.affine import dimension_count, is_identity
from shlo.syntax.dialects.symbols import DialectSymbol, read_mnemonic, read_symbol
from shlo.syntax.lexer.cursor import WORD, Reader

MAX_WIDTH = 16777215
MAX_SIZE = 2**63 - 1

INTEGER_TYPE = re.compile(r"(si|ui|i)([0-9]+)", re.ASCII)
PLAIN_TENSOR = re.compile(r"tensor<((?:(?:[1-9][0-9]{0,17}|0|\?)x)*)([a-z]\w*)>", re.ASCII)
CROSS = re.compile(r"x")
SIZE = re.compile(r"[0-9]+", re.ASCII)
SIGNEDNESS = {"i": "signless", "si": "signed", "ui": "unsigned"}


def parse_type(reader: Reader) -> Type:
    """Reads a type; equal types of one document are one object. Raises SyntaxFault."""
    reader.skip()
    match = PLAIN_TENSOR.match(reader.text, reader.pos)
    if match and (element := _scalar(match[2])) not in (None, NONE):
        reader.pos = match.end()
        if isinstance(element, IntegerType) and element.signedness == "signed":
            _hint_at_signed(reader, match.span(2), element)
        return reader.context.intern(RankedTensorType(_plain_shape(match[1]), element))
    return reader.context.intern(reader.nested(lambda: _type(reader)))


def _hint_at_signed(reader: Reader, place: tuple[int, int], type_: IntegerType) -> None:
    """Says once that StableHLO's signed integers are written without a sign."""
    if not reader.has_signed_types:
        reader.has_signed_types = True
        name = f"i{type_.width}"
        reader.hint(f"StableHLO's signed integers are written {name} today", Span(*place), name)


def parse_function_type(reader: Reader) -> FunctionType:
    """Reads `(T, ...) -> T` or `(T, ...) -> (T, ...)`."""
    inputs = _types_in_parentheses(reader)
    reader.expect("->", "in a function type")
    results = _types_in_parentheses(reader) if reader.at("(") else (parse_type(reader),)
    return FunctionType(inputs, results)


def _plain_shape(text: str) -> Shape:
    return tuple([None if size == "?" else int(size) for size in text.split("x")[:-1]])


def _types_in_parentheses(reader: Reader) -> tuple[Type, ...]:
    reader.expect("(", "before a list of types")
    return tuple(reader.comma_list(lambda: parse_type(reader), ")"))


def _type(reader: Reader) -> Type:
    character = reader.peek()
    if character == "(":
        return parse_function_type(reader)
    if character == "!":
        return _dialect_type(reader)
    start = reader.pos
    match = WORD.match(reader.text, start)
    if not match:
        reader.fail(f"expected a type, but found {reader.found()}")
    reader.pos = match.end()
    type_ = _named(reader, match[0], Span(start, match.end()))
    if type_ is None:
        reader.pos = start
        reader.fail(f"expected a type, but found {reader.found()}")
    return type_


DOCUMENT_TYPES: dict[str, Type] = {
    "pred": I1,
    "c64": ComplexType(F32),
    "c128": ComplexType(F64),
    "token": TOKEN,
    **{f"u{width}": IntegerType(width, "unsigned") for width in (2, 4, 8, 16, 32, 64)},
}
"""Types by the names that StableHLO's documents call them, where MLIR has another name."""


def _named(reader: Reader, word: str, span: Span) -> Type | None:
    documented = DOCUMENT_TYPES.get(word)
    if documented is not None:
        reader.hint(f"'{word}' is written {documented} today", span, str(documented))
        return documented
    compound = COMPOUND.get(word)
    if compound is not None:
        reader.expect("<", f"after '{word}'")
        return compound(reader)
    match = INTEGER_TYPE.fullmatch(word)
    if match and (len(match[2]) > 20 or int(match[2]) > MAX_WIDTH):
        reader.fail(f"an integer type has at most {MAX_WIDTH} bits", span)
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


def _complex(reader: Reader) -> Type:
    start = reader.skip()
    element = parse_type(reader)
    if not isinstance(element, (IntegerType, FloatType)):
        reader.fail(
            f"a complex number has parts of an integer or float type, not {element}", Span(start, reader.pos)
        )
    reader.expect(">", "after the type of a complex number's parts")
    return ComplexType(element)


def _tuple(reader: Reader) -> Type:
    return TupleType(tuple(reader.comma_list(lambda: parse_type(reader), ">")))


def _tensor(reader: Reader) -> Type:
    if reader.accept("*"):
        _cross(reader)
        element = _element(reader, _fits_tensor, "tensor")
        reader.accept(",")
        reader.expect(">", "in a tensor type (an unranked one has no encoding)")
        return UnrankedTensorType(element)
    start = reader.pos
    shape = parse_shape(reader)
    element = _element(reader, _fits_tensor, "tensor")
    encoding = None
    if reader.accept(",") and not reader.at(">"):
        encoding = _attribute(reader)
    reader.expect(">", "at the end of a tensor type")
    type_ = RankedTensorType(shape, element, encoding)
    _check_bounds(reader, type_, Span(start, reader.pos))
    return type_


def _check_bounds(reader: Reader, type_: RankedTensorType, span: Span) -> None:
    bounds = getattr(type_.encoding, "bounds", None)
    if bounds is None:
        return
    if len(bounds) != type_.rank:
        reader.fail(f"{len(bounds)} bounds for a tensor of rank {type_.rank}", span)
    for index, (bound, size) in enumerate(zip(bounds, type_.shape, strict=True)):
        if bound is not None and size is not None:
            reader.fail(f"dimension {index} is of known size {size}, so it has no bound", span)


def _vector(reader: Reader) -> Type:
    shape: list[int] = []
    scalable: list[bool] = []
    while (is_scalable := reader.accept("[")) or reader.match(SIZE):
        if is_scalable:
            size = _size(reader.expect_integer("a size"), reader)
            reader.expect("]", "after a scalable dimension")
        else:
            size = _last_size(reader)
        if size == 0:
            reader.fail("a vector has no dimension of size 0")
        shape.append(size)
        scalable.append(is_scalable)
        _cross(reader)
    element = _element(reader, _fits_vector, "vector")
    reader.expect(">", "at the end of a vector type")
    return VectorType(tuple(shape), element, tuple(scalable) if any(scalable) else ())


def _memref(reader: Reader) -> Type:
    shape: Shape | None = None
    if reader.accept("*"):
        _cross(reader)
    else:
        shape = parse_shape(reader)
    element = _element(reader, _fits_memref, "memref")
    layout: Attribute | None = None
    space: Attribute | None = None
    while reader.accept(","):
        start = reader.skip()
        attribute = _attribute(reader)
        is_layout = isinstance(attribute, (AffineMapAttr, StridedLayoutAttr))
        if (space is not None) or (is_layout and (layout is not None or shape is None)):
            reader.fail(
                "a memref has at most a layout and a memory space, in this order", Span(start, reader.pos)
            )
        if is_layout and _layout_rank(attribute) != len(shape or ()):
            reader.fail(f"the layout is not for rank {len(shape or ())}", Span(start, reader.pos))
        layout, space = (attribute, space) if is_layout else (layout, attribute)
    reader.expect(">", "at the end of a memref type")
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


def parse_shape(reader: Reader) -> Shape:
    """Parses the sizes in front of an element type, `4x?x`, each with its `x`; `()` where there are none."""
    shape: list[int | None] = []
    while True:
        if reader.accept("?"):
            shape.append(None)
        elif reader.match(SIZE):
            shape.append(_last_size(reader))
        else:
            return tuple(shape)
        _cross(reader)


def _last_size(reader: Reader) -> int:
    """The size whose digits were read last."""
    end = reader.pos
    start = end
    while start > 0 and reader.text[start - 1] in "0123456789":
        start -= 1
    digits = reader.text[start:end]
    return _size(int(digits) if len(digits) < 4000 else MAX_SIZE + 1, reader, Span(start, end))


def _size(value: int, reader: Reader, span: Span | None = None) -> int:
    if not 0 <= value <= MAX_SIZE:
        reader.fail("a dimension's size is a number below 2^63", span)
    return value


def _cross(reader: Reader) -> None:
    if not reader.match(CROSS):
        reader.fail(f"expected 'x' after a dimension, but found {reader.found()}")


def _element(reader: Reader, fits: Callable[[Type], bool], what: str) -> Type:
    start = reader.skip()
    element = parse_type(reader)
    if not fits(element):
        reader.fail(f"a {what} has no elements of type {element}", Span(start, reader.pos))
    return element


def _fits_tensor(type_: Type) -> bool:
    return isinstance(
        type_,
        (
            IntegerType,
            FloatType,
            IndexType,
            ComplexType,
            QuantizedType,
            OpaqueType,
            VectorType,
            TokenType,
            FutureType,
            UnknownType,
        ),
    )


def _fits_vector(type_: Type) -> bool:
    return isinstance(type_, (IntegerType, FloatType, IndexType))


def _fits_memref(type_: Type) -> bool:
    return isinstance(type_, (IntegerType, FloatType, IndexType, ComplexType, VectorType, MemRefType))


def _attribute(reader: Reader) -> Attribute:
    from shlo.syntax.parser.attributes import parse_attribute

    return parse_attribute(reader)


COMPOUND: dict[str, Callable[[Reader], Type]] = {
    "tensor": _tensor,
    "complex": _complex,
    "tuple": _tuple,
    "vector": _vector,
    "memref": _memref,
}


# -- types of dialects ---------------------------------------------------------------------------------------


def _dialect_type(reader: Reader) -> Type:
    start = reader.pos
    symbol = read_symbol(reader)
    if symbol.dialect:
        return _in_dialect(reader, symbol, Span(start, symbol.end))
    type_ = reader.type_aliases.get(symbol.body)
    span = Span(start, symbol.end)
    if type_ is None:
        reader.fail_at_alias(f"!{symbol.body}", f"the type alias '!{symbol.body}' is not defined", span)
    reader.measure_alias("!", symbol.body, span)
    return type_


def _in_dialect(reader: Reader, symbol: DialectSymbol, span: Span) -> Type:
    kind = read_mnemonic(reader, symbol)
    read = DIALECT_TYPES.get(f"{symbol.dialect}.{kind}")
    if read is not None:
        type_ = read(reader)
        if symbol.wrapped:
            reader.expect(">", "after a type of a dialect")
        if reader.pos != symbol.end:
            reader.fail(f"expected the end of the type, but found {reader.found()}")
        return type_
    if symbol.dialect in CLOSED_DIALECTS and f"{symbol.dialect}.{kind}" not in KEPT_AS_TEXT:
        reader.fail(f"the dialect '{symbol.dialect}' has no type '{kind}'", span)
    reader.pos = symbol.end
    return OpaqueType(symbol.dialect, symbol.body)


def _token(reader: Reader) -> Type:
    return TOKEN


def _future(reader: Reader) -> Type:
    reader.expect("<", "after 'future'")
    types: list[Type] = []
    while True:
        types.append(_element(reader, lambda type_: isinstance(type_, RankedTensorType), "future"))
        if not reader.accept(","):
            break
    reader.expect(">", "at the end of a future type")
    return FutureType(tuple(types))


def _uniform(reader: Reader) -> Type:
    from shlo.syntax.dialects.quant import parse_uniform

    return parse_uniform(reader)


DIALECT_TYPES: dict[str, Callable[[Reader], Type]] = {
    "stablehlo.token": _token,
    "stablehlo.future": _future,
    "quant.uniform": _uniform,
}
"""Types of dialects that are more than text to us: what reads them from behind their name."""

KEPT_AS_TEXT = {"quant.any", "quant.calibrated"}
"""Types of known dialects that are kept as they are written."""

CLOSED_DIALECTS = {"stablehlo", "chlo", "sdy", "func", "builtin", "quant"}
"""Dialects whose types are all known here: any other is a mistake."""
