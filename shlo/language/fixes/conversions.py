"""Operations that may are before another one, so that its operands have the types that it wants."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shlo.dialects.fixits import conversions as types
from shlo.ir.op_path import OpPath
from shlo.ir.operations import BROKEN
from shlo.ir.source import Span
from shlo.ir.types import Type
from shlo.language.document import Edit, Part
from shlo.language.fixes.repairs import Repair, operand_types, section_of
from shlo.language.index.op_names import names_of
from shlo.syntax.lexer.tokens import line_span


def conversions(part: Part, place: OpPath) -> Iterator[Repair]:
    """Ways to make an operand fit by a conversion or a broadcast, those of the last operand first."""
    operation = place.operation
    if operation.name == BROKEN or place.parent is None:
        return
    actual = operand_types(place)
    for found in types.conversions(actual, (*operation.operand_types, *actual, *operation.result_types)):
        yield from _conversion(part, place, found)


def _conversion(part: Part, place: OpPath, found: types.Conversion) -> Iterator[Repair]:
    """Yields the edits that put a conversion before an operation."""
    uses = [name for name in names_of(part.text, place) if name.role == "use"]
    if found.operand >= len(uses):
        return
    use = uses[found.operand]
    lines, name = "", part.text[slice(*use.span)] + (f"#{use.number}" if use.number else "")
    end = use.span.start + len(name)
    indent = _indent(part.text, place.start)
    for step in found.steps:
        unused_name = _fresh(part.text, f"{use.name}_{_SUFFIX[step.operation]}", lines)
        lines += f"%{unused_name} = stablehlo.{step.operation} {name}{step.types}\n{indent}"
        name = f"%{unused_name}"
    edits = [Edit(Span(place.start, place.start), lines), Edit(Span(use.span.start, end), name)]
    what = " and ".join(f"stablehlo.{step.operation}" for step in found.steps)
    declared = _declared(part, place, found.operand, found.wanted)
    yield Repair(f"insert {what} to {found.wanted}", (*edits, *declared))


_SUFFIX = {"convert": "converted", "broadcast_in_dim": "broadcast"}
"""What the name of a converted value ends in."""


def _declared(part: Part, place: OpPath, number: int, wanted: Type) -> list[Edit]:
    """Returns the edit of the operand's type in the text, where that has one for each operand."""
    section = section_of(part, place)
    if section is None or not section.has_arrow or number >= len(section.before):
        return []
    span, written = section.before[number]
    return [] if written == wanted else [Edit(span, str(wanted))]


def _fresh(text: str, name: str, others: str) -> str:
    """Returns a name that is nowhere yet."""
    unused_name, count = name, 1
    while re.search(rf"%{re.escape(unused_name)}(?![\w$.-])", text + others):
        count += 1
        unused_name = f"{name}_{count}"
    return unused_name


def _indent(text: str, start: int) -> str:
    before = text[line_span(text, start).start : start]
    return before[: len(before) - len(before.lstrip())]
