"""Edits of what a region takes and returns: the types of its arguments, its terminator."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from shlo.ir.op_path import OpPath, children_of
from shlo.ir.source import Span
from shlo.ir.types import RankedTensorType, Type
from shlo.language.document import Edit, Part
from shlo.language.fixes import types
from shlo.language.fixes.literals import zero_of
from shlo.language.fixes.trial import Repair
from shlo.language.index.op_names import Name, names_around, names_of
from shlo.language.index.types_in_text import type_from
from shlo.language.text_edits import free_name, indent_of
from shlo.verifier.dominance import definitions


def arguments_of(place: OpPath, number: int) -> list[tuple[str, Type]]:
    """Returns the names and types of a region's arguments, none where it has no blocks."""
    regions = place.operation.regions
    if number >= len(regions) or not regions[number].blocks:
        return []
    table = regions[number].values
    return [(table.names[value], table.types[value]) for value in regions[number].blocks[0].arguments]


def end_of(place: OpPath, number: int) -> OpPath | None:
    """Returns the last operation of a region."""
    return next(reversed([child for child in children_of(place) if child.region == number]), None)


def rewritten_arguments(text: str, place: OpPath, number: int, wanted: Sequence[Type]) -> Iterator[Edit]:
    """Yields the edit that gives a region arguments of other types, the same ones in another order where that
    is enough."""
    old = [name for name, _ in arguments_of(place, number)]
    named = [name for name in names_of(text, place) if name.role == "argument" and name.region == number]
    spans = [span for name in named if name.name in old and (span := _declaration(text, name))]
    if not spans or len(spans) != len(old):
        return
    names = [f"%{name}" for name in old]
    declared = [found[1] for span in spans if (found := _declared_type(text, span))]
    if declared != [*wanted] and Counter(declared) == Counter(wanted):
        left = list(zip(names, declared))
        names = [
            left.pop(next(at for at, each in enumerate(left) if each[1] == type_))[0] for type_ in wanted
        ]
    while len(names) < len(wanted):
        names.append(f"%{old[0]}_{len(names)}")
    shown = ", ".join(f"{name}: {type_}" for name, type_ in zip(names, wanted))
    whole = Span(spans[0].start, spans[-1].end)
    if shown != text[slice(*whole)]:
        yield Edit(whole, shown)


def _declaration(text: str, name: Name) -> Span | None:
    colon = re.compile(r"\s*:\s*").match(text, name.span.end)
    found = type_from(text, colon.end()) if colon else None
    return Span(name.span.start, found[0].end) if found else None


def _declared_type(text: str, span: Span) -> tuple[Span, Type] | None:
    colon = re.compile(r"%[^:]*:\s*").match(text, *span)
    return type_from(text, colon.end()) if colon else None


def retyped_arguments(part: Part, place: OpPath, title: str, wanted: Sequence[Type]) -> Iterator[Repair]:
    """Yields other types for the arguments of each region that has as many."""
    for number in range(len(place.operation.regions)):
        arguments = dict(zip((name for name, _ in arguments_of(place, number)), wanted, strict=False))
        if len(arguments) != len(wanted):
            continue
        edits: list[Edit] = []
        for name in names_of(part.text, place):
            if name.role == "argument" and name.region == number and name.name in arguments:
                span = _declaration(part.text, name)
                found = _declared_type(part.text, span) if span else None
                if found and found[1] != arguments[name.name]:
                    edits.append(Edit(found[0], str(arguments[name.name])))
        if edits:
            yield Repair(title, tuple(edits), follows=True)


def rewritten_return(
    text: str, place: OpPath, number: int, arguments: Sequence[Type], wanted: Sequence[Type]
) -> Iterator[Edit]:
    """Yields another terminator: what it returned where that is of the type, else an argument that is."""
    last = end_of(place, number)
    if last is None or not last.operation.name.endswith(".return"):
        return
    operands, given = last.operation.operands, last.operation.operand_types
    before = arguments_of(place, number)
    is_changed = [type_ for _, type_ in before] != [*arguments]
    if is_changed and len(given) == len(wanted) and all(map(_is_alike, given, wanted)):
        return  # types that follow
    table = place.operation.regions[number].values
    known = [(last.values.names[value], type_) for value, type_ in zip(operands, given)]
    known += zip((name for name, _ in before), arguments)
    inside = [value for value in definitions(place.operation.regions[number].blocks[0]) if table.names[value]]
    known += [(table.names[value], table.types[value]) for value in reversed(inside)]
    shown: list[str] = []
    lines, indent, used_names = "", indent_of(text, last.start), names_around(text, last)
    for index, type_ in enumerate(wanted):
        same = [name for name, own in known if own == type_]
        if index < len(given) and given[index] == type_:
            same.insert(0, last.values.names[operands[index]])
        if not same:
            operand = last.values.names[operands[index]] if index < len(given) else ""
            stem, made = _made(operand, given[index] if operand else None, type_)
            if not made:
                return
            same.append(free_name(used_names, stem))
            lines += f"%{same[0]} = {made}\n{indent}"
            used_names.add(same[0])
        shown.append(f"%{same[0]}")
    types_ = f" : {', '.join(map(str, wanted))}" if wanted else ""
    yield Edit(last.span, f"{lines}stablehlo.return {', '.join(shown)}".rstrip() + types_)


def _made(operand: str, own: Type | None, wanted: Type) -> tuple[str, str]:
    """Returns a name for a value of a type and the operation that makes it: of an operand, or zeros."""
    if own is None:
        zero = zero_of(wanted)
        return "zero", f"stablehlo.constant {zero}" if zero else ""
    step = next(types.reshape(own, wanted), None)
    stem = f"v{operand}" if operand.isdigit() else operand
    return f"{stem}_reshaped", f"stablehlo.reshape %{operand}{step.types}" if step else ""


def _is_alike(one: Type, other: Type) -> bool:
    if isinstance(one, RankedTensorType) and isinstance(other, RankedTensorType):
        return one.element_type == other.element_type
    return one == other
