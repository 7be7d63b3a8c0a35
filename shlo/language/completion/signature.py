"""What an operation wants, while it is typed: its operands from its definition, or a function's arguments."""

from __future__ import annotations

import re
from dataclasses import dataclass

from shlo.dialects.opdef import OpDef
from shlo.ir.recursion import recursive
from shlo.language.completion.items import callee, function_type, operand_number
from shlo.language.completion.statement import Statement, statement_at
from shlo.language.document import Document
from shlo.language.hover.markdown import code
from shlo.language.hover.op_docs import MANY, attribute_line

MAX_CONSTRAINTS = 3
"""How many constraints of the operand at the cursor are shown."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The line that an editor shows, the places of the operands in it, the number of the operand at the
    cursor (None behind the last), and what to say below, in Markdown."""

    label: str
    parameters: tuple[tuple[int, int], ...]
    active: int | None
    documentation: str


@recursive
def signature_help(document: Document, offset: int) -> Signature | None:
    """Returns the signature of the operation that is being typed at an offset, None where none is."""
    part = document.part_at(offset)
    statement = statement_at(part, offset - part.start)
    op_def = statement.op_def
    if op_def is None:
        return None
    if op_def.name == "func.call" and (signature := _of_callee(statement)):
        return signature
    return _of_op_def(statement, op_def)


def _of_op_def(statement: Statement, op_def: OpDef) -> Signature:
    operands = [f"{spec.name}: {spec.constraint}{MANY[spec.arity]}" for spec in op_def.operands]
    results = [f"{spec.name}: {spec.constraint}{MANY[spec.arity]}" for spec in op_def.results]
    lines = [op_def.summary, *(f"- {attribute_line(spec)}" for spec in op_def.attributes)]
    number = operand_number(statement)
    specs = enumerate(op_def.operands)
    active = next((at for at, spec in specs if at == number or spec.arity == "variadic"), None)
    if active is not None:
        lines += _constraints(op_def, op_def.operands[active].name)
    return _signature(op_def.name, operands, ", ".join(results), active, "\n".join(lines))


def _constraints(op_def: OpDef, name: str) -> list[str]:
    """Returns the shortest constraints that speak of a member, in Markdown."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    formulas = [
        (" ".join(constraint.formula.split()), constraint.label)
        for constraint in op_def.constraints
        if word.search(constraint.formula)
    ]
    shortest = sorted(formulas, key=lambda each: len(each[0]))[:MAX_CONSTRAINTS]
    return [f"- {label}: {code(formula)}" for formula, label in formulas if (formula, label) in shortest]


def _of_callee(statement: Statement) -> Signature | None:
    symbol = callee(statement)
    type_ = function_type(symbol.place.operation) if symbol else None
    if symbol is None or type_ is None:
        return None
    inputs = [str(each) for each in type_.inputs]
    results = ", ".join(str(each) for each in type_.results)
    number = operand_number(statement)
    active = number if number < len(inputs) else None
    return _signature(f"@{symbol.name}", inputs, results, active, "")


def _signature(
    name: str, operands: list[str], results: str, active: int | None, documentation: str
) -> Signature:
    label = f"{name}("
    places: list[tuple[int, int]] = []
    for operand in operands:
        label += ", " if places else ""
        places.append((len(label), len(label) + len(operand)))
        label += operand
    return Signature(f"{label}) -> ({results})", tuple(places), active, documentation)
