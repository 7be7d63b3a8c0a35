"""Writes docs/constraints.md: every constraint that `shlo check` knows.

python docs/generate_constraints.py
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from shlo.dialects import all_op_defs
from shlo.dialects.opdef import Constraint, OpDef
from shlo.verifier.codes import TYPE_CONSTRAINTS

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "constraints.md"
PROGRAMS = ROOT / "tests" / "verifier" / "programs"

INTRODUCTION = """# Constraints

What `shlo check` holds programs against, operation by operation. A finding's code is the operation and the
label: `dot_general-C10`. Labels are those of StableHLO 1.20; "2024" is the label in the specification of 2024
where that differs (– where it has none). Labels with an A are not in the specification, but the MLIR tools
check them. Breaking a constraint is an error where the MLIR tools reject the program, else a warning. I1, I2,
and so on are the operands, attributes and regions in their order, of which each must be of its kind. A link
leads to a program that breaks the constraint; those without one are implied by others
(`tests/verifier/implied.txt`).

`python docs/generate_constraints.py` writes this page.
"""
HEAD = "| label | 2024 | formula | | errata | program |\n|---|---|---|---|---|---|\n"


def page() -> str:
    """The page as it should be."""
    op_defs = [op_def for op_def in all_op_defs() if op_def.constraints]
    sections = [section(op_def) for op_def in op_defs]
    return "\n".join([INTRODUCTION, *sections, types()])


def section(op_def: OpDef) -> str:
    """The constraints of an operation."""
    name = op_def.name.removeprefix("stablehlo.")
    url = op_def.url
    title = f"[{op_def.name}]({url})" if url else op_def.name
    return f"## {title}\n\n{table(name, op_def.constraints)}"


def types() -> str:
    """The constraints of types and constants."""
    parts = [
        f"## {name.replace('_', ' ')}\n\n{table(name, constraints)}"
        for name, constraints in TYPE_CONSTRAINTS.items()
    ]
    return "\n".join(parts)


def table(name: str, constraints: Iterable[Constraint]) -> str:
    """The constraints of an operation or a kind of types, a row for each."""
    return HEAD + "".join(row(name, constraint) for constraint in constraints)


def row(name: str, constraint: Constraint) -> str:
    """A constraint's line."""
    old = {constraint.label: "", "": "–"}.get(constraint.old_label, constraint.old_label)
    formula = code(constraint.formula)
    cells = (constraint.label, old, formula, constraint.severity, escaped(constraint.erratum))
    return f"| {' | '.join(cells)} | {program(f'{name}-{constraint.label}')} |\n"


def code(text: str) -> str:
    """Text as code in a table."""
    return f"`{text.replace('|', chr(92) + '|')}`"


def escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def program(label: str) -> str:
    """A link to the program that breaks a constraint, empty where there is none."""
    place = places().get(label)
    return f"[program](../{place})" if place else ""


@cache
def places() -> dict[str, str]:
    """The files and lines of the programs, by the codes that they are reported under."""
    found: dict[str, str] = {}
    for path in sorted(PROGRAMS.glob("*.mlir")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = re.fullmatch(r"\s*// (?:expect|label): (\S+)", line)
            if match:
                found.setdefault(match[1], f"{path.relative_to(ROOT).as_posix()}#L{number}")
    return found


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
