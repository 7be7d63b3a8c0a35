"""What to tell about an operation of a program: its types, how its dimensions map, which constraints hold."""

from __future__ import annotations

import functools
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from shlo.dialects import find_op_def
from shlo.dialects.constraints import Verdict, judge
from shlo.dialects.formula import Truth
from shlo.dialects.op_bindings import OpBindings
from shlo.dialects.opdef import OpDef
from shlo.dialects.operand_groups import operand_groups, result_groups
from shlo.dialects.signature_findings import declaration_findings
from shlo.ir.attributes import Attribute
from shlo.ir.op_path import OpPath
from shlo.ir.operations import BROKEN, Operation
from shlo.ir.types import Type
from shlo.language.document import Part
from shlo.language.hover.dimensions import diagram_of
from shlo.language.hover.markdown import code, fence
from shlo.language.hover.op_docs import op_def_sections, op_def_title
from shlo.text.shortening import fitted
from shlo.verifier.op_context import region_type
from shlo.verifier.op_cursor import OpCursor, constant_value

MAX_LISTED = 8
"""How many operands of one list, and how many constraints of one kind, are shown."""
MAX_HOLDING = 4
"""How many constraints are shown that hold."""
MAX_FORMULA = 160
"""How many characters of a formula are shown."""


class Judgement(Struct, frozen=True):
    """A constraint's result, why it is broken, and whether the MLIR tools enforce it, too."""

    label: str
    formula: str
    truth: Truth
    message: str = ""
    enforced: bool = True


def operation_text(part: Part, op_path: OpPath, op_def: OpDef) -> str:
    """Returns an operation in Markdown, first what is so at its place, then its definition."""
    here = list(_here(part, op_path, op_def)) if op_path.operation.name == op_def.name else []
    return "\n".join([op_def_title(op_def), *here, *op_def_sections(op_def)])


def _here(part: Part, op_path: OpPath, op_def: OpDef) -> Iterator[str]:
    actual = list(_actual(op_path.operation, op_def))
    if actual:
        yield "\nHere\n" + "\n".join(actual)
    bindings = _bindings_at(part, op_path)
    if bindings is None:
        return
    diagram = diagram_of(bindings)
    if diagram is not None:
        lines = "\n".join(diagram.lines)
        yield f"\n{fence(lines)}\n{diagram.legend}".rstrip()
    yield from _constraints(_judgements(bindings))


def constraints_about(part: Part, op_path: OpPath, op_def: OpDef, name: str) -> Iterator[str]:
    """Yields the constraints of an operation that speak of one of its members, with whether they hold."""
    bindings = _bindings_at(part, op_path) if op_path.operation.name == op_def.name else None
    word = re.compile(rf"\b{re.escape(name)}\b")
    if bindings is None:
        return
    for judgement in [judgement for judgement in _judgements(bindings) if word.search(judgement.formula)][
        :MAX_LISTED
    ]:
        sign = "✓" if judgement.truth is True else "✗" if judgement.truth is False else "?"
        yield f"- {sign} {_line(judgement)}"


def _actual(operation: Operation, op_def: OpDef) -> Iterator[str]:
    """Yields the types that the operands and results have."""
    signature = operation.signature
    operands = operand_groups(op_def, len(signature.operand_types), signature.properties)
    yield from (f"- {line}" for line in _typed(operands, signature.operand_types))
    results = result_groups(op_def, len(signature.result_types), signature.properties)
    yield from (f"- → {line}" for line in _typed(results, signature.result_types))


def _typed(groups: Mapping[str, range], types: tuple[Type, ...]) -> Iterator[str]:
    for name, numbers in groups.items():
        if numbers:
            shown = ", ".join(str(types[number]) for number in numbers[:MAX_LISTED])
            yield f"{code(name)}: {code(shown)}{_more(len(numbers) - MAX_LISTED)}"


def _constraints(judgements: Sequence[Judgement]) -> Iterator[str]:
    """Yields the broken constraints with reasons, those undecided until a run, some of the others."""
    if not judgements:
        return
    broken = [judgement for judgement in judgements if judgement.truth is False]
    holding = [judgement for judgement in judgements if judgement.truth is True]
    undecided = [
        judgement for judgement in judgements if judgement.truth is not True and judgement.truth is not False
    ]
    hold = "holds" if len(holding) == 1 else "hold"
    counts = ((holding, hold), (undecided, "undecided until a run"), (broken, "broken"))
    summary = ", ".join(f"{len(judged)} {words}" for judged, words in counts if judged)
    yield f"\nConstraints: {summary}\n"
    for sign, judged, most in (
        ("✗", broken, MAX_LISTED),
        ("?", undecided, MAX_LISTED),
        ("✓", holding, MAX_HOLDING),
    ):
        yield from (f"- {sign} {_line(judgement)}" for judgement in judged[:most])
        if len(judged) > most:
            yield f"- {sign}{_more(len(judged) - most)}"


def _line(judged: Judgement) -> str:
    formula = " ".join(judged.formula.split())
    shown = fitted(formula, MAX_FORMULA)
    only = "" if judged.enforced else " (in the specification; MLIR does not check it)"
    reason = f": {code(judged.message)}" if judged.message else ""
    return f"{judged.label}{' ' if shown else ''}{code(shown)}{only}{reason}"


def _more(count: int) -> str:
    return f" and {count} more" if count > 0 else ""


def _judgements(bindings: OpBindings) -> list[Judgement]:
    """Returns each constraint's result in order; of operands of wrong types, these alone."""
    wrong = [
        Judgement(finding.code.rpartition("-")[2], "", False, finding.message)
        for finding in declaration_findings(bindings)
    ]
    return wrong or [_judgement(judge(constraint, bindings)) for constraint in bindings.op_def.constraints]


def _judgement(verdict: Verdict) -> Judgement:
    constraint, message = verdict.constraint, verdict.broken.message if verdict.broken else ""
    return Judgement(constraint.label, constraint.formula, verdict.truth, message, constraint.enforced)


def _bindings_at(part: Part, op_path: OpPath) -> OpBindings | None:
    """Returns the members of an operation with its regions' types, the constants that it uses and what is
    around it; None of one without a definition."""
    op_def = find_op_def(op_path.operation.name)
    if op_def is None or op_path.operation.name == BROKEN:
        return None
    cursor = _cursor_of(part, op_path)
    regions = tuple(map(region_type, op_path.operation.regions))
    constant = functools.partial(_constant, part, op_path)
    return OpBindings(op_def, op_path.operation.signature, regions, constant, cursor)


def _constant(part: Part, op_path: OpPath, number: int) -> Attribute | None:
    """Returns what operand `number` is, where the operation that defines it is a constant.

    The verifier's cursor would number all values of the function first.
    """
    scope = part.index.values.scope_of(op_path)
    owner = scope.owner(op_path.operation.operands[number], op_path) if scope else None
    return None if owner is None or owner.region is not None else constant_value(owner.place.operation)


def _cursor_of(part: Part, op_path: OpPath) -> OpCursor:
    """Returns where an operation is, as the verifier sees it."""
    if op_path.parent is None:
        return OpCursor.root(part.module)
    region = op_path.parent.operation.regions[op_path.region]
    index = bisect_left(region.blocks[op_path.block].starts, op_path.start - op_path.parent.start)
    return _cursor_of(part, op_path.parent).inner(region, op_path.block, index)
