"""What a finding's code means, in Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

from shlo.dialects import all_op_defs, find_op_def
from shlo.dialects.opdef import Constraint, OpDef
from shlo.language.hover.op_docs import op_def_text
from shlo.runner.errors import quoted
from shlo.text.suggest import did_you_mean
from shlo.verifier.codes import GENERAL_CODES, TYPE_CONSTRAINTS
from shlo_mcp.calls import CallError

LONGEST_NAME: Final = 200
"""Characters of a name that is looked up: to suggest others takes longer, the longer it is."""
_INPUTS: Final = "operands, attributes and regions in the specification's order"


def explain(name: str) -> str:
    """Returns what a code or an operation is. Raises CallError where there is none of that name."""
    if len(name) > LONGEST_NAME:
        raise CallError(f"expected the code of a finding or an operation, got {quoted(name)}")
    if name in GENERAL_CODES:
        return f"`{name}`: {GENERAL_CODES[name]}"
    op_def = _operation(name)
    if op_def:
        return "\n".join([op_def_text(op_def), "", "Constraints", *map(_line, op_def.constraints)])
    operation, _, label = name.rpartition("-")
    for op_name, constraint in _constraints():
        if (op_name, constraint.label) == (operation, label):
            op_def = _operation(operation)
            return "\n\n".join(filter(None, (_line(constraint), op_def_text(op_def) if op_def else "")))
    op_def = _operation(operation)
    if op_def and label.startswith("I"):
        return f"`{name}`: one of the {_INPUTS} is not of its kind.\n\n{op_def_text(op_def)}"
    names = [*GENERAL_CODES, *(f"{op_name}-{constraint.label}" for op_name, constraint in _constraints())]
    hint = did_you_mean(name, names)
    raise CallError(
        f"expected the code of a finding or an operation, got {name!r}" + (f"; {hint}" if hint else "")
    )


def _operation(name: str) -> OpDef | None:
    return find_op_def(name) or find_op_def(f"stablehlo.{name}")


def _constraints() -> Iterator[tuple[str, Constraint]]:
    """Yields the constraints of operations and of types with the name before the label in their codes."""
    operations = ((op_def.name.removeprefix("stablehlo."), op_def.constraints) for op_def in all_op_defs())
    for name, constraints in chain(operations, TYPE_CONSTRAINTS.items()):
        yield from ((name, constraint) for constraint in constraints)


def _line(constraint: Constraint) -> str:
    severity = "an error" if constraint.enforced else "a warning"
    line = f"- {constraint.label}: `{constraint.formula}`; breaking it is {severity}"
    return f"{line}. {constraint.erratum}" if constraint.erratum else line
