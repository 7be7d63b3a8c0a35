"""Operations that may stand before another one, so that its operands have the types that it wants."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from shlo.ir.operations import BROKEN
from shlo.ir.places import Place
from shlo.ir.source import Span
from shlo.ir.types import ComplexType, FloatType, IntegerType, RankedTensorType, Type
from shlo.language.document import Edit, Part
from shlo.language.lexing import line_span
from shlo.language.names import names_of
from shlo.language.repairs import Repair, operand_types, section_of

CONVERTIBLE = (IntegerType, FloatType, ComplexType)
"""The elements that `stablehlo.convert` takes."""


def conversions(part: Part, place: Place) -> Iterator[Repair]:
    """Ways to make an operand fit by a conversion or a broadcast, those of the last operand first."""
    operation = place.operation
    if operation.name == BROKEN or place.parent is None:
        return
    actual = operand_types(place)
    for number in reversed(range(len(actual))):
        others = (*operation.operand_types, *actual, *operation.result_types)
        for wanted in dict.fromkeys(others):
            if wanted != actual[number]:
                yield from _conversion(part, place, number, actual[number], wanted)


def _conversion(part: Part, place: Place, number: int, own: Type, wanted: Type) -> Iterator[Repair]:
    """An operand of its own type as one of another type, where a few operations do that."""
    if not isinstance(own, RankedTensorType) or not isinstance(wanted, RankedTensorType):
        return
    uses = [name for name in names_of(part.text, place) if name.role == "use"]
    steps = list(_steps(own, wanted))
    if not steps or number >= len(uses):
        return
    use = uses[number]
    lines, name = "", part.text[slice(*use.span)] + (f"#{use.number}" if use.number else "")
    end = use.span.start + len(name)
    indent = _indent(part.text, place.start)
    for operation, attributes, before, after in steps:
        made = _fresh(part.text, f"{use.name}_{_SUFFIX[operation]}", lines)
        lines += f"%{made} = stablehlo.{operation} {name}{attributes} : ({before}) -> {after}\n{indent}"
        name = f"%{made}"
    edits = [Edit(Span(place.start, place.start), lines), Edit(Span(use.span.start, end), name)]
    what = " and ".join(f"stablehlo.{step[0]}" for step in steps)
    yield Repair(f"insert {what} to {wanted}", (*edits, *_declared(part, place, number, wanted)))


_SUFFIX = {"convert": "converted", "broadcast_in_dim": "broadcast"}
"""What the name of a converted value ends in."""


def _steps(own: RankedTensorType, wanted: RankedTensorType) -> Iterator[tuple[str, str, Type, Type]]:
    """The operations that make one type of another: name, attributes, types; none where there is no way."""
    converted = replace(own, element_type=wanted.element_type)
    dimensions = _dimensions(own.shape, wanted.shape)
    elements = (own.element_type, wanted.element_type)
    if dimensions is None or own.encoding != wanted.encoding:
        return
    if own.element_type != wanted.element_type:
        if not all(isinstance(each, CONVERTIBLE) for each in elements):
            return
        yield "convert", "", own, converted
    if own.shape != wanted.shape:
        yield "broadcast_in_dim", f", dims = {dimensions}", converted, wanted


def _dimensions(own: tuple[int | None, ...], wanted: tuple[int | None, ...]) -> list[int] | None:
    """Where the dimensions of a tensor go that is repeated to a wanted shape, the last ones to the last ones;
    None where they do not fit."""
    if own == wanted:
        return [*range(len(own))]
    first = len(wanted) - len(own)
    if first < 0 or None in own or None in wanted:
        return None
    fits = all(size in (1, target) for size, target in zip(own, wanted[first:]))
    return [*range(first, len(wanted))] if fits else None


def _declared(part: Part, place: Place, number: int, wanted: Type) -> list[Edit]:
    """The edit of the operand's type in the text, where that has one for each operand."""
    section = section_of(part, place)
    if section is None or not section.has_arrow or number >= len(section.before):
        return []
    span, written = section.before[number]
    return [] if written == wanted else [Edit(span, str(wanted))]


def _fresh(text: str, name: str, others: str) -> str:
    """A name that stands nowhere yet."""
    made, count = name, 1
    while re.search(rf"%{re.escape(made)}(?![\w$.-])", text + others):
        count += 1
        made = f"{name}_{count}"
    return made


def _indent(text: str, start: int) -> str:
    before = text[line_span(text, start).start : start]
    return before[: len(before) - len(before.lstrip())]
