"""`!quant.uniform<...>`, both directions. Specification: "Quantized types"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from shlo.ir.floats import bits_from_float, float_from_bits, positive_range
from shlo.ir.source import Span
from shlo.ir.suggestions import Replace
from shlo.ir.types import F64, FloatType, IntegerType, OpaqueType, QuantizedType, Signedness, Type
from shlo.syntax.lexer.cursor import Cursor
from shlo.syntax.numbers.parse import expect_literal, float_bits
from shlo.syntax.numbers.print import float_text
from shlo.syntax.types.recursion import recursion

STORAGE = re.compile(r"(ui|si|i|u)([0-9]+)", re.ASCII)
MAX_STORAGE_WIDTH = 32
_DIMENSION = "a quantized dimension"
FLOAT_STORAGES = ("f8E5M2", "f8E4M3FN", "f4E2M1FN")

SIGNEDNESS: dict[str, Signedness] = {"i": "signless", "si": "signed", "ui": "unsigned", "u": "unsigned"}

Item = TypeVar("Item")
Storage = IntegerType | FloatType
Scale = tuple[float, int]
"""A scale and its zero point."""


def parse_uniform(cursor: Cursor) -> Type:
    """Reads `<...>` behind `!quant.uniform`. A type that stores floats, unknown to StableHLO, stays text."""
    cursor.expect("<", "after 'uniform'")
    storage, short = _storage(cursor)
    low, high = _storage_range(cursor, storage)
    cursor.expect(":", "before the expressed type")
    expressed = _expressed(cursor)
    type_ = _scaled(cursor, (storage, low, high, expressed), short)
    cursor.expect(">", "at the end of a quantized type")
    if isinstance(storage, FloatType):
        return OpaqueType("quant", uniform_text(type_).removeprefix("!quant."))
    return type_


def parse_calibrated(cursor: Cursor) -> Type:
    """Reads `<...>` behind `!quant.calibrated`, whose numbers are kept as MLIR prints them."""
    cursor.expect("<", "after 'calibrated'")
    expressed = _expressed(cursor)
    cursor.expect("<", "before the range")
    low = _double_text(cursor)
    cursor.expect(":", "before the largest number")
    high = _double_text(cursor)
    cursor.expect(">", "after the range")
    cursor.expect(">", "at the end of a calibrated type")
    return OpaqueType("quant", f"calibrated<{expressed}<{low}:{high}>>")


def _double_text(cursor: Cursor) -> str:
    return float_text(float_bits(cursor, expect_literal(cursor), F64), F64)


def _scaled(cursor: Cursor, head: tuple[Storage, int, int, FloatType], short: bool) -> QuantizedType:
    """Returns the scales in the form that the text in front of them asks for."""
    axis, blocks = None, None
    if cursor.accept(":"):
        if cursor.accept("{"):

            def block_size() -> tuple[int, int]:
                dimension = _at_least(cursor, 0, _DIMENSION)
                cursor.expect(":", "before a block's size")
                return dimension, _at_least(cursor, 1, "a block's size")

            blocks = tuple(cursor.comma_list(block_size, "}"))
        else:
            axis = _at_least(cursor, 0, _DIMENSION)
    cursor.expect(",", "before the scales")
    shape = None
    if blocks is not None:
        shape, scales = _nested_scales(cursor, head[3])
        scales = [(scale, _in_storage(zero, head[0])) for scale, zero in scales]
    elif axis is not None:
        cursor.expect("{", "before the scales of an axis")
        scales = _list(cursor, lambda: _scale(cursor, head[3]))
    else:
        scales = [_only_scale(cursor, head[3])]
    numbers, zeros = tuple(scale for scale, _ in scales), tuple(zero for _, zero in scales)
    return QuantizedType(*head, numbers, zeros, axis, blocks, shape, short)  # type: ignore[arg-type]


def _only_scale(cursor: Cursor, expressed: FloatType) -> Scale:
    """Reads the scale of a whole tensor. The specification has it in braces as well (C10)."""
    start = cursor.skip()
    if not cursor.accept("{"):
        return _scale(cursor, expressed)
    inner = cursor.skip()
    scales = _list(cursor, lambda: _scale(cursor, expressed))
    span = Span(start, cursor.pos)
    if len(scales) > 1:
        message = f"expected one scale where no dimension is quantized, got {len(scales)}"
        axis = Replace(f":{expressed}", f":{expressed}:0", f"name the dimension: {expressed}:0")
        cursor.fail(message, span, (axis,), "quantized_type-C10")
    text = cursor.text[inner : cursor.pos - 1].rstrip()
    cursor.hint("the scale of a whole tensor has no braces today", span, text)
    return scales[0]


def _storage(cursor: Cursor) -> tuple[Storage, bool]:
    """Returns the storage type, and whether it is written `u8` rather than `ui8`."""
    start = cursor.skip()
    word = cursor.word() or ""
    match = STORAGE.fullmatch(word)
    if word in FLOAT_STORAGES:
        return FloatType(word), False
    if match is None:
        cursor.pos = start
        cursor.fail_expected("a storage type", is_type=True)
    width = int(match[2]) if len(match[2]) < 9 else 0
    if not 1 <= width <= MAX_STORAGE_WIDTH:
        cursor.fail(f"a storage type has 1 to {MAX_STORAGE_WIDTH} bits", Span(start, cursor.pos))
    return IntegerType(width, SIGNEDNESS[match[1]]), match[1] == "u"


def storage_limits(storage: Storage) -> tuple[int, int]:
    """Returns the smallest and largest number that a storage type holds; a signless one counts as signed."""
    if isinstance(storage, FloatType):
        largest = int(positive_range(storage)[1])
        return -largest, largest
    if storage.is_unsigned:
        return 0, (1 << storage.width) - 1
    return -(1 << (storage.width - 1)), (1 << (storage.width - 1)) - 1


def _storage_range(cursor: Cursor, storage: Storage) -> tuple[int, int]:
    lowest, highest = storage_limits(storage)
    start = cursor.skip()
    if not cursor.accept("<"):
        return lowest, highest
    low = cursor.expect_integer("the smallest stored number")
    cursor.expect(":", "between the smallest and the largest stored number")
    high = cursor.expect_integer("the largest stored number")
    cursor.expect(">", "after the largest stored number")
    if not lowest <= low < high <= highest:
        cursor.fail(
            f"the stored numbers {low} to {high} are no range within {lowest} to {highest}",
            Span(start, cursor.pos),
            code="quantized_type-C3",
        )
    return low, high


def _expressed(cursor: Cursor) -> FloatType:
    start = cursor.skip()
    type_ = recursion.parse_type(cursor)
    if not isinstance(type_, FloatType):
        cursor.fail(f"the expressed type must be a float type, not {type_}", Span(start, cursor.pos))
    return type_


def _in_storage(zero_point: int, storage: Storage) -> int:
    """Returns a block's zero point as MLIR keeps it: the lowest bits, read as a signed number."""
    if isinstance(storage, FloatType):
        return zero_point
    half = 1 << (storage.width - 1)
    return (zero_point + half) % (2 * half) - half


def _at_least(cursor: Cursor, smallest: int, what: str) -> int:
    start = cursor.skip()
    value = cursor.expect_integer(what)
    if value < smallest:
        code = "quantized_type-C11" if what == _DIMENSION else "syntax"
        cursor.fail(f"{what} is at least {smallest}", Span(start, cursor.pos), code=code)
    return value


def _scale(cursor: Cursor, expressed: FloatType) -> Scale:
    literal = expect_literal(cursor)
    scale = float_from_bits(float_bits(cursor, literal, F64), F64)
    smallest, largest = positive_range(expressed)
    if scale <= 0:
        cursor.fail(f"expected a positive scale, got {literal.shown}", literal.span, code="quantized_type-C5")
    if not smallest <= scale <= largest:
        message = f"the scale {literal.shown} is out of the range of {expressed}"
        cursor.fail(message, literal.span, code="quantized_type-C6")
    return scale, cursor.expect_integer("a zero point") if cursor.accept(":") else 0


def _list(cursor: Cursor, item: Callable[[], Item]) -> list[Item]:
    """Returns one item or more, separated by commas, up to and over `}`."""
    items = cursor.sequence(item)
    cursor.expect("}", "after the scales")
    return items


def _nested_scales(cursor: Cursor, expressed: FloatType) -> tuple[tuple[int, ...], list[Scale]]:
    """Lists of lists in braces: their shape, and the scales row by row."""
    start = cursor.skip()
    cursor.expect("{", "before the scales of blocks")
    if not cursor.at("{"):
        scales = _list(cursor, lambda: _scale(cursor, expressed))
        return (len(scales),), scales
    parts = _list(cursor, lambda: cursor.nested(lambda: _nested_scales(cursor, expressed)))
    if len({shape for shape, _ in parts}) > 1:
        cursor.fail("the lists of scales differ in their lengths", Span(start, cursor.pos))
    return (len(parts), *parts[0][0]), [scale for _, scales in parts for scale in scales]


def uniform_text(type_: QuantizedType) -> str:
    """Returns the type as MLIR prints it."""
    storage = (
        f"u{type_.storage_type.width}" if type_.short_unsigned else recursion.type_text(type_.storage_type)
    )
    if (type_.storage_min, type_.storage_max) != storage_limits(type_.storage_type):
        storage += f"<{type_.storage_min}:{type_.storage_max}>"
    stored, expressed = F64, type_.expressed_type
    if type_.block_sizes is not None and isinstance(expressed, FloatType):
        stored = expressed  # MLIR keeps these in the expressed type, others as f64
    scales = [_scale_text(*scale, stored) for scale in zip(type_.scales, type_.zero_points, strict=True)]
    return (
        f"!quant.uniform<{storage}:{recursion.type_text(type_.expressed_type)}{_scaling_text(type_, scales)}>"
    )


def _scaling_text(type_: QuantizedType, scales: list[str]) -> str:
    if type_.block_sizes is not None:
        sizes = ", ".join(f"{dimension}:{size}" for dimension, size in type_.block_sizes)
        return f":{{{sizes}}}, {_nested_text(scales, type_.block_shape or ())}"
    if type_.axis is not None:
        return f":{type_.axis}, {{{','.join(scales)}}}"
    return f", {scales[0]}"


def _scale_text(scale: float, zero_point: int, stored: FloatType) -> str:
    text = float_text(bits_from_float(scale, stored), stored)
    return f"{text}:{zero_point}" if zero_point else text


def _nested_text(scales: Sequence[str], shape: tuple[int, ...]) -> str:
    if len(shape) <= 1:
        return f"{{{', '.join(scales)}}}"
    step = len(scales) // shape[0]
    rows = (_nested_text(scales[start : start + step], shape[1:]) for start in range(0, len(scales), step))
    return f"{{{', '.join(rows)}}}"
