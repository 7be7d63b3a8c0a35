"""Edits that carry out the suggestions of a finding: one function for each kind of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from shlo.dialects import find_op_def
from shlo.dialects.attr_constraints import EnumOf
from shlo.dialects.op_bindings import STRUCT_NAMES
from shlo.dialects.repairs import Conversion, steps
from shlo.ir.attributes import EnumAttr, StringAttr
from shlo.ir.diagnostics import Applicability, Diagnostic
from shlo.ir.op_path import OpPath, children_of, header_spans
from shlo.ir.operations import BROKEN
from shlo.ir.source import Span
from shlo.ir.suggestions import (
    Declare,
    FittingType,
    InsertConversion,
    LeaveOut,
    Replace,
    SetAttribute,
    SetRegion,
    SetSignature,
    SetType,
    SortItems,
    Suggestion,
    WriteAttribute,
    shown,
)
from shlo.ir.types import RankedTensorType, Type
from shlo.language.document import Edit, Part
from shlo.language.fixes import types
from shlo.language.fixes.changed_types import changed_type, number_of
from shlo.language.fixes.literals import literals, zero_of
from shlo.language.fixes.structure import entries, without_parts
from shlo.language.fixes.trial import Repair
from shlo.language.index.op_names import NameInText, free_name, indent_of, names_around, names_of, outermost
from shlo.language.index.types_in_text import type_from
from shlo.verifier.dominance import definitions
from shlo.verifier.finding_spans import WORDS

MAX_TITLE = 100
MAX_ITEMS = 64
"""How many items a list may have that is lengthened."""


def suggested(part: Part, op_path: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    """Yields the edits of a finding's suggestions; each is judged by its own finding alone."""
    for suggestion in finding.suggestions if op_path.operation.name != BROKEN else ():
        edits = _EDITS.get(type(suggestion))
        for repair in edits(part, op_path, finding, suggestion) if edits else ():
            title = repair.title[:MAX_TITLE]
            yield replace(repair, title=title, states=True, applicability=Applicability.GUESS)


# --- values ---


def _set_type(part: Part, op_path: OpPath, finding: Diagnostic, suggestion: SetType) -> Iterator[Repair]:
    """Yields another type of a value where it is defined."""
    subject, operation = suggestion.subject, op_path.operation
    if subject.role not in ("operand", "result") or not subject.name:
        return
    owned = operation.operand_types if subject.role == "operand" else operation.result_types
    new = changed_type(owned[subject.index], suggestion) if subject.index < len(owned) else None
    if new is None or new == owned[subject.index]:
        return
    old = owned[subject.index]
    if subject.role == "operand" and op_path.parent is not None and (converting := tuple(steps(old, new))):
        yield from types.conversion(part, op_path, Conversion(subject.index, converting))
    yield from types.of_another_type(part, op_path, subject.role, subject.index, new)
    yield from types.everywhere(part, op_path, old, new)


def _insert_conversion(
    part: Part, op_path: OpPath, finding: Diagnostic, suggestion: InsertConversion
) -> Iterator[Repair]:
    operands, number = op_path.operation.operand_types, suggestion.subject.index
    if op_path.parent is not None and number < len(operands):
        yield from types.conversion(part, op_path, Conversion(number, suggestion.steps))
        yield from types.everywhere(part, op_path, operands[number], suggestion.steps[-1].after)


# --- regions ---


def _set_signature(
    part: Part, op_path: OpPath, finding: Diagnostic, suggestion: SetSignature
) -> Iterator[Repair]:
    """Yields the types of a region's arguments, with those of what it returns and without."""
    number = suggestion.subject.index
    before = arguments_of(op_path, number)
    if not before or not suggestion.inputs or suggestion.subject.role != "region":
        return
    wanted = _fitted(suggestion.inputs, [type_ for _, type_ in before], op_path)
    results = _fitted(suggestion.results or (), wanted, op_path)
    edits = (
        *rewritten_arguments(part.text, op_path, number, wanted),
        *rewritten_return(part.text, op_path, number, wanted, results),
    )
    title = f"change the type of {suggestion.subject}"
    yield Repair(title, edits, follows=True)
    yield from retyped_arguments(part, op_path, title, wanted)


def _fitted(patterns: Sequence[FittingType], before: Sequence[Type], op_path: OpPath) -> list[Type]:
    """Returns the types of a list; a scalar of any elements has the elements of what is there."""
    fitted: list[Type] = []
    values = (*op_path.operation.result_types, *op_path.operation.operand_types)
    for pattern in patterns:
        for _ in range(max(len(op_path.operation.result_types), 1) if pattern.is_repeated else 1):
            if pattern.type is not None:
                fitted.append(pattern.type)
                continue
            among = (*before[len(fitted) : len(fitted) + 1], *values)
            tensor = next((type_ for type_ in among if isinstance(type_, RankedTensorType)), None)
            if tensor is not None:
                fitted.append(RankedTensorType((), tensor.element_type))
    return fitted


def _set_region(part: Part, op_path: OpPath, finding: Diagnostic, suggestion: SetRegion) -> Iterator[Repair]:
    """Yields other types of what a region takes or returns."""
    subject = suggestion.subject
    first, *rest = subject.facets or (None,)
    if first is None or subject.index >= len(op_path.operation.regions):
        return
    match first.kind:
        case "argument_types" if not rest:
            edits = rewritten_arguments(part.text, op_path, subject.index, suggestion.value)
            yield Repair(f"change the types of {subject.member}", tuple(edits), follows=True)
        case "argument":
            yield from _set_argument(part, op_path, suggestion)
        case "returns" if suggestion.relation == "=":
            yield from _set_returns(part, op_path, suggestion)
        case "returned":
            yield from _set_returned(part, op_path, suggestion)
        case _:
            pass


def _set_argument(part: Part, op_path: OpPath, suggestion: SetRegion) -> Iterator[Repair]:
    (first, *rest), number = suggestion.subject.facets, suggestion.subject.index
    arguments = arguments_of(op_path, number)
    index = first.numbers[0]
    if index is None or index >= len(arguments):
        return
    before = [type_ for _, type_ in arguments]
    new = changed_type(before[index], suggestion, rest)
    if new is None:
        return
    alike = [new if type_ == before[index] else type_ for type_ in before]
    for wanted in (alike, [*before[:index], new, *before[index + 1 :]]):
        edits = tuple(rewritten_arguments(part.text, op_path, number, wanted))
        yield Repair(f"change the types of {suggestion.subject.member}", edits, follows=True)


def _set_returned(part: Part, op_path: OpPath, suggestion: SetRegion) -> Iterator[Repair]:
    first, *rest = suggestion.subject.facets
    end = end_of(op_path, suggestion.subject.index)
    index = first.numbers[0]
    if end is not None and index is not None and index < len(end.operation.operands):
        new = changed_type(end.operation.operand_types[index], suggestion, rest)
        edits = types.definition_edits(part, end, index, new) if new else ()
        yield Repair(suggestion.text, edits, follows=True)


def _set_returns(part: Part, op_path: OpPath, suggestion: SetRegion) -> Iterator[Repair]:
    """Yields another terminator of a region, which gives values of other types, or fewer or more."""
    number, facets = suggestion.subject.index, suggestion.subject.facets
    region = op_path.operation.regions[number]
    if not region.blocks:
        return
    wanted: Iterable[Type] = ()
    arguments = [type_ for _, type_ in arguments_of(op_path, number)]
    if len(facets) == 1:
        wanted = suggestion.value
    elif facets[1].kind == "length":
        operations = region.blocks[0].operations
        scalars = (
            RankedTensorType((), argument.element_type)
            for argument in arguments
            if isinstance(argument, RankedTensorType)
        )
        wanted = [*(operations[-1].operand_types if operations else ()), *scalars][: suggestion.value]
    edits = tuple(rewritten_return(part.text, op_path, number, arguments, [*wanted]))
    if wanted and edits:
        title = f"make {suggestion.subject.member} return {', '.join(map(str, wanted))}"
        yield Repair(title, edits, follows=True)


# --- attributes ---


def _set_attribute(
    part: Part, op_path: OpPath, finding: Diagnostic, suggestion: SetAttribute
) -> Iterator[Repair]:
    """Yields another list, number, word or literal of an attribute."""
    subject = suggestion.subject
    yield from _lists(part, op_path, suggestion)
    yield from literals(part.text, op_path, suggestion)
    if suggestion.value == "is_namespaced_op_name":
        yield from _namespaced(part, op_path, subject.member)
    if subject.facets:
        return
    number = number_of(suggestion)
    if number is not None:
        if not any(
            name in op_path.operation.signature.properties for name in _holders(op_path, subject.member)
        ):
            yield from types.absent_attribute(part, op_path, subject.member)
        field = STRUCT_NAMES.get(subject.member, subject.member)
        pattern = re.compile(rf"\b{field}\s*=\s*(?:[^,>}}]*\bhandle\s*=\s*)?(-?\d+)\b")
        for span in _matches(part.text, op_path, pattern):
            yield Repair(f"make {subject.member} {number}", (Edit(span, str(number)),), follows=True)
    yield from _words(part, op_path, suggestion)


def _holders(op_path: OpPath, member: str) -> tuple[str, ...]:
    """Returns the attribute that a member is, or is a field of."""
    op_def = find_op_def(op_path.operation.name)
    specs = op_def.attributes if op_def else ()
    return tuple(spec.name for spec in specs if member in (spec.name, *types.parameter_names(spec, None)))


def _words(part: Part, op_path: OpPath, suggestion: SetAttribute) -> Iterator[Repair]:
    """Yields other words of an enumeration in place of the one that an attribute has."""
    op_def = find_op_def(op_path.operation.name)
    spec = op_def.attribute(suggestion.subject.member) if op_def else None
    old = op_path.operation.signature.properties.get(suggestion.subject.member)
    if spec is None or not isinstance(old, EnumAttr) or not isinstance(spec.constraint, EnumOf):
        return
    wanted = [str(word) for word in suggestion.items or (suggestion.value,)]
    if suggestion.relation in ("!=", "not in"):
        wanted = [word for word in spec.constraint.enum.words if word not in wanted]
    for word in wanted:
        for span in spans_of(part.text, op_path, old.value):
            yield Repair(f"change {old.value} to {word}", (Edit(span, word),), follows=True)


def _namespaced(part: Part, op_path: OpPath, name: str) -> Iterator[Repair]:
    """Yields the name of an operation with a dialect."""
    value = op_path.operation.signature.properties.get(name)
    if isinstance(value, StringAttr):
        pieces = (re.sub(r"\W+|\A\d+", "", piece) for piece in value.value.split("."))
        words = [word for word in pieces if word]
        new = ".".join(words if len(words) > 1 else ["dialect", *words] if words else ["dialect", "name"])
        for span in spans_of(part.text, op_path, str(value)):
            yield Repair(f'write "{new}"', (Edit(span, f'"{new}"'),))


def _lists(part: Part, op_path: OpPath, suggestion: SetAttribute) -> Iterator[Repair]:
    """Yields lists of numbers of another length or with other items."""
    name = suggestion.subject.member
    for span in _list_spans(part.text, op_path, name):
        items = [item.strip() for item in part.text[slice(*span)].split(",") if item.strip()]
        new = _changed_list(items, suggestion)
        if new is not None and new != items:
            text = ", ".join(new)
            if part.text[: span.start].endswith(("i64", "i1")):
                text = f": {text}"
            yield Repair(f"make {name} [{', '.join(new)}]", (Edit(span, text),), follows=True)


def _changed_list(items: list[str], suggestion: SetAttribute) -> list[str] | None:
    number, facets, value = number_of(suggestion), suggestion.subject.facets, suggestion.value
    match [facet.kind for facet in facets]:
        case []:
            return (
                [*map(shown, suggestion.items)]
                if isinstance(value, tuple) and _is_whole(suggestion)
                else None
            )
        case ["length"] if number is not None:
            size = min(number, MAX_ITEMS)
            return [*items, *_new_items(items, size, suggestion.subject.member)][:size]
        case ["item"] if facets[0].numbers and (at := facets[0].numbers[0] or 0) < len(items):
            new = shown(value if number is None else number)
            if not re.fullmatch(r"[-\w.]+", items[at]):
                new = re.sub(r"\w+(?=>?\Z)", new, items[at])  # the word of an enum
            return [*items[:at], new, *items[at + 1 :]]
        case _:
            return None


def _is_whole(suggestion: SetAttribute) -> bool:
    return suggestion.relation in ("=", "permutation")


def _new_items(items: Sequence[str], size: int, name: str) -> list[str]:
    """Returns items that lengthen a list: other dimensions than it has, or the last item again."""
    usual = "0" if not items or re.fullmatch(r"-?\d+", items[-1]) else items[-1]
    if "dim" in name and usual == "0":
        return [str(number) for number in range(size) if str(number) not in items]
    return [items[-1] if items else usual] * size


def _list_spans(text: str, op_path: OpPath, name: str) -> Iterator[Span]:
    """Yields where the items of a list that has a name are."""
    names = "|".join((name, *WORDS.get(name, ())))
    pattern = re.compile(rf"\b(?:{names})\s*=\s*(?:\[(?P<a>[^\[\]]*)\]|array<\w+(?::\s*(?P<b>[^>]*))?>)")
    for start, end in header_spans(op_path):
        for match in pattern.finditer(text, start, end):
            group = "a" if match["a"] is not None else "b"
            if match[group] is not None:
                yield Span(*match.span(group))
            else:
                yield Span(match.end() - 1, match.end() - 1)  # array<i64>


def _write_attribute(
    part: Part, op_path: OpPath, finding: Diagnostic, suggestion: WriteAttribute
) -> Iterator[Repair]:
    """Yields another value of an entry."""
    if suggestion.value.startswith("<"):
        pattern = re.compile(rf"\b{suggestion.name}\s*=\s*(<[^<>]*>)")
        for span in _matches(part.text, op_path, pattern):
            yield Repair(suggestion.text, (Edit(span, suggestion.value),))
        return
    for span in entries(part.text, op_path, suggestion.name):
        old = part.text[slice(*span)].strip().strip(",").strip()
        start = part.text.index(old, span.start)
        yield Repair(f"write {suggestion.entry}", (Edit(Span(start, start + len(old)), suggestion.entry),))


def _leave_out(part: Part, op_path: OpPath, finding: Diagnostic, suggestion: LeaveOut) -> Iterator[Repair]:
    if suggestion.of == "entry":
        for span in entries(part.text, op_path, suggestion.name):
            yield Repair(f"leave '{suggestion.name}' out", (Edit(span, ""),))
    elif suggestion.of == "text":
        item = rf"{re.escape(suggestion.name)}(?::\(\d+\)\d+)?(?!\w)"
        is_item = suggestion.name.startswith('"')
        pattern = re.compile(rf"{item}\s*,\s*|,\s*{item}|{item}" if is_item else item)
        for start, end in (finding.span, *header_spans(op_path)):
            for match in pattern.finditer(part.text, start, end):
                yield Repair(f"leave {suggestion.name} out", (Edit(Span(*match.span()), ""),))
    else:
        yield from without_parts(part, op_path, suggestion.of)


# --- text ---


def replacements(part: Part, op_path: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    """Yields what a finding suggests to write in place of something else."""
    for suggestion in finding.suggestions:
        if isinstance(suggestion, Replace):
            yield from _replace(part, op_path, finding, suggestion)


def _replace(part: Part, op_path: OpPath, finding: Diagnostic, suggestion: Replace) -> Iterator[Repair]:
    title = f"write {suggestion.new}"[:MAX_TITLE]
    spans = spans_of(part.text, op_path, suggestion.old) if suggestion.old else (finding.span,)
    for span in spans:
        yield Repair(title, (Edit(span, suggestion.new),))


def _sort_items(part: Part, op_path: OpPath, finding: Diagnostic, suggestion: SortItems) -> Iterator[Repair]:
    """Yields lists in braces sorted, and with each item once."""
    for match in re.compile(r"\{([^{}]*,[^{}]*)\}").finditer(part.text, *finding.span):
        items = dict.fromkeys(item.strip() for item in match[1].split(","))
        yield Repair("sort them", (Edit(Span(*match.span(1)), ", ".join(sorted(items))),))
        yield Repair("use each once", (Edit(Span(*match.span(1)), ", ".join(items)),))


def _declare(part: Part, op_path: OpPath, finding: Diagnostic, suggestion: Declare) -> Iterator[Repair]:
    start, line = outermost(op_path).start, f"func.func private {suggestion.symbol}()"
    if suggestion.of == "mesh":
        axes = dict.fromkeys(re.findall(r'[{,]\s*("\w+")', part.text[op_path.start : op_path.end]))
        line = f"sdy.mesh {suggestion.symbol} = <[{', '.join(f'{axis}=1' for axis in axes)}]>"
    verb = "define" if suggestion.of == "mesh" else "declare"
    yield Repair(f"{verb} {suggestion.symbol}", (Edit(Span(start, start), f"{line}\n"),))


def spans_of(text: str, op_path: OpPath, written: str) -> Iterator[Span]:
    """Yields where something is written in an operation's own text, with any blanks between its tokens."""
    tokens = re.findall(r'"[^"]*"|[\w$.@%-]+|[^\w\s]', written)
    start = r"(?<![\w.$-])" if re.match(r"[\w$]", written) else ""
    end = r"(?![\w.$])" if re.search(r"\w\Z", written) else ""
    pattern = r"\s*".join(map(re.escape, tokens))
    yield from _matches(text, op_path, re.compile(f"{start}({pattern}){end}"))


def _matches(text: str, op_path: OpPath, pattern: re.Pattern[str]) -> Iterator[Span]:
    """Yields where the first group of a pattern is in an operation's own text."""
    for start, end in header_spans(op_path):
        for match in pattern.finditer(text, start, end):
            yield Span(*match.span(1))


_Edits = Callable[[Part, OpPath, Diagnostic, Any], Iterator[Repair]]
_EDITS: Final[Mapping[type[Suggestion], _Edits]] = {
    Declare: _declare,
    InsertConversion: _insert_conversion,
    LeaveOut: _leave_out,
    Replace: _replace,
    SetAttribute: _set_attribute,
    SetRegion: _set_region,
    SetSignature: _set_signature,
    SetType: _set_type,
    SortItems: _sort_items,
    WriteAttribute: _write_attribute,
}
"""What carries out a suggestion. The others are carried out by code or where names and syntax are fixed."""


def arguments_of(op_path: OpPath, number: int) -> list[tuple[str, Type]]:
    """Returns the names and types of a region's arguments, none where it has no blocks."""
    regions = op_path.operation.regions
    if number >= len(regions) or not regions[number].blocks:
        return []
    table = regions[number].values
    return [(table.names[value], table.types[value]) for value in regions[number].blocks[0].arguments]


def end_of(op_path: OpPath, number: int) -> OpPath | None:
    """Returns the last operation of a region."""
    return next(reversed([child for child in children_of(op_path) if child.region == number]), None)


def rewritten_arguments(text: str, op_path: OpPath, number: int, wanted: Sequence[Type]) -> Iterator[Edit]:
    """Yields the edit that gives a region arguments of other types, the same ones in another order where that
    is enough."""
    old = [name for name, _ in arguments_of(op_path, number)]
    named = [name for name in names_of(text, op_path) if name.role == "argument" and name.region == number]
    spans = [span for name in named if name.name in old and (span := _declaration(text, name))]
    if not spans or len(spans) != len(old):
        return
    names = [f"%{name}" for name in old]
    declared = [typed[1] for span in spans if (typed := _declared_type(text, span))]
    if declared != [*wanted] and Counter(declared) == Counter(wanted):
        left = list(zip(names, declared))
        names = [
            left.pop(next(at for at, argument in enumerate(left) if argument[1] == type_))[0]
            for type_ in wanted
        ]
    while len(names) < len(wanted):
        names.append(f"%{old[0]}_{len(names)}")
    shown = ", ".join(f"{name}: {type_}" for name, type_ in zip(names, wanted))
    whole = Span(spans[0].start, spans[-1].end)
    if shown != text[slice(*whole)]:
        yield Edit(whole, shown)


def _declaration(text: str, name: NameInText) -> Span | None:
    colon = re.compile(r"\s*:\s*").match(text, name.span.end)
    typed = type_from(text, colon.end()) if colon else None
    return Span(name.span.start, typed[0].end) if typed else None


def _declared_type(text: str, span: Span) -> tuple[Span, Type] | None:
    colon = re.compile(r"%[^:]*:\s*").match(text, *span)
    return type_from(text, colon.end()) if colon else None


def retyped_arguments(part: Part, op_path: OpPath, title: str, wanted: Sequence[Type]) -> Iterator[Repair]:
    """Yields other types for the arguments of each region that has as many."""
    for number in range(len(op_path.operation.regions)):
        arguments = dict(zip((name for name, _ in arguments_of(op_path, number)), wanted, strict=False))
        if len(arguments) != len(wanted):
            continue
        edits: list[Edit] = []
        for name in names_of(part.text, op_path):
            if name.role == "argument" and name.region == number and name.name in arguments:
                span = _declaration(part.text, name)
                typed = _declared_type(part.text, span) if span else None
                if typed and typed[1] != arguments[name.name]:
                    edits.append(Edit(typed[0], str(arguments[name.name])))
        if edits:
            yield Repair(title, tuple(edits), follows=True)


def rewritten_return(
    text: str, op_path: OpPath, number: int, arguments: Sequence[Type], wanted: Sequence[Type]
) -> Iterator[Edit]:
    """Yields another terminator: what it returned where that is of the type, else an argument that is."""
    last = end_of(op_path, number)
    if last is None or not last.operation.name.endswith(".return"):
        return
    operands, types = last.operation.operands, last.operation.operand_types
    before = arguments_of(op_path, number)
    is_changed = [type_ for _, type_ in before] != [*arguments]
    if is_changed and len(types) == len(wanted) and all(map(_is_alike, types, wanted)):
        return  # types that follow
    table = op_path.operation.regions[number].values
    named = [(last.values.names[value], type_) for value, type_ in zip(operands, types)]
    named += zip((name for name, _ in before), arguments)
    inside = [
        value for value in definitions(op_path.operation.regions[number].blocks[0]) if table.names[value]
    ]
    named += [(table.names[value], table.types[value]) for value in reversed(inside)]
    shown: list[str] = []
    lines, indent, used_names = "", indent_of(text, last.start), names_around(text, last)
    for index, type_ in enumerate(wanted):
        same = [name for name, value_type in named if value_type == type_]
        if index < len(types) and types[index] == type_:
            same.insert(0, last.values.names[operands[index]])
        if not same:
            operand = last.values.names[operands[index]] if index < len(types) else ""
            stem, created = _new_value(operand, types[index] if operand else None, type_)
            if not created:
                return
            same.append(free_name(used_names, stem))
            lines += f"%{same[0]} = {created}\n{indent}"
            used_names.add(same[0])
        shown.append(f"%{same[0]}")
    types_ = f" : {', '.join(map(str, wanted))}" if wanted else ""
    yield Edit(last.span, f"{lines}stablehlo.return {', '.join(shown)}".rstrip() + types_)


def _new_value(operand: str, type_: Type | None, wanted: Type) -> tuple[str, str]:
    """Returns a name for a value of a type and the operation that makes it: of an operand, or zeros."""
    if type_ is None:
        zero = zero_of(wanted)
        return "zero", f"stablehlo.constant {zero}" if zero else ""
    step = next(types.reshape(type_, wanted), None)
    stem = f"v{operand}" if operand.isdigit() else operand
    return f"{stem}_reshaped", f"stablehlo.reshape %{operand}{step.types}" if step else ""


def _is_alike(one: Type, other: Type) -> bool:
    if isinstance(one, RankedTensorType) and isinstance(other, RankedTensorType):
        return one.element_type == other.element_type
    return one == other
