"""The types that an operand or result takes, from the specification's words on the definition.

Specification: "Types". `tensor` alone is one of any element type that is not quantized, `quantized tensor`
one with a scale for all of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

from shlo.ir.types import (
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
    TokenType,
    TupleType,
    Type,
    UnknownType,
    UnrankedTensorType,
    element_type_of,
)

Test = Callable[[Type], bool]

INTEGER_WIDTHS: Final = frozenset((2, 4, 8, 16, 32, 64))
FLOAT_NAMES: Final = frozenset(
    (
        *("f16", "bf16", "f32", "f64", "f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E4M3", "f8E4M3FN"),
        *("f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU"),
    )
)
_PART = re.compile(
    r"(static |any-rank )?(?:(\d)-dimensional )?(tensor|quantized tensor|per-axis quantized tensor)"
    r"(?: of (.*))?"
)


def _is_integer(type_: Type) -> bool:
    """Whether a type is an integer of the specification, whose `si32` MLIR writes `i32`."""
    return isinstance(type_, IntegerType) and type_.width in INTEGER_WIDTHS


def _is_boolean(type_: Type) -> bool:
    return isinstance(type_, IntegerType) and type_.is_boolean


def _is_float(type_: Type) -> bool:
    return isinstance(type_, FloatType) and type_.name in FLOAT_NAMES


def _is_complex(type_: Type) -> bool:
    return isinstance(type_, ComplexType) and type_.element_type in (FloatType("f32"), FloatType("f64"))


def _is_quantized(type_: Type) -> bool:
    return isinstance(type_, QuantizedType) and type_.axis is None and _is_stored(type_)


def _is_per_axis(type_: Type) -> bool:
    return isinstance(type_, QuantizedType) and type_.axis is not None and _is_stored(type_)


def _is_stored(type_: QuantizedType) -> bool:
    return (
        type_.block_sizes is None
        and _is_integer(type_.storage_type)
        and type_.storage_type.signedness != "signed"
        and all(type_.storage_min <= point <= type_.storage_max for point in type_.zero_points)
    )


def _is_number(type_: Type) -> bool:
    return _is_boolean(type_) or _is_integer(type_) or _is_float(type_) or _is_complex(type_)


ELEMENT_KINDS: Final[dict[str, Test]] = {
    "boolean type": _is_boolean,
    "integer type": _is_integer,
    "signed integer type": lambda type_: (
        _is_integer(type_) and getattr(type_, "signedness", "") != "unsigned"
    ),
    "floating-point type": _is_float,
    "complex type": _is_complex,
    "any integer type": lambda type_: isinstance(type_, IntegerType | IndexType),
    "type ui32": lambda type_: type_ == IntegerType(32, "unsigned"),
    "type si32": lambda type_: type_ in (IntegerType(32), IntegerType(32, "signed")),
    "type f32": lambda type_: type_ == FloatType("f32"),
    "type f64": lambda type_: type_ == FloatType("f64"),
    "index": lambda type_: isinstance(type_, IndexType),
}
"""Kinds of element types by their words."""


def _is_part(type_: Type) -> bool:
    """Whether a type may stand in a tuple."""
    return fits("tensor, quantized tensor, per-axis quantized tensor, token, tuple or memref", type_)


_ANY_TENSOR: Final = "any-rank tensor, any-rank quantized tensor or any-rank per-axis quantized tensor"


def _is_any_part(type_: Type) -> bool:
    """Whether a type may be an element of a tuple of a custom call."""
    return fits(_ANY_TENSOR, type_) or _is_part(type_)


def _is_buffer(type_: Type) -> bool:
    return (
        isinstance(type_, MemRefType)
        and type_.shape is not None
        and (_is_number(type_.element_type) or _is_quantized(type_.element_type))
    )


def _is_signless(type_: Type) -> bool:
    return isinstance(type_, IntegerType) and type_.signedness == "signless"


def _is_index(type_: Type) -> bool:
    return isinstance(type_, IndexType)


def _like(*tests: Test) -> Test:
    """Numbers that one of the tests takes, and tensors and vectors of them."""
    return lambda type_: (
        not isinstance(type_, MemRefType) and any(test(element_type_of(type_)) for test in tests)
    )


WHOLE_KINDS: Final[dict[str, Test]] = {
    "index": _is_index,
    "signless-integer-or-index": lambda type_: _is_signless(type_) or _is_index(type_),
    "signless-integer-like": _like(_is_signless),
    "signless-integer-or-index-like": _like(_is_signless, _is_index),
    "floating-point-like": _like(lambda type_: isinstance(type_, FloatType)),
    "integer-or-float-like": _like(lambda type_: isinstance(type_, (FloatType, IntegerType))),
    "bool-like": _like(_is_boolean),
    "boolean": _is_boolean,
    "any tensor": lambda type_: isinstance(type_, (RankedTensorType, UnrankedTensorType)),
    "token": lambda type_: isinstance(type_, TokenType),
    "tuple": lambda type_: isinstance(type_, TupleType) and all(map(_is_part, type_.types)),
    "any-rank tuple": lambda type_: isinstance(type_, TupleType) and all(map(_is_any_part, type_.types)),
    "future": lambda type_: isinstance(type_, FutureType),
    "memref": _is_buffer,
    "any memref": lambda type_: isinstance(type_, MemRefType),
    "function": lambda type_: isinstance(type_, FunctionType),
    "any ranked tensor": lambda type_: isinstance(type_, RankedTensorType),
    "any static tensor": lambda type_: isinstance(type_, RankedTensorType) and type_.is_static,
    "any value with a shape": lambda type_: isinstance(
        type_, RankedTensorType | UnrankedTensorType | MemRefType | OpaqueType
    ),
}
"""Kinds of types that are no tensors, or tensors of any elements. Types that are kept as text may have a
shape, as vectors have."""

_ELEMENTS_OF = {
    "tensor": _is_number,
    "quantized tensor": _is_quantized,
    "per-axis quantized tensor": _is_per_axis,
}


class Tensors(NamedTuple):
    """Tensors of a rank (None: any) with elements of some kinds; `static` ones of known sizes, `any-rank`
    ones also of unknown rank."""

    extent: str | None
    rank: int | None
    elements: tuple[Test, ...]

    def fits(self, type_: Type) -> bool:
        if isinstance(type_, UnrankedTensorType) and self.extent == "any-rank":
            return any(test(type_.element_type) for test in self.elements)
        return (
            isinstance(type_, RankedTensorType)
            and self.rank in (None, type_.rank)
            and (type_.is_static or self.extent != "static")
            and any(test(type_.element_type) for test in self.elements)
            and _scales_fit(type_)
        )


def _scales_fit(type_: RankedTensorType) -> bool:
    """Whether a tensor has as many indices along the quantized dimension as there are scales."""
    element = type_.element_type
    if not isinstance(element, QuantizedType) or element.axis is None:
        return True
    return element.axis < type_.rank and type_.shape[element.axis] in (None, len(element.scales))


def quantization_problem(type_: Type) -> str:
    """What is wrong with a quantized tensor's type itself, as the end of a message with the label of the
    constraint; empty where nothing is."""
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


@cache
def fits(words: str, type_: Type) -> bool:
    """Whether a type is one of those that the words name. Words that name none of ours fit everything, and
    the type of a broken operation fits everywhere."""
    tests = tests_of(words)
    return tests is None or isinstance(type_, UnknownType) or any(test(type_) for test in tests)


@cache
def tests_of(words: str) -> tuple[Test, ...] | None:
    """The tests that the words stand for, None where they are none of ours."""
    tests: list[Test] = []
    parts = words.replace(" or ", ", ").split(", ")
    while parts:
        part = parts.pop(0)
        match = _PART.fullmatch(part)
        if part in WHOLE_KINDS:
            tests.append(WHOLE_KINDS[part])
        elif match:
            kinds = [match[4], *_taken(parts)] if match[4] else []
            tests.append(_tensors(match, kinds).fits)
        else:
            return None
    return tuple(tests)


def _taken(parts: list[str]) -> list[str]:
    """Takes the kinds of elements that follow off a list of parts."""
    kinds: list[str] = []
    while parts and _kind(parts[0]) in ELEMENT_KINDS:
        kinds.append(parts.pop(0))
    return kinds


def _tensors(match: re.Match[str], kinds: list[str]) -> Tensors:
    elements = tuple(ELEMENT_KINDS[_kind(kind)] for kind in kinds) or (_ELEMENTS_OF[match[3]],)
    return Tensors(match[1] and match[1].strip(), int(match[2]) if match[2] else None, elements)


def _kind(words: str) -> str:
    return words if "type" in words or words == "index" else f"{words} type"
