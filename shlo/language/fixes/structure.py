"""Edits for the structure of a program: how blocks end, what symbols are called, what belongs elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shlo.dialects import find_dialect
from shlo.ir.diagnostics import Applicability, Diagnostic
from shlo.ir.op_path import OpPath, children_of, header_spans
from shlo.ir.operations import BROKEN
from shlo.ir.source import Span
from shlo.ir.suggestions import (
    Expect,
    LeaveOut,
    NameResults,
    Rename,
    RenameDefinition,
    ReplaceTerminator,
    Suggestion,
)
from shlo.ir.types import Type
from shlo.language.completion.items import function_type, values_in_scope
from shlo.language.completion.statement import statement_at
from shlo.language.document import Edit, Part
from shlo.language.fixes.trial import Repair
from shlo.language.index.op_names import (
    RESULTS,
    free_name,
    indent_of,
    names_around,
    names_of,
    own_tokens,
    whole_lines,
)
from shlo.syntax.lexer.tokens import token_at
from shlo.verifier.dominance import definitions
from shlo.verifier.op_cursor import is_terminator


def structure(part: Part, place: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    """Yields edits that give blocks an end, and names and operations their place."""
    match finding.code:
        case "missing-terminator":
            yield from _terminator(part, place, finding)
        case "wrong-terminator":
            yield from _other_name(part, place, finding)
        case "misplaced-terminator":
            yield from _reordered_terminator(part, place)
        case "duplicate-symbol":
            yield from _other_symbol(part, place)
        case "use-before-definition":
            yield from _definition_first(part, place, finding)
        case "func.func-A6":
            yield from _private(part, place)
        case _:
            for suggestion in finding.suggestions:
                yield from _by_suggestion(part, place, finding, suggestion)


def _by_suggestion(
    part: Part, place: OpPath, finding: Diagnostic, suggestion: Suggestion
) -> Iterator[Repair]:
    match suggestion:
        case RenameDefinition(name):
            new = free_name(names_around(part.text, place), name)
            yield Repair(f"rename this one to '%{new}'", (Edit(finding.span, f"%{new}"),))
            results = RESULTS.match(part.text, place.start)
            if results and results.start() <= finding.span.start < results.end():
                yield Repair(
                    "delete the operation",
                    (Edit(whole_lines(part.text, place.span), ""),),
                    applicability=Applicability.GUESS,
                )
        case NameResults(count):
            yield from _named_results(part, place, count)
        case LeaveOut(of="entry") if finding.code == "unknown-property":
            yield from _without_entry(part, place, suggestion.name)
        case LeaveOut(of="regions" | "successors" | "results"):
            yield from without_parts(part, place, suggestion.of)
        case Rename(of="attribute") if finding.code == "unknown-property":
            yield from _without_entry(part, place, suggestion.old)
        case Expect(("}",)) if finding.span.start >= len(part.text.rstrip()):
            end = len(part.text.rstrip())
            yield Repair("insert '}'", (Edit(Span(end, end), "\n}"),), is_whole=False)
        case _:
            pass


# --- terminators ---


def _terminator(part: Part, place: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    """Yields a terminator for the region that begins or lies at a finding."""
    dialect = find_dialect(place.operation.name.partition(".")[0])
    name = dialect.region_end if dialect else None
    if name is None:
        return
    for number, region in enumerate(place.operation.regions):
        for block in region.blocks:
            last = block.operations[-1] if block.operations else None
            if last is not None and (last.name == BROKEN or is_terminator(last) is not False):
                continue
            at = place.start + block.ends[-1] if block.ends else _empty_region(part.text, place, number)
            if at is None:
                continue
            blank = indent_of(part.text, place.start + (block.starts[-1] if block.starts else 0))
            blank += "" if block.starts else "  "
            for values in _returned(part, place, number, at):
                shown = ", ".join(f"%{each}" for each, _ in values)
                types = ", ".join(str(type_) for _, type_ in values)
                short = name.removeprefix("func.") if place.operation.name == "func.func" else name
                text = f"{short} {shown} : {types}" if values else short
                yield Repair(
                    f"put {text} at the end"[:100], (Edit(Span(at, at), f"\n{blank}{text}"),), is_whole=False
                )


def _empty_region(text: str, place: OpPath, number: int) -> int | None:
    """Returns where a region without operations ends."""
    braces = [token.span.end for token in own_tokens(text, place) if token.text == "{"]
    count = len(place.operation.regions)
    return braces[number - count] if len(braces) >= count else None


def _returned(part: Part, place: OpPath, region: int, at: int) -> Iterator[list[tuple[str, Type]]]:
    """Yields the values that a region may end in: the last ones of the types that are wanted."""
    declared = function_type(place.operation)
    wanted = declared.results if declared else place.operation.result_types
    statement = statement_at(part, at)
    table = place.operation.regions[region].values
    blocks = place.operation.regions[region].blocks
    inside = [value for block in blocks for value in definitions(block)]
    known = [(table.names[value], table.types[value]) for value in reversed(inside) if table.names[value]]
    known += values_in_scope(statement)
    found: list[tuple[str, Type]] = []
    used: set[str] = set()
    for type_ in wanted:
        fitting = [name for name, own in known if own == type_]
        name = next((each for each in fitting if each not in used), next(iter(fitting), None))
        if name is None:
            other = next((each for each in known if each[0] not in used), None)
            if other is None:
                return
            found.append(other)
        else:
            found.append((name, type_))
        used.add(found[-1][0])
    yield found


def _other_name(part: Part, place: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    terminators = (each for each in finding.suggestions if isinstance(each, ReplaceTerminator))
    suggestion = next(terminators, None)
    if suggestion is None:
        return
    inside = [place, *([_last_child(place)] if place.operation.regions else [])]
    for each in inside:
        if each is None:
            continue
        short = suggestion.old.partition(".")[2]
        for token in own_tokens(part.text, each):
            if token.text.strip('"') in (suggestion.old, short):
                quote = '"' if token.text.startswith('"') else ""
                edit = Edit(token.span, f"{quote}{suggestion.new}{quote}")
                yield Repair(suggestion.text, (edit,), is_whole=False)
                break


def _last_child(place: OpPath) -> OpPath | None:
    return next(reversed([*children_of(place)]), None)


def _reordered_terminator(part: Part, place: OpPath) -> Iterator[Repair]:
    """Yields the deletion of a terminator in the middle of its block, and its move to the end."""
    parent = place.parent
    if parent is None:
        return
    block = parent.operation.regions[place.region].blocks[place.block]
    last = block.operations[-1]
    end = parent.start + block.ends[-1]
    own = whole_lines(part.text, place.span)
    if is_terminator(last):
        yield Repair("delete this one", (Edit(own, ""),), applicability=Applicability.GUESS)
    text = part.text[place.start : place.end]
    inserted = Edit(Span(end, end), f"\n{indent_of(part.text, place.start)}{text}")
    yield Repair(
        "move it to the end of the block", (Edit(own, ""), inserted), applicability=Applicability.GUESS
    )
    behind = part.text[place.end : end].rstrip()
    yield Repair(
        "delete what follows it",
        (Edit(Span(place.end, place.end + len(behind)), ""),),
        applicability=Applicability.GUESS,
    )


def _definition_first(part: Part, place: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    """Yields the move of the operation that defines a value before its first use."""
    token = token_at(part.text, finding.span.start)
    value = part.index.value(token) if token and token.kind == "value" else None
    owner = value.owner.place if value and value.owner and value.owner.region is None else None
    if owner is None or owner.parent is None:
        return
    while place.parent is not None and place.parent.start != owner.parent.start:
        place = place.parent
    if place.parent is not None and place.region != owner.region:
        place = place.parent  # a value of another region is defined before both
    elif owner.start < place.end:
        return
    if place.parent is None or owner.span == place.span:
        return
    text = part.text[owner.start : owner.end]
    inserted = Edit(Span(place.start, place.start), f"{text}\n{indent_of(part.text, place.start)}")
    yield Repair(
        f"move the operation that defines '{token.text if token else ''}' up",
        (inserted, Edit(whole_lines(part.text, owner.span), "")),
    )


# --- names and entries ---


def _other_symbol(part: Part, place: OpPath) -> Iterator[Repair]:
    symbol = next((each for each in part.index.symbols.all if each.place.start == place.start), None)
    if symbol is None:
        return
    new = free_name({each.name for each in part.index.symbols.all}, symbol.name)
    written = part.text[slice(*symbol.definition)]
    text = written.replace(symbol.name, new) if symbol.name in written else f"@{new}"
    yield Repair(f"rename this one to @{new}", (Edit(symbol.definition, text),))


def _named_results(part: Part, place: OpPath, count: int) -> Iterator[Repair]:
    """Yields as many names as there are results."""
    match = RESULTS.match(part.text, place.start)
    if match is None:
        return
    names = [name for name in names_of(part.text, place) if name.role == "result"]
    if count == 0:
        yield Repair("delete the names", (Edit(Span(match.start(), match.end() + 1), ""),))
        return
    first = names[0].name
    packed = f"%{first}:{count}" if count > 1 else f"%{first}"
    yield Repair(f"name {count} results", (Edit(Span(*match.span()), f"{packed} ="),))


def _private(part: Part, place: OpPath) -> Iterator[Repair]:
    for token in own_tokens(part.text, place):
        if token.kind == "symbol":
            start = token.span.start
            before = part.text[:start].rstrip()
            if before.endswith("public"):
                yield Repair("make it private", (Edit(Span(len(before) - 6, len(before)), "private"),))
            else:
                yield Repair("make it private", (Edit(Span(start, start), "private "),))
            return
    for span in _spans(part.text, place, '"public"'):
        yield Repair("make it private", (Edit(span, '"private"'),))
    if match := re.compile(r"<\{").search(part.text, place.start, place.end):
        yield Repair(
            "make it private", (Edit(Span(match.end(), match.end()), 'sym_visibility = "private", '),)
        )


def _without_entry(part: Part, place: OpPath, name: str) -> Iterator[Repair]:
    """Yields the deletion of an attribute with its value and comma."""
    for span in entries(part.text, place, name):
        yield Repair(f"leave '{name}' out", (Edit(span, ""),), applicability=Applicability.GUESS)


def without_parts(part: Part, place: OpPath, parts: str) -> Iterator[Repair]:
    """Yields the deletion of regions, of successors or of results in generic form."""
    text, headers = part.text, header_spans(place)
    if parts == "regions" and len(headers) > 1:
        first, last = text.rfind("({", *headers[0]), text.find("})", *headers[-1])
        if first >= 0 and last >= 0:
            start = len(text[:first].rstrip())
            yield Repair(
                "leave the regions out", (Edit(Span(start, last + 2), ""),), applicability=Applicability.GUESS
            )
    elif parts == "successors":
        for match in re.compile(r"\)(\s*\[[^\]]*\])").finditer(text, *headers[0]):
            yield Repair(
                "leave the successors out",
                (Edit(Span(*match.span(1)), ""),),
                applicability=Applicability.GUESS,
            )
    elif parts == "results":
        names = RESULTS.match(text, place.start)
        types = re.compile(r"->\s*(.*\S)\s*\Z", re.DOTALL).search(text[slice(*headers[-1])])
        if names and types:
            at = headers[-1].start
            edits = Edit(Span(*names.span()), ""), Edit(Span(at + types.start(1), at + types.end(1)), "()")
            yield Repair("leave the results out", edits, applicability=Applicability.GUESS)


def entries(text: str, place: OpPath, word: str) -> Iterator[Span]:
    """Yields where an operation's text has an entry `word = value`, with the comma that goes with it."""
    found = list(own_tokens(text, place))
    for index, token in enumerate(found):
        if token.text.strip('"') != word or token.kind not in ("word", "string"):
            continue
        depth, end = 0, token.span.end
        for follower in found[index + 1 :]:
            if follower.text in "([{<":
                depth += 1
            elif follower.text in ")]}>":
                depth -= 1
            if depth < 0 or (depth == 0 and follower.text == ","):
                break
            end = follower.span.end
        follows = re.compile(r"\s*,\s*").match(text, end)
        before = re.search(r",\s*\Z", text[max(token.span.start - 200, 0) : token.span.start])
        start = token.span.start
        if follows:
            end = follows.end()
        elif before:
            start -= len(before[0])
        yield Span(start, end)


def _spans(text: str, place: OpPath, word: str) -> list[Span]:
    return [token.span for token in own_tokens(text, place) if token.text == word]
