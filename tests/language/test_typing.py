"""Indentation while one types, names that change together, results that nothing uses."""

from __future__ import annotations

import pytest

from shlo.language import Document
from shlo.language.formatting import indentation
from shlo.language.rename import linked
from shlo.language.unused import unused_values
from tests.language.programs import BROKEN, LOOP, PROGRAM, TRACED, at, marked, words


@pytest.mark.parametrize(
    ("text", "typed", "expected"),
    [
        ("func.func @f() {\n|", "\n", "  "),
        ("module {\n  func.func @f(%a: ) {\n|", "\n", "    "),  # broken
        ("  %0 = stablehlo.abs %a : tensor<2xf32>\n|", "\n", "  "),
        ("    cond {\n    } do {\n|", "\n", "      "),
        ("^end(%q: tensor<2xf32>):\n|", "\n", "  "),
        ('  %0 = "stablehlo.while"(%a) ({\n  ^bb0(%i: tensor<2xf32>):\n|', "\n", "    "),
        (
            '  %0 = "a.b"(%a) {\n      x = 1 : i64 // ( }\n    } : (\n      i1,\n      i2) -> ()\n|',
            "\n",
            "    ",
        ),
        ("  func.func @f() {\n    // {\n|}", "\n", "  "),
        ("  func.func @f() {\n    return\n\n    }|", "}", "  "),
        ("  func.func @f() {\n    %0 = a.b {x = 1}|", "}", None),  # no line of its own
        ("}|", "}", None),
        ("|", "\n", None),
    ],
)
def test_lines_are_indented_as_they_are_typed(text: str, typed: str, expected: str | None):
    document, offset = marked(text)
    edits = indentation(document.text, offset, typed)
    line = document.edit(edits).text[document.text.rfind("\n", 0, offset) + 1 :]
    before = document.text[document.text.rfind("\n", 0, offset) + 1 :]
    assert line.startswith(expected + before.lstrip()) if expected is not None else line == before


@pytest.mark.parametrize(
    ("text", "place", "count"),
    [(LOOP, "%w#1", 2), (LOOP, "%i, %c", 3), (PROGRAM, "^end", 2), (BROKEN, "%b", 3), (PROGRAM, "@jump", 0)],
)
def test_values_and_labels_change_together(text: str, place: str, count: int):
    document = Document(text)
    spans = linked(document, at(document, place, 1))
    assert words(document, spans) == [place.partition(",")[0].partition("#")[0][1:]] * count


def test_results_without_uses_are_hints():
    wrong = TRACED.replace("return %x :", "%9 = stablehlo.add %x, %x : tensor<2xf32>\n    return %x :")
    for text, expected in (
        (wrong, ["%0", "%9 = stablehlo.add %x, %x : tensor<2xf32>"]),  # a custom call may have an effect
        (f"{PROGRAM}// -----\n{wrong.replace('return %x :', 'return %x, %9 %')}", ["%0"]),
        (BROKEN, ["%2 = stablehlo.add %1, %b : tensor<2xf32>"]),
        (LOOP, []),
    ):
        document = Document(text)
        found = [hint for part in document.parts for hint in unused_values(part).hints]
        assert words(document, [hint.span for hint in found]) == expected
        assert {(hint.severity, hint.code) for hint in found} <= {("hint", "unused")}
