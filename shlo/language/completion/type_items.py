"""Types that can be typed at an offset: those that follow, those that the program has near, element types."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from shlo.ir.source import Span
from shlo.language.completion.statement import Statement

ELEMENT_TYPES = (
    "f32",
    "bf16",
    "f16",
    "f64",
    "i1",
    "i8",
    "i32",
    "i64",
    "ui8",
    "ui32",
    "ui64",
    "index",
    "complex<f32>",
    "f8E4M3FN",
    "f8E5M2",
    "i4",
)
OPEN_TYPE = re.compile(
    r"(?:(?P<name>tensor|vector|memref|complex)<(?P<shape>(?:(?:[0-9]+|\?|\*)x)*))?[\w!.]*\Z", re.ASCII
)
WRITTEN = re.compile(
    r"\b(?:tensor|vector|memref|complex|tuple)<[^<>\n]{0,200}(?:<[^<>\n]{0,200}>[^<>\n]{0,50}){0,3}>",
    re.ASCII,
)
MAX_TYPE = 300
"""How many characters of a type that is being typed are looked at."""
NEAR = 6_000
"""How many characters before and behind the cursor are searched for types."""
MAX_TYPES = 40
"""How many types that the program has are offered."""


class TypePlace(NamedTuple):
    """The place of a type that is being typed, and what is written of it."""

    span: Span
    written: str


def type_place(statement: Statement, span: Span) -> TypePlace:
    """Returns the type at the cursor. `span` is the word at it."""
    text, end = statement.part.text, span.end
    match = OPEN_TYPE.search(text, max(statement.start, end - MAX_TYPE), end)
    start = match.start() if match else end
    behind = end + 1 if match and match["name"] and text[end : end + 1] == ">" else end
    return TypePlace(Span(start, behind), text[start:end])


def types_near(text: str, start: int, end: int) -> Iterator[str]:
    """Yields the types in the text around a span, those before it first, the nearest first."""
    before = [match[0] for match in WRITTEN.finditer(text, max(0, start - NEAR), start)]
    behind = (match[0] for match in WRITTEN.finditer(text, end, end + NEAR))
    yield from islice(dict.fromkeys([*reversed(before), *behind]), MAX_TYPES)


def element_types(written: str, near: Sequence[str]) -> Iterator[str]:
    """Yields the shaped type that is being typed with each element type, those of types nearby first."""
    match = OPEN_TYPE.match(written)
    if match is None or not match["name"]:
        return
    head = written[: match.end("shape")]
    elements = [each for each in (_element(type_) for type_ in near) if each]
    for element in dict.fromkeys([*elements, *ELEMENT_TYPES]):
        if match["name"] != "complex" or element in ("f32", "f64"):
            yield f"{head}{element}>"


def _element(type_: str) -> str:
    match = re.fullmatch(r"(?:tensor|vector|memref)<(?:(?:[0-9]+|\?|\*)x)*(.*)>", type_, re.ASCII)
    return match[1] if match and ", #" not in match[1] else ""
