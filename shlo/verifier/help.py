"""What a user can do about a finding, in the names of the program: `use stablehlo.convert %n : ...`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from shlo.dialects.formula.rendering import shown_value
from shlo.dialects.op_bindings import Finding, OpBindings, Role
from shlo.dialects.opdef import OpDef
from shlo.dialects.repairs import Setting, has_fixit, is_valid, working_conversion, working_setting
from shlo.ir.diagnostics import Fix
from shlo.ir.operations import Signature
from shlo.ir.source import Span
from shlo.ir.suggestions import (
    InsertConversion,
    MemberSuggestion,
    Set,
    SetAttribute,
    SetRegion,
    SetType,
    SetValue,
    Subject,
    Suggestion,
)
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
        self._known: dict[tuple[Signature, str], tuple[tuple[Suggestion, ...], Setting | None]] = {}

    def of(
        self, finding: Finding, cursor: OpCursor, bindings: OpBindings | None
    ) -> tuple[tuple[Suggestion, ...], Setting | None]:
        """Returns what to do about a finding in the program's names, and the attribute's value that corrects
        it where one does.
        """
        suggestions, setting = self._found(finding, bindings)
        return tuple(_resolved(suggestion, cursor, bindings) for suggestion in suggestions), setting

    def _found(
        self, finding: Finding, bindings: OpBindings | None
    ) -> tuple[tuple[Suggestion, ...], Setting | None]:
        if bindings is None or not finding.bindings:
            return _chosen(finding.suggestions, bindings), None
        key = bindings.signature, finding.code
        if key not in self._known:
            if len(self._known) >= MOST_SEARCHED:
                return _chosen(finding.suggestions, bindings), None
            self._known[key] = _searched(finding, bindings)
        return self._known[key]


def _searched(finding: Finding, bindings: OpBindings) -> tuple[tuple[Suggestion, ...], Setting | None]:
    """Returns what makes the operation valid; where nothing does alone, what removes the finding."""
    if has_fixit(bindings) and not is_valid(bindings):
        conversion = working_conversion(bindings)
        if conversion is not None:
            return (InsertConversion(_operand(bindings, conversion.operand), conversion.steps),), None
        setting = working_setting(bindings, finding.bindings)
        if setting is not None:
            subject = Subject(setting.member)
            return (SetValue(subject, setting.old, setting.value, setting.results),), setting
    return _chosen(finding.suggestions, bindings), None


def _operand(bindings: OpBindings, number: int) -> Subject:
    """Returns the member that an operand belongs to."""
    for spec in bindings.op_def.operands:
        origin = bindings.origins[spec.name]
        if origin.first <= number < origin.first + origin.count:
            return Subject(spec.name, number - origin.first if spec.arity == "variadic" else None)
    raise AssertionError(number)


def _chosen(suggestions: Sequence[Suggestion], bindings: OpBindings | None) -> tuple[Suggestion, ...]:
    """Returns the first suggestions: results follow from the rest, so they are changed first."""
    origins = bindings.origins if bindings is not None else {}

    def order(suggestion: Suggestion) -> int:
        member = suggestion.subject.member if isinstance(suggestion, MemberSuggestion) else ""
        return ORDER[origins[member].role] if member in origins else len(ORDER)

    return tuple(sorted(dict.fromkeys(suggestions), key=order)[:SHOWN])


_OF_ROLE: Final[Mapping[Role, type[Set]]] = {
    "operand": SetType,
    "result": SetType,
    "attribute": SetAttribute,
    "region": SetRegion,
}


def _resolved(suggestion: Suggestion, cursor: OpCursor, bindings: OpBindings | None) -> Suggestion:
    """Returns a suggestion that says where its member is in the operation, and what the program calls it."""
    if bindings is None or not isinstance(suggestion, MemberSuggestion):
        return suggestion
    subject = suggestion.subject
    origin = bindings.origins.get(subject.member)
    if origin is None:
        return suggestion
    index, name = origin.first + (subject.number or 0), ""
    if origin.role in ("operand", "result") and not _is_list(subject, bindings.op_def):
        name = _name_of(origin.role, index, cursor)
    subject = replace(subject, role=origin.role, index=index, name=name)
    if type(suggestion) is Set:
        return _OF_ROLE[origin.role](subject, suggestion.relation, suggestion.value, suggestion.like)
    return replace(suggestion, subject=subject)


def _name_of(role: Role, number: int, cursor: OpCursor) -> str:
    """Returns what an operand or a result is called in the program's text."""
    operation, region = cursor.operation, cursor.region
    if role == "operand" and region is not None and number < len(operation.operands):
        name = region.values.names[operation.operands[number]]
        return f"%{name}" if name else f"operand {number}"
    if role == "result":
        return "the result" if len(operation.result_types) == 1 else f"result {number}"
    return ""


def _is_list(subject: Subject, op_def: OpDef) -> bool:
    """Returns whether a list of values is meant, and none of them."""
    specs = (*op_def.operands, *op_def.results)
    arity = next((spec.arity for spec in specs if spec.name == subject.member), "one")
    return subject.number is None and arity == "variadic"


# --- edits ---


def setting_fix(setting: Setting, text: str, span: Span | None) -> Fix | None:
    """Returns the edit that gives an attribute another value, where its old value is in a span once."""
    if span is None or setting.results is not None:
        return None
    for old, new in written_forms(setting):
        pattern = re.escape(old).replace(r",\ ", r"\s*,\s*")
        places = [*re.finditer(rf"(?<![\w.-]){pattern}(?![\w.])", text[slice(*span)])]
        if len(places) == 1:
            old_span = Span(span.start + places[0].start(), span.start + places[0].end())
            return Fix(f"set {setting.member} to {shown_value(setting.value)}", old_span, new)
    return None


def written_forms(setting: Setting) -> tuple[tuple[str, str], tuple[str, str]]:
    """Returns the old and the new value as they are in pretty and in generic forms."""
    old, new = (
        f"array<i64: {shown_value(value)[1:-1]}>" if isinstance(value, tuple) else str(value)
        for value in (setting.old, setting.value)
    )
    return (shown_value(setting.old), shown_value(setting.value)), (old, new)
