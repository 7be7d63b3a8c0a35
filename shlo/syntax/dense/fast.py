"""Ordinary lists of numbers at once: regular expressions find their shape, NumPy converts them.

The shape is found by writing `#` for every number: what is left must be the brackets and commas of that
shape.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

from shlo.ir.dense import element_parts
from shlo.ir.dtypes import Array, UnsupportedTypeError, dtype_of
from shlo.ir.types import FloatType, IndexType, IntegerType, Type

FLOAT = re.compile(r"-?[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]{1,9})?", re.ASCII)
INTEGER = re.compile(r"-?[0-9]{1,100}", re.ASCII)
BOOLEAN = re.compile(r"true|false|-?1|0")
BROKEN_NUMBER = re.compile(r"[\w.][ \t\r\n]+[\w.]", re.ASCII)
MINUS_ZERO = re.compile(r"-0+(?![0-9])")
BLANKS = str.maketrans("", "", " \t\r\n")
BRACKETS = str.maketrans("", "", "[]()")
TRUE = ("true", "1", "-1")


def plain_elements(body: str, element_type: Type, shape: tuple[int, ...]) -> Array | None:
    """Returns the elements between the angle brackets; one for all as an array without dimensions.

    None where the text is no ordinary list of decimal numbers of that type and shape: it may be wrong, it
    may not.
    """
    part, parts = element_parts(element_type)
    pattern = _pattern(part)
    count = body.count(",") + 1
    if pattern is None or count not in (parts, parts * math.prod(shape)) or BROKEN_NUMBER.search(body):
        return None
    text = body.translate(BLANKS)
    layout, one = pattern.sub("#", text), "(#,#)" if parts == 2 else "#"
    if layout != one and (count != parts * math.prod(shape) or layout != _nested(one, shape)):
        return None
    numbers = text.translate(BRACKETS).split(",")
    try:
        dtype = dtype_of(element_type)
    except UnsupportedTypeError:
        return None
    array = _converted(numbers, part)
    return None if array is None else array.view(dtype).reshape(() if layout == one else shape)


def reinterpreted_literal(body: str, array: Array, element_type: Type) -> re.Match[str] | None:
    """Returns where an integer is written as a bit pattern, or a boolean as a number; None where there is
    none.

    An element is negative either because a minus sign says so, or because it is a pattern.
    """
    if not isinstance(element_type, IntegerType) or element_type.signedness != "signless":
        return None
    if element_type.is_boolean:
        return re.search(r"[01]", body)
    if array.dtype.kind not in "iV" or np.count_nonzero(array < 0) == body.count("-"):
        return None
    largest = (1 << (element_type.width - 1)) - 1
    return next((match for match in INTEGER.finditer(body) if int(match[0]) > largest), None)


def _pattern(part: Type) -> re.Pattern[str] | None:
    if isinstance(part, FloatType):
        return None if part.name == "f8E8M0FNU" else FLOAT
    if isinstance(part, IntegerType) and part.width == 1:
        return BOOLEAN
    return INTEGER if isinstance(part, (IntegerType, IndexType)) else None


def _nested(item: str, shape: tuple[int, ...]) -> str:
    for size in reversed(shape):
        item = f"[{','.join([item] * size)}]"
    return item


def _converted(numbers: list[str], part: Type) -> Array | None:
    if isinstance(part, FloatType):
        return narrowed(np.array(list(map(float, numbers)), np.float64), part)
    assert isinstance(part, (IntegerType, IndexType))
    if isinstance(part, IntegerType) and part.is_boolean:
        return np.array([number in TRUE for number in numbers], np.bool_)
    if any(map(MINUS_ZERO.fullmatch, numbers)):
        return None
    return _integers(list(map(int, numbers)), part)


def _integers(values: Sequence[int], part: IntegerType | IndexType) -> Array | None:
    """Returns integers (of a signless type also bit patterns) in their type; None if one is out of range."""
    signedness = part.signedness if isinstance(part, IntegerType) else "signed"
    width = part.width if isinstance(part, IntegerType) else 64
    low = 0 if signedness == "unsigned" else -(1 << (width - 1))
    high = 1 << (width - 1 if signedness == "signed" else width)
    if min(values) < low or max(values) >= high:
        return None
    if max(values) < 1 << 63:
        return np.array(values, np.int64).astype(dtype_of(part))
    return np.array([value & (2**64 - 1) for value in values], np.uint64).view(dtype_of(part))


def narrowed(values: Array, type_: FloatType) -> Array:
    """Doubles as numbers of a type, each rounded once, ties to even."""
    with np.errstate(all="ignore"):
        if type_.name in ("f64", "f32", "f16"):
            return values.astype(dtype_of(type_))
        # f32 by "round to odd" (an inexact number gets an odd last bit) makes the second rounding exact.
        nearest = values.astype(np.float32)
        bits = nearest.view(np.uint32)
        toward_zero = bits - (np.abs(nearest).astype(np.float64) > np.abs(values))
        is_inexact = (nearest.astype(np.float64) != values) & ~np.isnan(values)
        sticky = np.where(is_inexact, toward_zero | 1, bits).astype(np.uint32).view(np.float32)
        return sticky.astype(dtype_of(type_))
