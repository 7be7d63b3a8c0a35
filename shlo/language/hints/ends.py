"""What a closing brace ends that was opened far above."""

from __future__ import annotations

from collections.abc import Iterator

from shlo.ir.op_path import OpPath
from shlo.language.document import Part
from shlo.language.hints.hint import Hint, shortened
from shlo.syntax.lexer.strings import symbol_text

FAR = 15
"""From how many lines on a brace gets a hint."""
MAX_LOOKED_AT = 100_000
"""How many characters of an operation are counted for lines; one that is longer has enough of them."""


def end_hints(part: Part, place: OpPath) -> Iterator[Hint]:
    """Yields the name of an operation behind its last brace, in spans of the part."""
    text, end = part.text, place.end
    if not place.operation.regions or text[end - 1 : end] != "}" or not _is_long(text, place):
        return
    results = [place.values.names[value] for value in place.operation.results[:1]] if place.parent else []
    said = symbol_text(name) if (name := place.operation.symbol) else place.operation.name
    if results and results[0]:
        said = f"%{results[0].partition('#')[0]} {said}"
    yield Hint(end, f" {shortened(said)}", said, "end")


def _is_long(text: str, place: OpPath) -> bool:
    if place.end - place.start > MAX_LOOKED_AT:
        return True
    return text.count("\n", place.start, place.end) >= FAR
