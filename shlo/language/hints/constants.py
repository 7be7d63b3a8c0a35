"""Numbers behind literals of bits: `0xFF800000` is -Inf, `dense<"0x...">` holds so many elements."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shlo.ir.dense import DenseElementsAttr
from shlo.ir.floats import float_from_bits, float_width
from shlo.ir.op_path import OpPath, header_spans
from shlo.ir.types import FloatType, element_type_of
from shlo.language.document import Part
from shlo.language.hints.hint import Hint
from shlo.language.hover.constants import first_texts
from shlo.text.numbers import exact_number_text, number_text, plural

BITS = re.compile(r'"0x|(?<![\w"])0x([0-9A-Fa-f]+)\b', re.ASCII)
MAX_READ = 2_000
"""How many characters of an operation are looked through."""
MAX_LITERALS = 20
"""How many literals of one operation get a hint."""
SHOWN = 4
"""How many elements of a constant are shown."""


def constant_hints(part: Part, place: OpPath) -> Iterator[Hint]:
    """Yields the numbers behind an operation's literals of bits, in spans of the part."""
    for _, value in (
        *place.operation.signature.properties.items(),
        *place.operation.signature.attributes.items(),
    ):
        if isinstance(value, DenseElementsAttr):
            yield from _of_elements(part, place, value)
            return


def _of_elements(part: Part, place: OpPath, value: DenseElementsAttr) -> Iterator[Hint]:
    start, end = header_spans(place)[0]
    type_ = element_type_of(value.type)
    for count, match in enumerate(BITS.finditer(part.text, start, min(end, start + MAX_READ))):
        if count >= MAX_LITERALS:
            return
        if match[1] is None:
            yield _decoded(part, match.start(), end, value)
            return
        bits = int(match[1], 16)
        if isinstance(type_, FloatType) and bits.bit_length() <= float_width(type_):
            number = float_from_bits(bits, type_)
            yield Hint(match.end(), f" = {number_text(number)}", exact_number_text(number), "value")


def _decoded(part: Part, start: int, end: int, value: DenseElementsAttr) -> Hint:
    """Returns the first elements of a constant, behind its string of bits."""
    closing = part.text.find('"', start + 1, end)
    array = value.array
    first = ", ".join(first_texts(value, SHOWN))
    more = ", …" if array.size > SHOWN else ""
    full = f"{plural(array.size, 'element')}: [{first}{more}]"
    return Hint(closing + 1 if closing >= 0 else end, f" = [{first}{more}]", full, "value")
