"""What a user can do about a finding, with the names of the program: `use stablehlo.convert %n : ...`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from shlo.dialects.findings import Finding
from shlo.dialects.fixits.conversions import advice
from shlo.dialects.fixits.repairs import Setting, has_fixit, is_valid, working_conversion, working_setting
from shlo.dialects.formula import FixIt, Mention, Words, said
from shlo.dialects.formula.rendering import shown_value
from shlo.dialects.op_bindings import OpBindings, Role
from shlo.dialects.opdef import OpDef
from shlo.ir.diagnostics import Fix
from shlo.ir.operations import Signature
from shlo.ir.source import Span
from shlo.verifier.op_cursor import OpCursor

ORDER: Final[Mapping[Role, int]] = {"result": 0, "attribute": 1, "region": 2, "operand": 3}
"""What is rather changed than something else."""
SHOWN: Final = 2
"""How many ways are shown."""
MOST_SEARCHED: Final = 200
"""For how many signatures of a program that are wrong ways are searched that mend them."""


class Advice:
    """What is advised in one walk through a program: searched once for all operations that are alike."""

    def __init__(self) -> None:
        self._known: dict[tuple[Signature, str], tuple[Words, Setting | None]] = {}

    def of(
        self, finding: Finding, cursor: OpCursor, bindings: OpBindings | None
    ) -> tuple[str, Setting | None]:
        """Returns what to do about a finding in words, and the attribute's value that mends it where one
        does.
        """
        words, setting = self._found(finding, bindings)
        return said(words, lambda mention: name_of(mention, cursor, bindings)), setting

    def _found(self, finding: Finding, bindings: OpBindings | None) -> tuple[Words, Setting | None]:
        if bindings is None or not finding.bindings:
            return _chosen(finding.fixits, bindings), None
        key = bindings.signature, finding.code
        if key not in self._known:
            if len(self._known) >= MOST_SEARCHED:
                return _chosen(finding.fixits, bindings), None
            self._known[key] = _searched(finding, bindings)
        return self._known[key]


def _searched(finding: Finding, bindings: OpBindings) -> tuple[Words, Setting | None]:
    """What makes the operation valid; where nothing does alone, what mends the finding."""
    if not has_fixit(bindings) or is_valid(bindings):
        return _chosen(finding.fixits, bindings), None
    conversion = working_conversion(bindings)
    if conversion is not None:
        return advice(_operand(bindings, conversion.operand), conversion.steps), None
    setting = working_setting(bindings, finding.bindings)
    if setting is not None:
        return _setting_words(setting), setting
    return _chosen(finding.fixits, bindings), None


def _operand(bindings: OpBindings, number: int) -> Mention:
    """Returns the member that an operand belongs to."""
    for spec in bindings.op_def.operands:
        origin = bindings.origins[spec.name]
        if origin.first <= number < origin.first + origin.count:
            return Mention(spec.name, number - origin.first if spec.arity == "variadic" else None)
    raise AssertionError(number)


def _setting_words(setting: Setting) -> Words:
    words: Words = ("set ", Mention(setting.member), f" to {shown_value(setting.value)}")
    if setting.results is None:
        return words
    return (*words, f", which gives {', '.join(map(str, setting.results))}")


def _chosen(fixits: Sequence[FixIt], bindings: OpBindings | None) -> Words:
    """Returns the first remedies in words: results follow from the rest, so they are changed first."""
    known = bindings.origins if bindings is not None else {}

    def order(fixit: FixIt) -> int:
        return ORDER[known[fixit.member].role] if fixit.member in known else len(ORDER)

    words: Words = ()
    for fixit in sorted(dict.fromkeys(fixits), key=order)[:SHOWN]:
        words = (*words, ", or ", *_continued(fixit.words)) if words else fixit.words
    return words


def _continued(words: Words) -> Words:
    """Words behind others that begin in the same way."""
    first, *others = words
    return tuple(others) if first == "make " else words


def name_of(mention: Mention, cursor: OpCursor, bindings: OpBindings | None) -> str:
    """What a member is called in the program's text."""
    origin = bindings.origins.get(mention.member) if bindings is not None else None
    if bindings is None or origin is None or origin.role == "attribute" or _is_list(mention, bindings.op_def):
        return said((mention,))
    number = origin.first + (mention.number or 0)
    if origin.role == "operand" and cursor.region is not None and number < len(cursor.operation.operands):
        name = cursor.region.values.names[cursor.operation.operands[number]]
        return f"%{name}" if name else f"operand {number}"
    if origin.role == "result":
        return "the result" if len(cursor.operation.result_types) == 1 else f"result {number}"
    return said((mention,))


def _is_list(mention: Mention, op_def: OpDef) -> bool:
    """Returns whether a list of values is meant, and none of them."""
    specs = (*op_def.operands, *op_def.results)
    arity = next((spec.arity for spec in specs if spec.name == mention.member), "one")
    return mention.number is None and arity == "variadic"


# --- edits ---


def setting_fix(setting: Setting, text: str, span: Span | None) -> Fix | None:
    """Returns the edit that gives an attribute another value, where its old value is in a span once."""
    if span is None or setting.results is not None:
        return None
    for old, new in written_forms(setting):
        pattern = re.escape(old).replace(r",\ ", r"\s*,\s*")
        places = [*re.finditer(rf"(?<![\w.-]){pattern}(?![\w.])", text[slice(*span)])]
        if len(places) == 1:
            place = Span(span.start + places[0].start(), span.start + places[0].end())
            return Fix(f"set {setting.member} to {shown_value(setting.value)}", place, new)
    return None


def written_forms(setting: Setting) -> tuple[tuple[str, str], tuple[str, str]]:
    """Returns the old and the new value as they are in pretty and in generic forms."""
    old, new = (
        f"array<i64: {shown_value(value)[1:-1]}>" if isinstance(value, tuple) else str(value)
        for value in (setting.old, setting.value)
    )
    return (shown_value(setting.old), shown_value(setting.value)), (old, new)
