"""Edits that a finding's help states in words: sizes and types of values, regions' types, lists, axes."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from shlo.dialects import find_op_def
from shlo.dialects.attr_constraints import EnumOf
from shlo.dialects.fixits.conversions import Conversion, conversions, steps
from shlo.dialects.op_bindings import STRUCT_NAMES
from shlo.ir.diagnostics import Applicability, Diagnostic
from shlo.ir.op_path import OpPath, children_of, header_spans
from shlo.ir.operations import BROKEN
from shlo.ir.source import Span
from shlo.ir.types import RankedTensorType, Type
from shlo.language.document import Edit, Part
from shlo.language.fixes import types
from shlo.language.fixes.literals import literals, zero_of
from shlo.language.fixes.said_types import changed_type, said_type
from shlo.language.fixes.structure import entries
from shlo.language.fixes.trial import Repair
from shlo.language.index.op_names import Name, names_around, names_of, outermost
from shlo.language.index.types_in_text import type_from, types_between
from shlo.language.text_edits import free_name, indent_of
from shlo.verifier.dominance import definitions
from shlo.verifier.finding_spans import WORDS

_REGION = re.compile(r"let (?P<region>[\w\[\]]+) be of type \((?P<arguments>.*)\) -> \((?P<results>.*)\)")
_ARGUMENTS = re.compile(r"make the types of the arguments of (?P<region>\w+)(?:\[(?P<at>\d+)\])? (?P<new>.+)")
_ARGUMENT = re.compile(
    r"(?:(?P<what>element type|shape) of )?argument (?P<number>\d+) of (?P<region>\w+)(?:\[(?P<at>\d+)\])? "
    r"(?P<new>[^,]+(?:, ?[\d?]+\])?)"
)
_RETURNS = re.compile(
    r"(?:length of )?what (?P<region>\w+)(?:\[(?P<at>\d+)\])? returns "
    r"(?:(?P<length>\d+)\b|(?P<none>none)|(?P<types>[^\d]\S*<.*?>+(?:, ?\S*<.*?>+)*))"
)
_RETURNED = re.compile(
    r"(?P<what>rank|shape|element type) of value (?P<number>\d+) of what (?P<region>\w+)(?:\[(?P<at>\d+)\])? "
    r"returns (?P<new>\[[\d, ]*\]|[^,]+)"
)
_LENGTH = re.compile(
    r"length of (?P<name>\w+) (?:at (?:least|most) |a number from |one of \[\d+, )?(?P<size>\d+)"
)
_LIST = re.compile(r"make (?P<name>\w+) (?:a permutation of .*, such as )?(?P<new>\[[-\d, ]*\])")
_ITEM = re.compile(
    r"make (?P<name>\w+)\[(?P<at>\d+)\] "
    r"(?P<words>a number from |at (?:least|most) |greater than )?(?P<new>[-\w.]+)"
)
_NUMBER = re.compile(
    r"make (\w+) (a number from |at least |at most |greater than |none of |)(-?\d+|\[[-\d, ]+\])(?!.*\])"
)
_WORD = re.compile(r"\bmake (?P<name>\w+) (?:one of \[)?(?P<new>[A-Z][A-Z0-9_]*)\b")
_LETTER = re.compile(r"tensor<[A-Z]>")


def stated(part: Part, place: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    """Yields the edits that the help states; each is judged by its own finding alone."""
    if place.operation.name == BROKEN or not finding.help:
        return
    ways = re.split(r", or (?:make )?(?=the |%|dimension|argument|result|leave|\w+ \[)", finding.help)
    found = (
        _converted(part, place, finding),
        _of_regions(part, place, finding.help),
        _of_local_types(part, place, finding),
        *(_of_values(part, place, way) for way in ways),
        *(_of_lists(part, place, way if way.startswith("make ") else f"make {way}") for way in ways),
        *(literals(part.text, place, way) for way in ways),
        _of_returns(part, place, finding.help),
        _of_axes(part, place, finding),
        _of_shardings(part, place, finding),
        _of_symbols(part, place, finding),
        _of_entries(part, place, finding),
    )
    for repairs in found:
        for repair in repairs:
            yield replace(repair, states=True, applicability=Applicability.GUESS)


def _converted(part: Part, place: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    said = types_between(finding.help, 0, len(finding.help))
    if "in place of %" in finding.help and place.parent is not None:
        for found in conversions(place.operation.operand_types, said):
            if found.wanted in said:
                yield from types.conversion(part, place, found)
                old = place.operation.operand_types[found.operand]
                yield from types.everywhere(part, place, old, found.wanted)


# --- values ---


def _of_values(part: Part, place: OpPath, words: str) -> Iterator[Repair]:
    """Yields another type of a value where it is defined."""
    said = said_type(words)
    if said is None:
        return
    operation, named = place.operation, said.value
    names = [f"%{place.values.names[value]}" for value in operation.operands]
    if named.startswith("%") and named not in names:
        return
    number = names.index(named) if named.startswith("%") else int(re.sub(r"\D", "", named) or 0)
    owned = operation.operand_types if named.startswith("%") else operation.result_types
    new = changed_type(owned[number], said.what, said.new) if number < len(owned) else None
    if new is not None and new != owned[number]:
        role = "operand" if named.startswith("%") else "result"
        if (
            role == "operand"
            and place.parent is not None
            and (converting := tuple(steps(owned[number], new)))
        ):
            yield from types.conversion(part, place, Conversion(number, converting))
        yield from types.of_another_type(part, place, role, number, new)
        yield from types.everywhere(part, place, owned[number], new)


# --- regions ---


def _of_regions(part: Part, place: OpPath, words: str) -> Iterator[Repair]:
    op_def = find_op_def(place.operation.name)
    names = [spec.name for spec in op_def.regions] if op_def else []
    match = _REGION.search(words) or _ARGUMENTS.search(words) or _ARGUMENT.search(words)
    if match is None:
        return
    name, _, at = match["region"].rstrip("]").partition("[")
    at = match.groupdict().get("at") or at or 0
    number = names.index(name) + int(at) if name in names else -1
    regions = place.operation.regions
    if not 0 <= number < len(regions) or not regions[number].blocks:
        return
    given = regions[number].blocks[0].arguments
    table = regions[number].values
    before = [table.types[value] for value in given]
    groups = match.groupdict()
    results = None
    if "arguments" in groups:
        wanted = _written_types(groups["arguments"], before, place)
        results = _written_types(groups["results"], wanted, place)
    elif "number" in groups:
        index, new = int(groups["number"]), groups["new"]
        changed = changed_type(before[index], groups["what"] or "type", new) if index < len(before) else None
        wanted = [*before[:index], changed, *before[index + 1 :]] if changed else []
        if changed is not None and before.count(before[index]) > 1:
            alike = [changed if each == before[index] else each for each in before]
            rewritten = _rewritten_arguments(
                part.text, place, number, [table.names[each] for each in given], alike
            )
            yield Repair(f"change the types of {name}", tuple(rewritten), follows=True)
    else:
        wanted = [*types_between(groups["new"], 0, len(groups["new"]))]
    if wanted or (groups.get("new") == "none"):
        edits = [
            *_rewritten_arguments(part.text, place, number, [table.names[each] for each in given], wanted),
            *(_rewritten_return(part.text, place, number, wanted, results) if results is not None else ()),
        ]
        yield Repair(f"change the type of {name}", tuple(edits), follows=True)


def _of_local_types(part: Part, place: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    """Yields the part's type for an argument of a manual computation, or for what its region returns."""
    number = re.match(r"value (\d+): expected a part of type", finding.message)
    wanted = types_between(finding.help, 0, len(finding.help))
    if number is None or not wanted or not place.operation.regions:
        return
    region = place.operation.regions[0]
    arguments = [region.values.names[value] for value in region.blocks[0].arguments]
    for name in names_of(part.text, place):
        if name.role == "argument" and name.name in arguments[int(number[1]) :][:1]:
            edits = types.value_edits(part, name.span.start, "", wanted[0])
            yield Repair(f"make the type of %{name.name} {wanted[0]}"[:100], edits, follows=True)


def _written_types(words: str, before: Sequence[Type], place: OpPath) -> list[Type]:
    """Returns the types of a list; `tensor<E>` has the elements of what is there, `...` is once for each
    result."""
    found: list[Type] = []
    count = max(len(place.operation.result_types), 1)
    for each in filter(None, re.split(r", (?![^<]*>)", words)):
        for _ in range(count if each.endswith("...") else 1):
            told = type_from(each, 0)
            if told and not _LETTER.match(each):
                found.append(told[1])
                continue
            of = [
                *before[len(found) : len(found) + 1],
                *place.operation.result_types,
                *place.operation.operand_types,
            ]
            tensor = next((type_ for type_ in of if isinstance(type_, RankedTensorType)), None)
            if tensor is not None:
                found.append(RankedTensorType((), tensor.element_type))
    return found


def _rewritten_arguments(
    text: str, place: OpPath, number: int, old: Sequence[str], wanted: Sequence[Type]
) -> Iterator[Edit]:
    named = [each for each in names_of(text, place) if each.role == "argument" and each.region == number]
    found = [_declaration(text, each) for each in named if each.name in old]
    spans = [span for span in found if span is not None]
    if not spans or len(spans) != len(old):
        return
    names = [f"%{name}" for name in old]
    given = [found[1] for span in spans if (found := _declared_type(text, span))]
    if given != [*wanted] and Counter(given) == Counter(wanted):
        left = list(zip(names, given))  # the same arguments in another order
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


def _of_returns(part: Part, place: OpPath, words: str) -> Iterator[Repair]:
    """Yields another terminator of a region, which gives values of the types that the help names, and other
    types of these values."""
    op_def = find_op_def(place.operation.name)
    names = [spec.name for spec in op_def.regions] if op_def else []
    for match in _RETURNED.finditer(words):
        number = names.index(match["region"]) + int(match["at"] or 0) if match["region"] in names else -1
        ends = [child for child in children_of(place) if child.region == number]
        index = int(match["number"])
        if ends and index < len(ends[-1].operation.operands):
            new = changed_type(ends[-1].operation.operand_types[index], match["what"], match["new"])
            edits = types.definition_edits(part, ends[-1], index, new) if new else ()
            yield Repair(f"make {match[0]}"[:100], edits, follows=True)
    for match in _RETURNS.finditer(words):
        number = names.index(match["region"]) + int(match["at"] or 0) if match["region"] in names else -1
        regions = place.operation.regions
        if not 0 <= number < len(regions) or not regions[number].blocks:
            continue
        block, table = regions[number].blocks[0], regions[number].values
        said = match["types"] or ""
        wanted = types_between(said, 0, len(said))
        if match["length"]:
            last = block.operations[-1].operand_types if block.operations else ()
            usual = [
                RankedTensorType((), each.element_type)
                for each in map(table.types.__getitem__, block.arguments)
                if isinstance(each, RankedTensorType)
            ]
            wanted = [*last, *usual][: int(match["length"])]
        arguments = [table.types[value] for value in block.arguments]
        edits = tuple(_rewritten_return(part.text, place, number, arguments, wanted))
        if wanted and edits:
            yield Repair(
                f"make {match['region']} return {', '.join(map(str, wanted))}"[:100], edits, follows=True
            )


def _declared_type(text: str, span: Span) -> tuple[Span, Type] | None:
    colon = re.compile(r"%[^:]*:\s*").match(text, *span)
    return type_from(text, colon.end()) if colon else None


def _rewritten_return(
    text: str, place: OpPath, number: int, arguments: Sequence[Type], wanted: Sequence[Type]
) -> Iterator[Edit]:
    """Yields another terminator: what it returned where that is of the type, else an argument that is."""
    ends = [child for child in children_of(place) if child.region == number]
    if not ends or not ends[-1].operation.name.endswith(".return"):
        return
    last = ends[-1]
    operands, given = last.operation.operands, last.operation.operand_types
    table = place.operation.regions[number].values
    before = [table.types[value] for value in place.operation.regions[number].blocks[0].arguments]
    if before != [*arguments] and len(given) == len(wanted) and all(map(_is_alike, given, wanted)):
        return  # types that follow
    names = [table.names[value] for value in place.operation.regions[number].blocks[0].arguments]
    known = [(last.values.names[value], type_) for value, type_ in zip(operands, given)]
    known += zip(names, arguments)
    inside = [value for value in definitions(place.operation.regions[number].blocks[0]) if table.names[value]]
    known += [(table.names[value], table.types[value]) for value in reversed(inside)]
    shown: list[str] = []
    lines, indent, used_names = "", indent_of(text, last.start), names_around(text, last)
    for index, type_ in enumerate(wanted):
        same = [name for name, own in known if own == type_]
        if index < len(given) and given[index] == type_:
            same.insert(0, last.values.names[operands[index]])
        step = next(types.reshape(given[index], type_), None) if index < len(given) else None
        if step is not None and not same:
            own = last.values.names[operands[index]]
            stem = f"v{own}" if own.isdigit() else own
            name = free_name(used_names, f"{stem}_reshaped")
            lines += f"%{name} = stablehlo.reshape %{own}{step.types}\n{indent}"
            used_names.add(name)
            same.append(name)
        elif not same and index >= len(given) and (zero := zero_of(type_)):
            name = free_name(used_names, "zero")
            lines += f"%{name} = stablehlo.constant {zero}\n{indent}"
            used_names.add(name)
            same.append(name)
        elif not same:
            return
        shown.append(f"%{same[0]}")
    types_ = f" : {', '.join(map(str, wanted))}" if wanted else ""
    yield Edit(last.span, f"{lines}stablehlo.return {', '.join(shown)}".rstrip() + types_)


def _is_alike(one: Type, other: Type) -> bool:
    if isinstance(one, RankedTensorType) and isinstance(other, RankedTensorType):
        return one.element_type == other.element_type
    return one == other


# --- attributes ---


def _of_lists(part: Part, place: OpPath, words: str) -> Iterator[Repair]:
    """Yields lists of numbers of another length or with another item."""
    match = _LENGTH.search(words) or _LIST.search(words) or _ITEM.search(words)
    if match is None:
        return
    groups = match.groupdict()
    for span in _list_spans(part.text, place, match["name"]):
        items = [each.strip() for each in part.text[slice(*span)].split(",") if each.strip()]
        if "size" in groups:
            size = min(int(groups["size"]), 64)
            usual = "0" if not items or re.fullmatch(r"-?\d+", items[-1]) else items[-1]
            unused = [str(each) for each in range(size) if str(each) not in items]
            added = (
                unused if "dim" in match["name"] and usual == "0" else [items[-1] if items else usual] * size
            )
            new = [*items, *added][:size]
        elif "at" in groups:
            at = int(groups["at"])
            value = groups["new"]
            if groups["words"] == "greater than " and value.lstrip("-").isdigit():
                value = str(int(value) + 1)
            if at < len(items) and not re.fullmatch(r"[-\w.]+", items[at]):
                value = re.sub(r"\w+(?=>?\Z)", value, items[at])  # the word of an enum
            new = [*items[:at], value, *items[at + 1 :]]
        else:
            new = [each.strip() for each in groups["new"].strip("[]").split(",")]
        if new != items:
            text = ", ".join(new)
            if part.text[: span.start].endswith(("i64", "i1")):
                text = f": {text}"
            yield Repair(f"make {match['name']} [{', '.join(new)}]", (Edit(span, text),), follows=True)


def _list_spans(text: str, place: OpPath, name: str) -> Iterator[Span]:
    """Yields where the items of a list that has a name are."""
    names = "|".join((name, *WORDS.get(name, ())))
    pattern = re.compile(rf"\b(?:{names})\s*=\s*(?:\[(?P<a>[^\[\]]*)\]|array<\w+(?::\s*(?P<b>[^>]*))?>)")
    for start, end in header_spans(place):
        for match in pattern.finditer(text, start, end):
            group = "a" if match["a"] is not None else "b"
            if match[group] is not None:
                yield Span(*match.span(group))
            else:
                yield Span(match.end() - 1, match.end() - 1)  # array<i64>


def _of_entries(part: Part, place: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    """Yields other values of attributes, and attributes that are left out."""
    if match := re.match(r"write ((\w+) = .*), for instance", finding.help):
        for span in entries(part.text, place, match[2]):
            old = part.text[slice(*span)].strip().strip(",").strip()
            start = part.text.index(old, span.start)
            yield Repair(f"write {match[1]}"[:100], (Edit(Span(start, start + len(old)), match[1]),))
    if match := _NUMBER.match(finding.help):
        numbers = [int(each) for each in re.findall(r"-?\d+", match[3])]
        free = next(each for each in range(len(numbers) + 1) if each not in numbers)
        new = str(free if match[2] == "none of " else numbers[0] + (match[2] == "greater than "))
        if "is absent" in finding.message:
            yield from types.absent_attribute(part, place, match[1])
        field = STRUCT_NAMES.get(match[1], match[1])
        pattern = re.compile(rf"\b{field}\s*=\s*(?:[^,>}}]*\bhandle\s*=\s*)?(-?\d+)\b")
        for start, end in header_spans(place):
            for found in pattern.finditer(part.text, start, end):
                yield Repair(f"make {match[1]} {new}", (Edit(Span(*found.span(1)), new),), follows=True)
    if match := re.match(r"make (\w+) something else than [A-Z]", finding.help):
        op_def = find_op_def(place.operation.name)
        spec = op_def.attribute(match[1]) if op_def else None
        for word in spec.constraint.enum.words if spec and isinstance(spec.constraint, EnumOf) else ():
            yield from _other_word(part.text, place, finding, match[1], word)
    for match in _WORD.finditer(finding.help):
        yield from _other_word(part.text, place, finding, match["name"], match["new"])
    for match in re.finditer(r"leave (?:out )?'?(\w+)'?(?: = [^,]*)?(?: out)?(?:,|$)", finding.help):
        for span in entries(part.text, place, match[1]):
            yield Repair(f"leave '{match[1]}' out", (Edit(span, ""),))


def _other_word(text: str, place: OpPath, finding: Diagnostic, name: str, new: str) -> Iterator[Repair]:
    """Yields another word of an enum where an attribute has the one that a finding's message names."""
    for old in dict.fromkeys(re.findall(rf"\b{name} is ([A-Z]\w*)", finding.message)):
        for start, end in header_spans(place):
            for match in re.compile(rf"(?<![\w.$]){old}(?![\w.$])").finditer(text, start, end):
                yield Repair(f"change {old} to {new}", (Edit(Span(*match.span()), new),), follows=True)


# --- axes, symbols ---


def _of_axes(part: Part, place: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    text, message = part.text, finding.message
    got = re.search(r'got ("[^"]+".*)\Z', message)
    if got is not None and finding.help == "write them as one":
        merged = _merged(text, got[1])
        yield from _replaced(text, place, got[1], merged)
    mesh = re.search(r"order of the mesh \(([^)]*)\)", message)
    if got is not None and mesh is not None:
        order = mesh[1].split(", ")
        axes: list[str] = got[1].split(", ")
        ranks = [order.index(name) if (name := axis.split('"')[1]) in order else 99 for axis in axes]
        ordered = [axis for _, axis in sorted(zip(ranks, axes))]
        yield from _replaced(text, place, got[1], ", ".join(ordered))
    copied = re.search(r"operand's sharding #sdy.sharding(<.*>), got #sdy.sharding<", message)
    for start, end in header_spans(place):
        match = re.compile(r"out_sharding\s*=\s*(<[^<>]*>)").search(text, start, end)
        if match is None:
            continue
        if copied is not None:
            yield Repair("keep the operand's sharding", (Edit(Span(*match.span(1)), copied[1]),))
        dimension = re.search(r"in dimension (\d+) of the result's sharding", message)
        new = re.search(r"write (\{.*\})", finding.help)
        if dimension is not None and new is not None:
            lists = [*re.compile(r"\{[^{}]*\}").finditer(text, *match.span(1))]
            number = int(dimension[1])
            if number < len(lists):
                yield Repair(f"write {new[1]}", (Edit(Span(*lists[number].span()), new[1]),))
        unreduced = re.search(r"write unreduced=(.*)", finding.help)
        if unreduced is not None and "..." not in unreduced[1]:
            entry = f"unreduced={{{unreduced[1].strip('{}')}}}" if unreduced[1].strip("{}") else ""
            old = re.compile(r",\s*unreduced\s*=\s*\w*\{[^{}]*\}").search(text, *match.span(1))
            where = Span(*old.span()) if old else Span(match.end(1) - 1, match.end(1) - 1)
            yield Repair("change the unreduced axes", (Edit(where, f", {entry}" if entry else ""),))


def _of_shardings(part: Part, place: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    """Yields shardings of as many dimensions or values as there are, without priorities that mean nothing."""
    text = part.text
    lists = (re.compile(r"\[\s*(?:\{[^{}]*\}(?:p\d+)?[\s,]*)*\]"), re.compile(r"\[\s*(?:<@[^<>]*>[\s,]*)*\]"))
    counts = re.match(
        r"expected (?:a sharding of )?(\d+) (dimensions|shardings).*got (\d+)\Z", finding.message
    )
    for start, end in header_spans(place):
        if size := re.search(r"make the size (-?\d+) 1 or more", finding.help):
            for match in re.compile(rf"=\s*({size[1]})\b").finditer(text, start, end):
                yield Repair("make the size 1", (Edit(Span(*match.span(1)), "1"),))
        if priority := re.search(r"leave (p\d+) out", finding.help):
            for match in re.compile(rf"\}}({priority[1]})\b").finditer(text, start, end):
                yield Repair(f"leave {priority[1]} out", (Edit(Span(*match.span(1)), ""),))
        is_of_values = counts is not None and counts[2] == "shardings"
        for match in lists[is_of_values].finditer(text, start, end) if counts else ():
            items = re.findall(r"<@[^<>]*>" if is_of_values else r"\{[^{}]*\}(?:p\d+)?", match[0])
            if counts and len(items) == int(counts[3]):
                items += _new_shardings(text, place, len(items)) if is_of_values else ["{}"] * 16
                new = f"[{', '.join(items[: int(counts[1])])}]"
                yield Repair(f"write {new}"[:100], (Edit(Span(*match.span()), new),))


def _new_shardings(text: str, place: OpPath, first: int) -> list[str]:
    """Returns shardings that leave the results from one on as they are."""
    mesh = re.search(r"\bsdy\.mesh (@[\w$.-]+)", text)
    ranks = [
        len(each.shape) if isinstance(each, RankedTensorType) else 0 for each in place.operation.result_types
    ]
    return [f"<{mesh[1]}, [{', '.join(['{}'] * rank)}]>" for rank in ranks[first:]] if mesh else []


def _merged(text: str, pair: str) -> str:
    """Returns two neighbouring parts of an axis as one."""
    name, parts = pair.split('"')[1], re.findall(r":\((\d+)\)(\d+)", pair)
    sizes = re.findall(rf'"{re.escape(name)}"\s*=\s*(\d+)', text)
    first, size = (int(parts[0][0]), int(parts[0][1]) * int(parts[-1][1])) if parts else (1, 1)
    return f'"{name}"' if first == 1 and str(size) in sizes else f'"{name}":({first}){size}'


def _replaced(text: str, place: OpPath, old: str, new: str) -> Iterator[Repair]:
    pattern = re.compile(r",\s*".join(map(re.escape, old.split(", "))))
    for start, end in header_spans(place):
        for match in pattern.finditer(text, start, end):
            yield Repair(f"write {new}"[:100], (Edit(Span(*match.span()), new),))


def _of_symbols(part: Part, place: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    start = outermost(place).start
    text = part.text[place.start : place.end]
    if mesh := re.search(r"define it: sdy\.mesh (@[\w$.-]+)", finding.help):
        axes = dict.fromkeys(re.findall(r'[{,]\s*("\w+")', text))
        line = f"sdy.mesh {mesh[1]} = <[{', '.join(f'{axis}=1' for axis in axes)}]>\n"
        yield Repair(f"define {mesh[1]}", (Edit(Span(start, start), line),))
    elif function := re.search(r"declare it: func\.func private (@[\w$.-]+)", finding.help):
        yield Repair(
            f"declare {function[1]}", (Edit(Span(start, start), f"func.func private {function[1]}()\n"),)
        )
    if nested := re.search(r"must be a symbol .*, but is (@[^ ]*::(@\S+))\Z", finding.message):
        for span in _spans_of(part.text, place, nested[1]):
            yield Repair(f"write {nested[2]}", (Edit(span, nested[2]),))
    if finding.code == "composite-C1" and (name := re.match(r'name is ("[^"]*")', finding.message)):
        words = [re.sub(r"\W+|\A\d+", "", word) for word in json.loads(name[1]).split(".")]
        known = [word for word in words if word]
        new = ".".join(known if len(known) > 1 else ["dialect", *known] if known else ["dialect", "name"])
        for span in _spans_of(part.text, place, name[1]):
            yield Repair(f'write "{new}"', (Edit(span, f'"{new}"'),))


def _spans_of(text: str, place: OpPath, word: str) -> Iterator[Span]:
    for start, end in header_spans(place):
        for match in re.compile(re.escape(word)).finditer(text, start, end):
            yield Span(*match.span())
