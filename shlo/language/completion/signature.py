"""What an operation wants, while it is typed: operands and attributes from its definition, in the words of
the form that is written, or a function's arguments."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from shlo.dialects.opdef import AttributeDef, OpDef
from shlo.ir.operations import function_type
from shlo.ir.recursion import recursive
from shlo.ir.traced_names import argument_label, result_labels
from shlo.language.completion.items import callee, operand_number
from shlo.language.completion.statement import Statement, statement_at
from shlo.language.document import Document
from shlo.language.hover.markdown import code
from shlo.language.hover.op_docs import MANY, attribute_line, constraint_text, words_of
from shlo.syntax.assembly_format.spec import attribute_words

MAX_CONSTRAINTS = 3
"""How many constraints of the operand at the cursor are shown."""
MAX_PARAMETERS = 24
"""How many arguments of a function are shown, those around the one at the cursor."""
MAX_LISTED = 6
"""How many further attributes are listed."""


class OperationSignature(Struct, frozen=True):
    """The line that an editor shows, the places of the parameters in it, the number of that at the cursor
    (None behind the last), and what to say below, in Markdown."""

    label: str
    parameters: tuple[tuple[int, int], ...]
    active: int | None
    documentation: str


@recursive
def signature_help(document: Document, offset: int) -> OperationSignature | None:
    """Returns the signature of the operation that is being typed at an offset, None where none is."""
    part = document.part_at(offset)
    statement = statement_at(part, offset - part.start)
    op_def = statement.op_def
    if op_def is None:
        return None
    if op_def.name == "func.call" and (signature := _of_callee(statement)):
        return signature
    return _of_op_def(statement, op_def)


def _of_op_def(statement: Statement, op_def: OpDef) -> OperationSignature:
    shown = _attributes(statement, op_def)
    operands = [f"{spec.name}: {spec.constraint}{MANY[spec.arity]}" for spec in op_def.operands]
    attributes = [f"{word}: {_said(spec)}" for word, spec in shown.items()]
    results = [f"{spec.name}: {spec.constraint}{MANY[spec.arity]}" for spec in op_def.results]
    others = [spec for spec in op_def.attributes if spec not in shown.values()]
    lines = [op_def.summary, *(f"- {attribute_line(spec)}" for spec in others[:MAX_LISTED])]
    word = _attribute_at(statement, shown)
    if word is not None:
        active, member = len(operands) + list(shown).index(word), shown[word].name
    else:
        number = operand_number(statement)
        specs = enumerate(op_def.operands)
        active = next((at for at, spec in specs if at == number or spec.arity == "variadic"), None)
        member = op_def.operands[active].name if active is not None else ""
    if member:
        lines += _constraints(op_def, member)
    label_results = ", ".join(results)
    return _signature(op_def.name, operands + attributes, label_results, active, "\n".join(lines))


def _attributes(statement: Statement, op_def: OpDef) -> dict[str, AttributeDef]:
    """Returns the attributes by the words that the form has for them: of the generic form, their names."""
    if statement.is_generic or op_def.format is None:
        return {spec.name: spec for spec in op_def.attributes if spec.required}
    return attribute_words(op_def)


def _said(spec: AttributeDef) -> str:
    constraint = " or ".join(words_of(spec.constraint)) or constraint_text(spec.constraint).replace("`", "")
    return constraint if spec.required else f"{constraint} (optional)"


def _attribute_at(statement: Statement, shown: dict[str, AttributeDef]) -> str | None:
    """Returns the word of the attribute at the cursor, None where an operand is or another thing."""
    tokens = [token for token in statement.tokens if token.span.end <= statement.offset]
    if tokens and tokens[-1].kind == "value":
        return None
    fitting = statement.expectations(statement.offset)
    if not fitting.attribute:
        first = fitting.items[0].text if fitting.items else ""
        return first if first in shown else None
    words = [word for word, spec in shown.items() if spec.name == fitting.attribute]
    before = [token.text for token in tokens]
    return next((word for word in reversed(words) if word in before), words[0] if words else None)


def _constraints(op_def: OpDef, name: str) -> list[str]:
    """Returns the shortest constraints that speak of a member, in Markdown."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    formulas = [
        (" ".join(constraint.formula.split()), constraint.label)
        for constraint in op_def.constraints
        if word.search(constraint.formula)
    ]
    shortest = sorted(formulas, key=lambda formula: len(formula[0]))[:MAX_CONSTRAINTS]
    return [f"- {label}: {code(formula)}" for formula, label in formulas if (formula, label) in shortest]


def _of_callee(statement: Statement) -> OperationSignature | None:
    symbol = callee(statement)
    type_ = function_type(symbol.place.operation) if symbol else None
    if symbol is None or type_ is None:
        return None
    operation = symbol.place.operation
    region = operation.regions[0] if operation.regions else None
    block = region.blocks[0] if region and region.blocks else None
    number = operand_number(statement)
    first = max(0, min(number - MAX_PARAMETERS // 2, len(type_.inputs) - MAX_PARAMETERS))
    inputs: list[str] = []
    for index, input_ in enumerate(type_.inputs[first : first + MAX_PARAMETERS], first):
        name = ""
        if region and block and index < len(block.arguments):
            name = argument_label(block, index) or f"%{region.values.names[block.arguments[index]]}"
        inputs.append(f"{name}: {input_}" if name else str(input_))
    labels = result_labels(operation, min(len(type_.results), MAX_PARAMETERS))
    results = [f"{name}: {result}" if name else str(result) for name, result in zip(labels, type_.results)]
    behind = len(type_.inputs) - first - len(inputs)
    if len(type_.results) > len(results):
        results.append(f"… {len(type_.results) - len(results)} more")
    active = number - first if number < len(type_.inputs) else None
    cut = (f"… {first} before, " if first else "", f", … {behind} more" if behind else "")
    return _signature(f"@{symbol.name}", inputs, ", ".join(results), active, "", cut)


def _signature(
    name: str,
    parameters: Sequence[str],
    results: str,
    active: int | None,
    documentation: str,
    cut: tuple[str, str] = ("", ""),
) -> OperationSignature:
    label = f"{name}({cut[0]}"
    places: list[tuple[int, int]] = []
    for parameter in parameters:
        label += ", " if places else ""
        places.append((len(label), len(label) + len(parameter)))
        label += parameter
    return OperationSignature(f"{label}{cut[1]}) -> ({results})", tuple(places), active, documentation)
