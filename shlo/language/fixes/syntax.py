"""What may be missing or too much where the grammar expects something else: signs, words, types, quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, islice

from shlo.ir.diagnostics import Applicability, Diagnostic
from shlo.ir.op_path import OpPath
from shlo.ir.source import Span
from shlo.ir.suggestions import ChooseWord, CloseString, Expect
from shlo.ir.types import RankedTensorType, Type
from shlo.language.completion.items import values_in_scope
from shlo.language.completion.statement import statement_at
from shlo.language.completion.types_ahead import types_ahead
from shlo.language.document import Edit, Part
from shlo.language.fixes.trial import Repair
from shlo.language.index.op_names import indent_of, whole_lines
from shlo.language.index.types_in_text import placed_types
from shlo.syntax.lexer.tokens import line_span, token_at

_SIGNS = (",", ":", "=", "->", "(", ")", "[", "]", "<", ">", "{", "}")
_DETERMINED = frozenset(_SIGNS) - {"}"}
"""Signs whose place the grammar alone determines, if there is one place for one sign only. A dictionary may
end behind each of its entries."""
_LAST_ENTRY = re.compile(r"(?P<comma>`,` |\]\? )?`(?P<word>\w+)` `=` \$(?P<name>\w+) attr-dict `:`")
"""The last attribute of an assembly format."""
_MOST_ENDS = 16
"""How many places of a line are tried as the end of a list."""
_MOST_VALUES = 4
"""How many values of an attribute are tried."""
_RESULT_WITHOUT_SIGN = re.compile(r"[\w$.-]+(?::\d+)? *= *\"?[A-Za-z_]\w*[. ]", re.ASCII)
"""The name of a result without its `%`, in front of an operation."""
_STRING_ENDS = re.compile(r"[\],)}>\s]|\Z")
_CERTAIN = Applicability.CERTAIN
_SEPARATORS = (",", ":")
"""Signs between two of which something may be missing."""


def syntax(part: Part, op_path: OpPath, finding: Diagnostic) -> Iterator[Repair]:
    """Yields small edits where something else is expected."""
    for suggestion in finding.suggestions:
        match suggestion:
            case Expect():
                yield from _expected(part, finding.span, suggestion)
            case ChooseWord():
                yield from _expected(part, finding.span, Expect())
            case CloseString():
                yield from _quotes(part, finding.span)
            case _:
                pass


def _expected(part: Part, span: Span, expected: Expect) -> Iterator[Repair]:
    if _RESULT_WITHOUT_SIGN.match(part.text, span.start):
        yield Repair("insert '%'", (Edit(Span(span.start, span.start), "%"),), is_whole=False)
    yield from _types(part, span, expected)
    yield from _missing_attribute(part, span)
    rivals = tuple(_rivals(part, span))
    if part.text[slice(*span)][:1] == "%":
        yield from _comma(part, span, rivals)
    for literal in expected.literals:
        yield from _literal(part, span, literal, rivals)
    yield from _deleted(part, span, rivals)


def _rivals(part: Part, span: Span) -> Iterator[Repair]:
    """Yields all ways to insert a sign before a token, to leave it or the one before it out, to swap both,
    and to take the last character of the one before for a mistyped sign."""
    text = part.text
    end = len(text[: span.start].rstrip())
    yield Repair("", (Edit(span, " "),))
    yield Repair("", (Edit(span, ""),))
    if (before := token_at(text, end - 1)) is not None:
        yield Repair("", (Edit(before.span, " "),))
        if len(before.text) > 1 and before.text[-1].isalnum():
            for sign in (",", ":", "="):
                yield Repair("", (Edit(Span(before.span.end - 1, before.span.end), sign),))
        yield Repair("", (Edit(before.span, text[slice(*span)]), Edit(span, f" {text[slice(*before.span)]}")))
    for sign in _SIGNS:
        yield Repair("", (Edit(Span(end, end), f" {sign} "),))
        yield Repair("", (Edit(span, f" {sign} "),))


def _ends_before_commas(part: Part, span: Span, sign: str) -> Iterator[Repair]:
    """Yields the other places of a line where a list may end that has no end."""
    start = line_span(part.text, span.start).start
    commas = [start + match.start() for match in re.finditer(",", part.text[start : span.start])]
    for comma in commas[-_MOST_ENDS:]:
        yield Repair("", (Edit(Span(comma, comma), sign),))


def _literal(part: Part, span: Span, literal: str, rivals: tuple[Repair, ...]) -> Iterator[Repair]:
    """Yields the insertion of a sign or word where it is expected, and its exchange for what is there."""
    text = part.text
    written = text[slice(*span)]
    before = len(text[: span.start].rstrip())
    number = token_at(text, before - 1)
    is_cut = number is not None and number.kind == "number"  # digits may be lost with the sign
    trust = _CERTAIN if literal in _DETERMINED and not is_cut else Applicability.LIKELY
    if literal in (")", "]", ">"):
        rivals = (*rivals, *_ends_before_commas(part, span, literal))
    is_word = literal[0].isalpha()
    if literal == "}" and "\n" in text[before : span.start]:
        line = line_span(text, span.start).start
        yield Repair(
            "insert '}'", (Edit(Span(line, line), f"{indent_of(text, span.start)}}}\n"),), is_whole=False
        )
    if literal == "->" or is_word or (literal in "={:" and len(literal) == 1):
        inserted = f" {literal}" + (" " if text[before : before + 1] not in (" ", "\n", "") else "")
    else:
        inserted = literal
    if literal == "," and text[before : before + 1] != " ":
        inserted = ", "
    insertion = Edit(Span(before, before), inserted)
    yield Repair(f"insert '{literal}'", (insertion,), is_whole=False, applicability=trust, rivals=rivals)
    if before < span.start and literal in ('"', "@", "%"):
        yield Repair(f"insert '{literal}'", (Edit(Span(span.start, span.start), literal),), is_whole=False)
    is_word_found = written[:1].isalnum() or written[:1] in "%@#!^\"'"
    if written and "\n" not in written and not is_word and not is_word_found:
        edits = (Edit(span, literal),)
        yield Repair(f"change '{written}' to '{literal}'", edits)


def _comma(part: Part, span: Span, rivals: tuple[Repair, ...]) -> Iterator[Repair]:
    before = len(part.text[: span.start].rstrip())
    if part.text[before - 1 : before].isalnum():
        edits = (Edit(Span(before, before), ","),)
        yield Repair("insert ','", edits, is_whole=False, applicability=_CERTAIN, rivals=rivals)


def _deleted(part: Part, span: Span, rivals: tuple[Repair, ...]) -> Iterator[Repair]:
    """Yields the deletion of what is there, with the blanks or the comma that belong to it."""
    text = part.text
    written = text[slice(*span)]
    if not written or "\n" in written:
        return
    whole, line = whole_lines(text, span), line_span(text, span.start)
    if whole != span:
        yield Repair(f"delete '{written[:40]}'", (Edit(whole, ""),))
        return
    before = span.start - len(text[: span.start]) + len(text[: span.start].rstrip(" \t"))
    previous = token_at(text, before - 1)
    is_repeated = previous is not None and previous.text == written and written not in _SEPARATORS
    trust = _CERTAIN if is_repeated else Applicability.LIKELY
    edits = (Edit(Span(before, span.end), ""),)
    yield Repair(f"delete '{written[:40]}'", edits, applicability=trust, rivals=rivals)
    if text[before - 1 : before] == ",":
        yield Repair("delete ','", (Edit(Span(before - 1, before), ""),))
    rest = Span(before, line.end)
    if rest.end > span.end:
        yield Repair("delete the rest of the line", (Edit(rest, ""),), applicability=Applicability.GUESS)


def _missing_attribute(part: Part, span: Span) -> Iterator[Repair]:
    """Yields the attribute that an operation lacks before the colon of its types, with values to try."""
    end = len(part.text[: span.start].rstrip())
    op_def = statement_at(part, span.start).op_def
    entry = _LAST_ENTRY.search(op_def.format or "") if op_def else None
    if op_def is None or entry is None or part.text[slice(*span)] != ":":
        return
    types = [type_ for _, type_ in placed_types(part.text, end, line_span(part.text, end).end)]
    ranks = [len(type_.shape) for type_ in types if isinstance(type_, RankedTensorType)]
    attribute = op_def.attribute(entry["name"])
    if attribute is None or not ranks:
        return
    if "array<i64" in attribute.example:
        ascending = islice(combinations(range(ranks[-1]), ranks[0]), _MOST_VALUES)
        values = [str([*reversed(range(ranks[0]))]), *(str([*numbers]) for numbers in ascending)]
    else:
        values = [str(number) for number in range(min(ranks[0], _MOST_VALUES))]
    comma = ", " if entry["comma"] else " "
    for value in dict.fromkeys(values):
        text = f"{comma}{entry['word']} = {value}"
        yield Repair(f"insert '{text.strip(' ,')}'", (Edit(Span(end, end), text),))


def _quotes(part: Part, span: Span) -> Iterator[Repair]:
    """Yields the places where a string may end, the last of its line first."""
    line = line_span(part.text, span.start)
    ends = [match.start() for match in _STRING_ENDS.finditer(part.text, span.start + 1, line.end)]
    for end in sorted({*ends, line.end}):
        yield Repair("insert '\"'", (Edit(Span(end, end), '"'),), is_whole=False)


def _types(part: Part, span: Span, expected: Expect) -> Iterator[Repair]:
    """Yields the types that follow from the operands, where an operation has none."""
    if ":" not in expected.literals and not expected.is_type:
        return
    end = len(part.text[: span.start].rstrip())
    statement = statement_at(part, end)
    scope: dict[str, Type] = {}
    for name, type_ in values_in_scope(statement):
        scope.setdefault(name, type_)
    types = types_ahead(statement, scope) or _of_operands(statement.text, scope)
    if types is None:
        return
    before = part.text[:end].endswith(":")
    yield Repair(
        f"insert the types {types}"[:100], (Edit(Span(end, end), f" {types}" if before else f" : {types}"),)
    )


def _of_operands(text: str, scope: dict[str, Type]) -> str | None:
    """Returns the types of the values that a terminator names."""
    match = re.match(r"\s*(?:[\w$]+\.)?(?:return|yield)\s+(%[^:]*)", text)
    names = [name.strip()[1:] for name in match[1].rstrip(" :").split(",")] if match else []
    types = [scope.get(name) or scope.get(f"{name}#0") for name in names]
    return ", ".join(map(str, types)) if types and None not in types else None
