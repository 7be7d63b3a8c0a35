"""What may resolve a finding: the right types, conversions, missing attributes, names that are similar."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shlo.dialects import find_op_def
from shlo.dialects.fixits.conversions import Conversion
from shlo.dialects.fixits.conversions import conversions as find_conversions
from shlo.dialects.inference import infer
from shlo.dialects.op_bindings import OpBindings
from shlo.ir.op_path import OpPath, header_spans
from shlo.ir.operations import BROKEN, Signature
from shlo.ir.source import Span
from shlo.ir.types import Type, UnknownType
from shlo.language.completion.items import values_in_scope
from shlo.language.completion.statement import statement_at
from shlo.language.document import Edit, Part
from shlo.language.index.op_names import names_of
from shlo.language.index.types_in_text import TypeSection, type_section
from shlo.language.index.values import Value
from shlo.syntax.lexer.tokens import line_span, token_at
from shlo.text.suggest import nearest_names as similar_names
from shlo.verifier.op_context import region_type

GENERIC_HEAD = re.compile(
    r'[^"]*"[\w.$]+"\s*\([^()]*\)(?:\s*\[[^\]]*\])?(?:\s*<\{(?P<rest>\s*\})?)?', re.ASCII
)


_SUFFIX = {"convert": "converted", "broadcast_in_dim": "broadcast"}
"""What the name of a converted value ends in."""


@dataclass(frozen=True, slots=True)
class Repair:
    """What to call some edits of a part's text, none of which depends on another. One that is not the
    `is_whole` remedy mends its finding and may leave others."""

    title: str
    edits: tuple[Edit, ...]
    is_whole: bool = True


def right_types(part: Part, place: OpPath) -> Iterator[Repair]:
    """Yields the types that the operands are of, and the result types that follow from these."""
    operation = place.operation
    op_def = find_op_def(operation.name)
    section = _section_of(part, place)
    if op_def is None or section is None or operation.name == BROKEN:
        return
    operands = _operand_types(place)
    regions = tuple(map(region_type, operation.regions))
    signature = Signature(operation.name, operands, operation.result_types, operation.signature.properties)
    inferred = infer(op_def, OpBindings(op_def, signature, regions))
    results = [found or declared for found, declared in zip(inferred, operation.result_types)]
    edits = _retyped(section, operands, results)
    if edits:
        same = operands == operation.operand_types
        shown = ", ".join(dict.fromkeys(map(str, results if same else operands)))
        yield Repair(f"make the {'result' if same else 'operand'}'s type {shown}"[:100], edits)


def _retyped(section: TypeSection, operands: Sequence[Type], results: Sequence[Type]) -> tuple[Edit, ...]:
    """Returns the edits that make the types in a text those."""
    if section.has_arrow:
        return (*_changes(section.before, operands), *_changes(section.behind, results))
    every = {*operands, *results}
    if len(section.before) == len(every) == 1:
        return _changes(section.before, [*every])
    return _changes(section.before, results) or _changes(section.before, operands)


def _changes(found: Sequence[tuple[Span, Type]], types: Sequence[Type]) -> tuple[Edit, ...]:
    if len(found) != len(types):
        return ()
    return tuple(Edit(span, str(new)) for (span, old), new in zip(found, types) if old != new)


def _section_of(part: Part, place: OpPath) -> TypeSection | None:
    """Returns the types at the end of an operation's text."""
    return type_section(part.text, *header_spans(place)[-1])


def _operand_types(place: OpPath) -> tuple[Type, ...]:
    """Returns the types of which an operation's operands are where they are defined."""
    operation, known = place.operation, place.values.types
    return tuple(
        declared if isinstance(known[value], UnknownType) else known[value]
        for value, declared in zip(operation.operands, operation.operand_types)
    )


def conversions(part: Part, place: OpPath) -> Iterator[Repair]:
    """Ways to make an operand fit by a conversion or a broadcast, those of the last operand first."""
    operation = place.operation
    if operation.name == BROKEN or place.parent is None:
        return
    actual = _operand_types(place)
    for found in find_conversions(actual, (*operation.operand_types, *actual, *operation.result_types)):
        yield from _conversion(part, place, found)


def _conversion(part: Part, place: OpPath, found: Conversion) -> Iterator[Repair]:
    """Yields the edits that put a conversion before an operation."""
    uses = [name for name in names_of(part.text, place) if name.role == "use"]
    if found.operand >= len(uses):
        return
    use = uses[found.operand]
    lines, name = "", part.text[slice(*use.span)] + (f"#{use.number}" if use.number else "")
    end = use.span.start + len(name)
    before = part.text[line_span(part.text, place.start).start : place.start]
    indent = before[: len(before) - len(before.lstrip())]
    for step in found.steps:
        unused_name = _fresh(part.text, f"{use.name}_{_SUFFIX[step.operation]}", lines)
        lines += f"%{unused_name} = stablehlo.{step.operation} {name}{step.types}\n{indent}"
        name = f"%{unused_name}"
    edits = [Edit(Span(place.start, place.start), lines), Edit(Span(use.span.start, end), name)]
    what = " and ".join(f"stablehlo.{step.operation}" for step in found.steps)
    declared = _declared(part, place, found.operand, found.wanted)
    yield Repair(f"insert {what} to {found.wanted}", (*edits, *declared))


def _declared(part: Part, place: OpPath, number: int, wanted: Type) -> list[Edit]:
    """Returns the edit of the operand's type in the text, where that has one for each operand."""
    section = _section_of(part, place)
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


def missing_attributes(part: Part, place: OpPath) -> Iterator[Repair]:
    """Yields the attributes that an operation in generic form lacks, with values to go on from."""
    op_def = find_op_def(place.operation.name)
    head = GENERIC_HEAD.match(part.text, place.start, place.end)
    if op_def is None or head is None:
        return
    properties = place.operation.signature.properties
    missing = [spec for spec in op_def.attributes if spec.required and spec.name not in properties]
    if missing:
        text = ", ".join(spec.example for spec in missing)
        names = ", ".join(f"'{spec.name}'" for spec in missing)
        yield Repair(f"add the attribute {names}", (_inserted(head, text),), is_whole=False)


def _inserted(head: re.Match[str], entries: str) -> Edit:
    if head["rest"] is not None:
        return Edit(Span(*head.span("rest")), f"{entries}}}")
    if head[0].endswith("<{"):
        return Edit(Span(head.end(), head.end()), f"{entries}, ")
    return Edit(Span(head.end(), head.end()), f" <{{{entries}}}>")


def nearest_names(part: Part, span: Span) -> Iterator[Repair]:
    """Yields the names in scope that are like one which nothing defines."""
    token = token_at(part.text, span.start)
    if token is None or token.kind != "value":
        return
    value = part.index.value(token)
    if value is not None and value.owner is not None:
        return
    name = token.text[1:].partition("#")[0]
    for close in similar_names(
        name, (known for known, _ in values_in_scope(statement_at(part, span.start))), 3
    ):
        edits = tuple(Edit(each, f"%{close}") for each in _uses(part, token.span, value))
        yield Repair(f"change '%{name}' to '%{close}'", edits)


def _uses(part: Part, span: Span, value: Value | None) -> list[Span]:
    """Returns every place of a name that nothing defines."""
    uses = [use.span for use in part.index.occurrences(value)] if value else []
    return uses if span in uses else [span]
