"""Which constraints the specification of 2024 states, and under which code each is reported today."""

from __future__ import annotations

import re
from pathlib import Path

from shlo.dialects import find_op_def
from shlo.dialects.opdef import OpDef

HERE = Path(__file__).parent
LABELS = HERE / "labels.txt"
IMPLIED = HERE / "implied.txt"
PROGRAMS = HERE / "programs"
VALID = HERE / "valid.mlir"


def stated() -> dict[str, tuple[int, int]]:
    """For each operation how many constraints (C1, C2, ...) and inputs (I1, I2, ...) the specification lists."""
    found: dict[str, tuple[int, int]] = {}
    for line in LABELS.read_text().splitlines():
        match = re.fullmatch(r"(\w+): C(\d+), I(\d+)", line)
        if match:
            found[match[1]] = (int(match[2]), int(match[3]))
    return found


def op_def_of(name: str) -> OpDef:
    """Returns the definition of an operation by its name in the specification."""
    op_def = find_op_def(f"stablehlo.{name}")
    assert op_def is not None, name
    return op_def


def codes(name: str) -> dict[str, str]:
    """Returns the codes under which the labels of an operation are reported, by the labels of 2024."""
    op_def, (constraints, inputs) = op_def_of(name), stated()[name]
    today = {constraint.old_label: constraint.label for constraint in op_def.constraints}
    wanted = {f"C{number}": today.get(f"C{number}", "") for number in range(1, constraints + 1)}
    wanted |= {f"I{number}": f"I{number}" for number in range(1, inputs + 1)}
    return {label: f"{name}-{code}" for label, code in wanted.items()}


def implied() -> dict[str, str]:
    """Codes that are never the first to be reported, and why."""
    lines = IMPLIED.read_text().splitlines()
    pairs = (line.partition(": ") for line in lines if line and not line.startswith("//"))
    return {code: reason for code, _, reason in pairs}
