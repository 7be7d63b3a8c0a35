"""Names like one that is not known: of operations, values, symbols, attributes and words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from operator import ne
from os.path import commonprefix

from shlo.dialects import all_op_defs, find_dialect, find_op_def
from shlo.dialects.opdef import OpDef
from shlo.ir.diagnostics import Applicability, Diagnostic
from shlo.ir.op_path import OpPath, header_spans
from shlo.ir.operations import function_type
from shlo.ir.source import Span
from shlo.ir.suggestions import ChooseWord, Rename
from shlo.ir.types import FunctionType, Type
from shlo.language.completion.items import values_in_scope
from shlo.language.completion.statement import statement_at
from shlo.language.document import Edit, Part
from shlo.language.fixes.trial import Repair
from shlo.language.index.op_names import outermost, own_tokens
from shlo.language.index.values import Value
from shlo.syntax.lexer.strings import symbol_text
from shlo.syntax.lexer.tokens import line_span, token_at, tokens
from shlo.text.suggest import nearest_names
from shlo.verifier.cascading import type_of_use

MOST = 5
"""How many names of a kind are tried."""


def names(part: Part, op_path: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    """Yields the names that are like one which is not known, those that fit best first."""
    token = token_at(part.text, finding.span.start)
    if token is not None and token.kind == "value":
        yield from _values(part, op_path, token.span, token.text)
    for suggestion in finding.suggestions:
        match suggestion:
            case ChooseWord():
                yield from _words_of_list(finding.span, suggestion)
            case Rename(of="operation"):
                yield from _operations(part, finding.span)
                yield from _rename(part, op_path, finding, suggestion)
            case Rename(of="function" | "mesh"):
                yield from _symbols(part, op_path, suggestion)
            case Rename(of="value"):
                pass
            case Rename():
                yield from _rename(part, op_path, finding, suggestion)
            case _:
                pass


# --- operations ---


def _operations(part: Part, span: Span) -> Iterator[Repair]:
    written = part.text[slice(*span)]
    name, quote = written.strip('"'), '"' if written.startswith('"') else ""
    line = part.text[span.end : line_span(part.text, span.end).end]
    for op_def in op_names_like(name, _operand_count(line), statement_at(part, span.end).default_dialect):
        is_short = "." not in name and op_def.dialect == statement_at(part, span.end).default_dialect
        new = op_def.name.partition(".")[2] if is_short else op_def.name
        if quote or op_def.format is not None:
            title = f"change '{name}' to '{new}'"
            yield Repair(title, (Edit(span, f"{quote}{new}{quote}"),), is_whole=False)


def op_names_like(name: str, operands: int, default_dialect: str | None = None) -> list[OpDef]:
    """Returns the operations with names like an unknown one: those with as many operands and the most
    similar names first."""
    dialect, _, short = name.rpartition(".")
    dialects = (dialect,) if find_dialect(dialect) else ("stablehlo", default_dialect)
    exact = find_op_def(f"stablehlo.{short}")
    among: dict[str, list[OpDef]] = {}
    for op_def in all_op_defs():
        if op_def.dialect in dialects:
            among.setdefault(op_def.name.partition(".")[2], []).append(op_def)
    collected = [op_def for name_ in nearest_names(short, among, 2 * MOST) for op_def in among[name_]]
    fitting = sorted(collected, key=lambda op_def: (not takes(op_def, operands), -_likeness(short, op_def)))
    every = [exact, *(name for name in fitting if name is not exact)] if exact else fitting
    return every[:MOST]


def _likeness(name: str, op_def: OpDef) -> float:
    """Returns how similar a name is to an operation's; of those as similar, how far both begin alike."""
    other = op_def.name.partition(".")[2]
    return SequenceMatcher(None, name, other).ratio() + len(commonprefix((name, other))) / 1000  # noqa: RUF071


def takes(op_def: OpDef, operands: int) -> bool:
    """Returns whether an operation may have so many operands."""
    fixed = sum(spec.arity == "one" for spec in op_def.operands)
    return operands == fixed or (operands > fixed and fixed < len(op_def.operands))


def _operand_count(line: str) -> int:
    """Returns how many values are named on a line before its types."""
    count = 0
    for token in tokens(line):
        if token.text == ":":
            break
        count += token.kind == "value"
    return count


# --- values ---


def _values(part: Part, op_path: OpPath, span: Span, written: str) -> Iterator[Repair]:
    token = token_at(part.text, span.start)
    assert token is not None
    value = part.index.value(token)
    owner = value.owner if value else None
    if owner is not None and (owner.region is not None or owner.place.end <= op_path.start):
        return
    name = written[1:].partition("#")[0]
    candidates: dict[str, Type] = {}
    for ancestor in op_path.around():  # the nearest values of a large function are not all
        for region in ancestor.operation.regions:
            arguments = region.blocks[0].arguments if region.blocks else ()
            names = {region.values.names[value]: region.values.types[value] for value in arguments}
            candidates |= names if ancestor is not op_path else {}
    for other, type_ in values_in_scope(statement_at(part, span.start)):
        candidates.setdefault(other, type_)
    wanted = type_of_use(op_path, name)
    close = nearest_names(name, (other_name for other_name in candidates if other_name != name), 2 * MOST)
    close += [
        other_name
        for other_name in candidates
        if other_name not in close and _differ_by_one(name, other_name)
    ]
    for other in sorted(close, key=lambda item: wanted is not None and candidates[item] != wanted)[:MOST]:
        edits = tuple(
            Edit(other_name, f"%{other}")
            for other_name in _uses(part, Span(span.start, span.start + len(name) + 1), value)
        )
        yield Repair(f"change '%{name}' to '%{other}'", edits, is_whole=False)


def _differ_by_one(name: str, other: str) -> bool:
    """Returns whether short names of one length differ in one character."""
    return len(name) == len(other) <= 3 and sum(map(ne, name, other)) == 1 < len(name)


def _uses(part: Part, span: Span, value: Value | None) -> list[Span]:
    """Returns every place of a name that nothing defines."""
    if value is None or value.owner is not None:
        return [span]
    uses = [use.span for use in part.index.occurrences(value)]
    return uses if span in uses else [span]


# --- symbols ---


def _symbols(part: Part, op_path: OpPath, suggestion: Rename) -> Iterator[Repair]:
    """Yields symbols of the program in place of one that it does not have: those of a fitting type first."""
    tokens_named = [
        token
        for token in own_tokens(part.text, op_path)
        if token.kind == "symbol" and token.text == suggestion.old
    ]
    if not tokens_named:
        return
    written, spans = tokens_named[0].text, [token.span for token in tokens_named]
    symbols = {symbol_.name: symbol_.place.operation for symbol_ in part.index.symbols.all}
    types = FunctionType(op_path.operation.operand_types, op_path.operation.result_types)
    is_call = op_path.operation.name.endswith("call")

    def misfit(name: str) -> tuple[bool, bool]:
        type_ = function_type(symbols[name])
        is_other = (type_ is None) == (suggestion.of == "function")
        return is_other, is_call and type_ != types

    close = nearest_names(written[1:].strip('"'), symbols, MOST)
    same = [name for name in symbols if misfit(name) == (False, False)] if is_call else []
    others = same if len(same) == 1 else []
    for name in dict.fromkeys([*sorted(close, key=misfit), *others]):
        edits = tuple(Edit(span, symbol_text(name)) for span in spans)
        yield Repair(f"change '{written}' to '{symbol_text(name)}'", edits, is_whole=False)
    if is_call and op_path.operation.name != "func.call":
        return
    if is_call:
        start = outermost(op_path).start
        yield Repair(
            f"declare {written}",
            (Edit(Span(start, start), f"func.func private {written}{_signature(types)}\n"),),
            applicability=Applicability.GUESS,
        )


def _signature(type_: FunctionType) -> str:
    results = ", ".join(map(str, type_.results))
    shown = f" -> {results}" if len(type_.results) == 1 else f" -> ({results})" if type_.results else ""
    return f"({', '.join(map(str, type_.inputs))}){shown}"


# --- attributes and words ---


COMPARISONS = {
    **dict.fromkeys(("LESS", "LESS_THAN", "SLT", "ULT"), "LT"),
    **dict.fromkeys(("LESS_EQUAL", "LESS_OR_EQUAL", "LEQ", "LTE", "SLE", "ULE"), "LE"),
    **dict.fromkeys(("GREATER", "GREATER_THAN", "SGT", "UGT"), "GT"),
    **dict.fromkeys(("GREATER_EQUAL", "GREATER_OR_EQUAL", "GEQ", "GTE", "SGE", "UGE"), "GE"),
    **dict.fromkeys(("EQUAL", "EQUALS"), "EQ"),
    **dict.fromkeys(("NOT_EQUAL", "NOT_EQUALS", "NEQ"), "NE"),
}
"""What NumPy, LLVM and others call the directions of comparisons."""


def _words_of_list(span: Span, suggestion: ChooseWord) -> Iterator[Repair]:
    """Yields the words of a list in place of one that is none of them."""
    old, words = suggestion.old, suggestion.words
    intended = old.upper(), COMPARISONS.get(old.upper())
    other = [word for word in words if word in intended]
    for word in dict.fromkeys([*other, *nearest_names(old, words, 3), *words[: 3 if len(words) < 6 else 0]]):
        yield Repair(f"change '{old}' to '{word}'", (Edit(span, word),), is_whole=False)


def _rename(part: Part, op_path: OpPath, finding: Diagnostic, suggestion: Rename) -> Iterator[Repair]:
    if not suggestion.new:
        return
    for span in _places(part.text, finding.span, op_path, suggestion.old):
        title = f"change '{suggestion.old}' to '{suggestion.new}'"
        yield Repair(title, (Edit(span, suggestion.new),), is_whole=False)


def _places(text: str, span: Span, op_path: OpPath, word: str) -> Iterable[Span]:
    """Yields where a word is in a span, or else in an operation's own text."""
    if text[slice(*span)] == word:  # an element type has no border before it: `4xfloat32`
        return [span]
    pattern = re.compile(rf"(?<![\w$.]){re.escape(word)}(?![\w$.])")
    for start, end in ((max(span.start - 1, 0), span.end), *header_spans(op_path)):
        collected = [Span(*match.span()) for match in pattern.finditer(text, start, end)]
        if collected:
            return collected
    return []
