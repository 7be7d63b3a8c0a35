"""Edits for the structure of a program: how blocks end, what symbols are called, what belongs elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shlo.dialects import find_dialect
from shlo.ir.diagnostics import Applicability, Diagnostic
from shlo.ir.op_path import OpPath, children_of, header_spans
from shlo.ir.operations import BROKEN, function_type
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
from shlo.language.completion.items import values_in_scope
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


def structure(part: Part, op_path: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    """Yields edits that give blocks an end, and names and operations their place."""
    match finding.code:
        case "missing-terminator":
            yield from _terminator(part, op_path, finding)
        case "wrong-terminator":
            yield from _other_name(part, op_path, finding)
        case "misplaced-terminator":
            yield from _reordered_terminator(part, op_path)
        case "duplicate-symbol":
            yield from _other_symbol(part, op_path)
        case "use-before-definition":
            yield from _definition_first(part, op_path, finding)
        case "func.func-A6":
            yield from _private(part, op_path)
        case _:
            for suggestion in finding.suggestions:
                yield from _by_suggestion(part, op_path, finding, suggestion)


def _by_suggestion(
    part: Part, op_path: OpPath, finding: Diagnostic, suggestion: Suggestion
) -> Iterator[Repair]:
    match suggestion:
        case RenameDefinition(name):
            new = free_name(names_around(part.text, op_path), name)
            yield Repair(f"rename this one to '%{new}'", (Edit(finding.span, f"%{new}"),))
            results = RESULTS.match(part.text, op_path.start)
            if results and results.start() <= finding.span.start < results.end():
                yield Repair(
                    "delete the operation",
                    (Edit(whole_lines(part.text, op_path.span), ""),),
                    applicability=Applicability.GUESS,
                )
        case NameResults(count):
            yield from _named_results(part, op_path, count)
        case LeaveOut(of="entry") if finding.code == "unknown-property":
            yield from _without_entry(part, op_path, suggestion.name)
        case LeaveOut(of="regions" | "successors" | "results"):
            yield from without_parts(part, op_path, suggestion.of)
        case Rename(of="attribute") if finding.code == "unknown-property":
            yield from _without_entry(part, op_path, suggestion.old)
        case Expect(("}",)) if finding.span.start >= len(part.text.rstrip()):
            end = len(part.text.rstrip())
            yield Repair("insert '}'", (Edit(Span(end, end), "\n}"),), is_whole=False)
        case _:
            pass


# --- terminators ---


def _terminator(part: Part, op_path: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    """Yields a terminator for the region that begins or lies at a finding."""
    dialect = find_dialect(op_path.operation.name.partition(".")[0])
    name = dialect.region_end if dialect else None
    if name is None:
        return
    for number, region in enumerate(op_path.operation.regions):
        for block in region.blocks:
            last = block.operations[-1] if block.operations else None
            if last is not None and (last.name == BROKEN or is_terminator(last) is not False):
                continue
            at = op_path.start + block.ends[-1] if block.ends else _empty_region(part.text, op_path, number)
            if at is None:
                continue
            blank = indent_of(part.text, op_path.start + (block.starts[-1] if block.starts else 0))
            blank += "" if block.starts else "  "
            for values in _returned(part, op_path, number, at):
                shown = ", ".join(f"%{value}" for value, _ in values)
                types = ", ".join(str(type_) for _, type_ in values)
                short = name.removeprefix("func.") if op_path.operation.name == "func.func" else name
                text = f"{short} {shown} : {types}" if values else short
                yield Repair(
                    f"put {text} at the end"[:100], (Edit(Span(at, at), f"\n{blank}{text}"),), is_whole=False
                )


def _empty_region(text: str, op_path: OpPath, number: int) -> int | None:
    """Returns where a region without operations ends."""
    braces = [token.span.end for token in own_tokens(text, op_path) if token.text == "{"]
    count = len(op_path.operation.regions)
    return braces[number - count] if len(braces) >= count else None


def _returned(part: Part, op_path: OpPath, region: int, at: int) -> Iterator[list[tuple[str, Type]]]:
    """Yields the values that a region may end in: the last ones of the types that are wanted."""
    declared = function_type(op_path.operation)
    wanted = declared.results if declared else op_path.operation.result_types
    statement = statement_at(part, at)
    table = op_path.operation.regions[region].values
    blocks = op_path.operation.regions[region].blocks
    inside = [value for block in blocks for value in definitions(block)]
    candidates = [
        (table.names[value], table.types[value]) for value in reversed(inside) if table.names[value]
    ]
    candidates += values_in_scope(statement)
    collected: list[tuple[str, Type]] = []
    used: set[str] = set()
    for type_ in wanted:
        fitting = [name for name, value_type in candidates if value_type == type_]
        name = next((name for name in fitting if name not in used), next(iter(fitting), None))
        if name is None:
            other = next((name for name in candidates if name[0] not in used), None)
            if other is None:
                return
            collected.append(other)
        else:
            collected.append((name, type_))
        used.add(collected[-1][0])
    yield collected


def _other_name(part: Part, op_path: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    terminators = (
        suggestion for suggestion in finding.suggestions if isinstance(suggestion, ReplaceTerminator)
    )
    suggestion = next(terminators, None)
    if suggestion is None:
        return
    inside = [op_path, *([_last_child(op_path)] if op_path.operation.regions else [])]
    for attribute in inside:
        if attribute is None:
            continue
        short = suggestion.old.partition(".")[2]
        for token in own_tokens(part.text, attribute):
            if token.text.strip('"') in (suggestion.old, short):
                quote = '"' if token.text.startswith('"') else ""
                edit = Edit(token.span, f"{quote}{suggestion.new}{quote}")
                yield Repair(suggestion.text, (edit,), is_whole=False)
                break


def _last_child(op_path: OpPath) -> OpPath | None:
    return next(reversed([*children_of(op_path)]), None)


def _reordered_terminator(part: Part, op_path: OpPath) -> Iterator[Repair]:
    """Yields the deletion of a terminator in the middle of its block, and its move to the end."""
    parent = op_path.parent
    if parent is None:
        return
    block = parent.operation.regions[op_path.region].blocks[op_path.block]
    last = block.operations[-1]
    end = parent.start + block.ends[-1]
    lines = whole_lines(part.text, op_path.span)
    if is_terminator(last):
        yield Repair("delete this one", (Edit(lines, ""),), applicability=Applicability.GUESS)
    text = part.text[op_path.start : op_path.end]
    inserted = Edit(Span(end, end), f"\n{indent_of(part.text, op_path.start)}{text}")
    yield Repair(
        "move it to the end of the block", (Edit(lines, ""), inserted), applicability=Applicability.GUESS
    )
    behind = part.text[op_path.end : end].rstrip()
    yield Repair(
        "delete what follows it",
        (Edit(Span(op_path.end, op_path.end + len(behind)), ""),),
        applicability=Applicability.GUESS,
    )


def _definition_first(part: Part, op_path: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    """Yields the move of the operation that defines a value before its first use."""
    token = token_at(part.text, finding.span.start)
    value = part.index.value(token) if token and token.kind == "value" else None
    owner = value.owner.place if value and value.owner and value.owner.region is None else None
    if owner is None or owner.parent is None:
        return
    while op_path.parent is not None and op_path.parent.start != owner.parent.start:
        op_path = op_path.parent
    if op_path.parent is not None and op_path.region != owner.region:
        op_path = op_path.parent  # a value of another region is defined before both
    elif owner.start < op_path.end:
        return
    if op_path.parent is None or owner.span == op_path.span:
        return
    text = part.text[owner.start : owner.end]
    inserted = Edit(Span(op_path.start, op_path.start), f"{text}\n{indent_of(part.text, op_path.start)}")
    yield Repair(
        f"move the operation that defines '{token.text if token else ''}' up",
        (inserted, Edit(whole_lines(part.text, owner.span), "")),
    )


# --- names and entries ---


def _other_symbol(part: Part, op_path: OpPath) -> Iterator[Repair]:
    symbol = next(
        (symbol_ for symbol_ in part.index.symbols.all if symbol_.place.start == op_path.start), None
    )
    if symbol is None:
        return
    new = free_name({symbol_.name for symbol_ in part.index.symbols.all}, symbol.name)
    written = part.text[slice(*symbol.definition)]
    text = written.replace(symbol.name, new) if symbol.name in written else f"@{new}"
    yield Repair(f"rename this one to @{new}", (Edit(symbol.definition, text),))


def _named_results(part: Part, op_path: OpPath, count: int) -> Iterator[Repair]:
    """Yields as many names as there are results."""
    match = RESULTS.match(part.text, op_path.start)
    if match is None:
        return
    names = [name for name in names_of(part.text, op_path) if name.role == "result"]
    if count == 0:
        yield Repair("delete the names", (Edit(Span(match.start(), match.end() + 1), ""),))
        return
    first = names[0].name
    packed = f"%{first}:{count}" if count > 1 else f"%{first}"
    yield Repair(f"name {count} results", (Edit(Span(*match.span()), f"{packed} ="),))


def _private(part: Part, op_path: OpPath) -> Iterator[Repair]:
    for token in own_tokens(part.text, op_path):
        if token.kind == "symbol":
            start = token.span.start
            before = part.text[:start].rstrip()
            if before.endswith("public"):
                yield Repair("make it private", (Edit(Span(len(before) - 6, len(before)), "private"),))
            else:
                yield Repair("make it private", (Edit(Span(start, start), "private "),))
            return
    for span in _spans(part.text, op_path, '"public"'):
        yield Repair("make it private", (Edit(span, '"private"'),))
    if match := re.compile(r"<\{").search(part.text, op_path.start, op_path.end):
        yield Repair(
            "make it private", (Edit(Span(match.end(), match.end()), 'sym_visibility = "private", '),)
        )


def _without_entry(part: Part, op_path: OpPath, name: str) -> Iterator[Repair]:
    """Yields the deletion of an attribute with its value and comma."""
    for span in entries(part.text, op_path, name):
        yield Repair(f"leave '{name}' out", (Edit(span, ""),), applicability=Applicability.GUESS)


def without_parts(part: Part, op_path: OpPath, parts: str) -> Iterator[Repair]:
    """Yields the deletion of regions, of successors or of results in generic form."""
    text, headers = part.text, header_spans(op_path)
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
        names = RESULTS.match(text, op_path.start)
        types = re.compile(r"->\s*(.*\S)\s*\Z", re.DOTALL).search(text[slice(*headers[-1])])
        if names and types:
            at = headers[-1].start
            edits = Edit(Span(*names.span()), ""), Edit(Span(at + types.start(1), at + types.end(1)), "()")
            yield Repair("leave the results out", edits, applicability=Applicability.GUESS)


def entries(text: str, op_path: OpPath, word: str) -> Iterator[Span]:
    """Yields where an operation's text has an entry `word = value`, with the comma that goes with it."""
    collected = list(own_tokens(text, op_path))
    for index, token in enumerate(collected):
        if token.text.strip('"') != word or token.kind not in ("word", "string"):
            continue
        depth, end = 0, token.span.end
        for follower in collected[index + 1 :]:
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


def _spans(text: str, op_path: OpPath, word: str) -> list[Span]:
    return [token.span for token in own_tokens(text, op_path) if token.text == word]
