"""Types to text, as MLIR prints them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from shlo.ir.types import (
    ComplexType,
    FloatType,
    FunctionType,
    FutureType,
    IndexType,
    IntegerType,
    MemRefType,
    NoneType,
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
from shlo.syntax.types.dialect_symbols import dotted_or_wrapped
from shlo.syntax.types.quant import uniform_text
from shlo.syntax.types.recursion import recursion

PREFIXES = {"signless": "i", "signed": "si", "unsigned": "ui"}


def type_text(type_: Type) -> str:
    """Returns the type as MLIR prints it."""
    return PRINTERS[type(type_)](type_)


def types_text(types: Sequence[Type]) -> str:
    """Returns types separated by commas."""
    return ", ".join(map(type_text, types))


def _tensor(type_: RankedTensorType) -> str:
    encoding = f", {type_.encoding}" if type_.encoding is not None else ""
    return f"tensor<{shape_text(type_.shape)}{type_text(type_.element_type)}{encoding}>"


def shape_text(shape: Shape) -> str:
    """Returns the sizes of a tensor as they stand before its element type: `2x?x`."""
    return "".join([f"{'?' if size is None else size}x" for size in shape])


def _vector(type_: VectorType) -> str:
    scalable = type_.scalable or (False,) * len(type_.shape)
    sizes = [
        f"[{size}]x" if scales else f"{size}x" for size, scales in zip(type_.shape, scalable, strict=True)
    ]
    return f"vector<{''.join(sizes)}{type_text(type_.element_type)}>"


def _memref(type_: MemRefType) -> str:
    shape = "*x" if type_.shape is None else shape_text(type_.shape)
    layout = f", {type_.layout}" if type_.layout is not None else ""
    extras = layout + (
        f", {recursion.attribute_text(type_.memory_space, elide_type=True)}"
        if type_.memory_space is not None
        else ""
    )
    return f"memref<{shape}{type_text(type_.element_type)}{extras}>"


def _function(type_: FunctionType) -> str:
    results = types_text(type_.results)
    if len(type_.results) != 1 or isinstance(type_.results[0], FunctionType):
        results = f"({results})"
    return f"({types_text(type_.inputs)}) -> {results}"


PRINTERS: dict[type[Type], Callable[[Any], str]] = {
    IntegerType: lambda type_: f"{PREFIXES[type_.signedness]}{type_.width}",
    IndexType: lambda type_: "index",
    FloatType: lambda type_: type_.name,
    ComplexType: lambda type_: f"complex<{type_text(type_.element_type)}>",
    NoneType: lambda type_: "none",
    VectorType: _vector,
    RankedTensorType: _tensor,
    UnrankedTensorType: lambda type_: f"tensor<*x{type_text(type_.element_type)}>",
    MemRefType: _memref,
    TupleType: lambda type_: f"tuple<{types_text(type_.types)}>",
    FunctionType: _function,
    TokenType: lambda type_: "!stablehlo.token",
    FutureType: lambda type_: f"!stablehlo.future<{types_text(type_.types)}>",
    QuantizedType: uniform_text,
    OpaqueType: lambda type_: f"!{type_.dialect}{dotted_or_wrapped(type_.body)}",
    UnknownType: lambda type_: "unknown",
}
"""How each class of type is written."""

recursion.type_text = type_text
