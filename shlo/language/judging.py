"""The constraints of the operation at a place of a text, judged with what is around it."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from shlo.dialects import find_op_def
from shlo.dialects.constraints import Verdict, judge
from shlo.dialects.formula import Truth
from shlo.dialects.op_bindings import OpBindings
from shlo.dialects.signature_findings import declaration_findings
from shlo.ir.op_path import OpPath
from shlo.ir.operations import BROKEN
from shlo.language.document import Part
from shlo.verifier.op_context import region_type
from shlo.verifier.op_cursor import OpCursor


@dataclass(frozen=True, slots=True)
class Judgement:
    """A constraint's result, why it is broken, and whether the MLIR tools enforce it, too."""

    label: str
    formula: str
    truth: Truth
    message: str = ""
    enforced: bool = True


def judgements(bindings: OpBindings) -> list[Judgement]:
    """Returns each constraint's result in order; of operands of wrong types, these alone."""
    wrong = [
        Judgement(finding.code.rpartition("-")[2], "", False, finding.message)
        for finding in declaration_findings(bindings)
    ]
    return wrong or [_judgement(judge(constraint, bindings)) for constraint in bindings.op_def.constraints]


def _judgement(verdict: Verdict) -> Judgement:
    constraint, message = verdict.constraint, verdict.broken.message if verdict.broken else ""
    return Judgement(constraint.label, constraint.formula, verdict.truth, message, constraint.enforced)


def bindings_at(part: Part, place: OpPath) -> OpBindings | None:
    """Returns the members of an operation with its regions' types, the constants that it uses and what is
    around it; None of one without a definition."""
    op_def = find_op_def(place.operation.name)
    if op_def is None or place.operation.name == BROKEN:
        return None
    cursor = cursor_of(part, place)
    regions = tuple(map(region_type, place.operation.regions))
    return OpBindings(op_def, place.operation.signature, regions, cursor.constant, cursor)


def cursor_of(part: Part, place: OpPath) -> OpCursor:
    """Returns where an operation is, as the verifier sees it."""
    if place.parent is None:
        return OpCursor.root(part.module)
    region = place.parent.operation.regions[place.region]
    index = bisect_left(region.blocks[place.block].starts, place.start - place.parent.start)
    return cursor_of(part, place.parent).inner(region, place.block, index)
