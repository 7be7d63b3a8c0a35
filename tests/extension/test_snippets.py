"""The snippets of the VS Code extension: what each of them inserts, as it stands, is a right program."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import shlo

FILE = Path(__file__).resolve().parents[2] / "vscode-extension" / "snippets" / "mlir.json"
SNIPPETS: dict[str, dict[str, Any]] = json.loads(FILE.read_text())
ARGUMENTS = {
    "Broadcast": "%x: tensor<4xf32>",
    "Dot product": "%lhs: tensor<2x3x4xf32>, %rhs: tensor<2x4x5xf32>",
    "Matrix product": "%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>",
    "Convolution": "%lhs: tensor<1x8x8x3xf32>, %rhs: tensor<3x3x3x16xf32>",
    "Reduce": "%x: tensor<2x4xf32>, %init: tensor<f32>",
    "Reduce with a region": "%x: tensor<2x4xf32>, %init: tensor<f32>",
    "While": "%zero: tensor<i32>, %x: tensor<4xf32>",
    "If": "%pred: tensor<i1>, %a: tensor<4xf32>, %b: tensor<4xf32>",
    "Case": "%index: tensor<i32>, %a: tensor<4xf32>, %b: tensor<4xf32>",
    "Sort": "%x: tensor<4xf32>",
    "Gather": "%x: tensor<8x4xf32>, %indices: tensor<3x1xi32>",
    "Scatter": "%x: tensor<8x4xf32>, %indices: tensor<3x1xi32>, %updates: tensor<3x4xf32>",
    "Reduce window": "%x: tensor<1x8x8x3xf32>, %init: tensor<f32>",
    "Custom call": "%x: tensor<4xf32>",
}
"""What must be there around a snippet of a single operation."""


def inserted(body: str | list[str]) -> str:
    """Returns what VS Code inserts for somebody who only presses Tab: the first words offered."""
    text = body if isinstance(body, str) else "\n".join(body)
    found: dict[str, str] = {}
    for number, value, choices in re.findall(r"\$\{(\d+)(?::([^}]*)|\|([^|]*)\|)", text):
        found[number] = value or choices.split(",")[0]
    text = re.sub(r"\$\{(\d+)(?::[^}]*|\|[^|]*\|)?\}", lambda match: found.get(match[1], ""), text)
    return re.sub(r"\$(\d+)", lambda match: found.get(match[1], ""), text)


@pytest.mark.parametrize("name", SNIPPETS)
def test_is_a_program(name: str) -> None:
    text = inserted(SNIPPETS[name]["body"])
    if text.startswith("%"):
        text = f"func.func @f({ARGUMENTS.get(name, '')}) {{\n{text}\nreturn\n}}"
    shlo.parse(text)
