"""Suggestions are data: no wording of a message or a help text decides which edits fix a finding."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from shlo.ir import suggestions
from shlo.ir.suggestions import (
    ConversionStep,
    Facet,
    InsertConversion,
    Set,
    Subject,
    rendered,
    suggestion_data,
)
from shlo.ir.types import F32, I32, RankedTensorType
from shlo.language import Document
from shlo.language.diagnostics import diagnostics
from shlo.language.fixes.fixes import fixes_of
from tests.language.test_fix_kinds import MISTAKES

FIXES = Path("shlo/language/fixes")
PROSE = ("help", "message")


def _edits(shell: str, body: str) -> list[list[object]]:
    document = Document(shell.replace("BODY", body))
    return [[fix.edits for fix in fixes_of(document, finding)] for finding in diagnostics(document)]


@pytest.mark.parametrize(
    ("kind", "shell", "body"), [each[:3] for each in MISTAKES], ids=[each[0] for each in MISTAKES]
)
def test_rewording_changes_no_fix(kind: str, shell: str, body: str, monkeypatch: pytest.MonkeyPatch):
    before = _edits(shell, body)
    for table in ("FACETS", "RELATIONS", "QUALITIES"):
        words = {name: f"~{text}~" for name, text in getattr(suggestions, table).items()}
        monkeypatch.setattr(suggestions, table, words)
    for suggestion in vars(suggestions).values():
        if isinstance(suggestion, type) and issubclass(suggestion, suggestions.Suggestion):
            monkeypatch.setattr(suggestion, "text", property(lambda self: f"reworded {type(self).__name__}"))
    assert _edits(shell, body) == before


def test_no_fix_reads_prose():
    read: list[str] = []
    for path in sorted(FIXES.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in PROSE:
                read.append(f"{path.name}:{node.lineno}: .{node.attr}")
    # two findings are the same if their codes and messages are: no text is looked into
    assert [place.rpartition(":")[0].partition(":")[0] for place in read] == ["fix_all.py", "trial.py"], read


def test_suggestions_are_rendered_and_carried_as_data():
    x, y = Subject("lhs", name="%x"), Subject("rhs", name="%y")
    size = Set(x.of("dimension", 1), ">=", 3)
    step = ConversionStep("convert", "", RankedTensorType((2,), I32), RankedTensorType((2,), F32))
    assert rendered((size, Set(y.of("shape"), "=", (2, 3)))) == (
        "make dimension 1 of %x at least 3, or the shape of %y [2, 3]"
    )
    assert rendered((InsertConversion(y, (step,)),)) == (
        "use stablehlo.convert %y : (tensor<2xi32>) -> tensor<2xf32>, in place of %y"
    )
    data = suggestion_data(size)
    assert data["kind"] == "set"
    assert data["applicability"] == "guess"
    assert data["subject"]["facets"] == [{"kind": "dimension", "numbers": [1], "text": ""}]
    assert Facet("dimension", (1,)) in size.subject.facets
