"""What can be done with functions, whether a cell goes on, what to select."""

from __future__ import annotations

import pytest

from shlo.language import Document
from shlo.language.completion.completeness import completeness
from shlo.language.lenses import cost_title, lenses
from shlo.language.navigation import selections
from tests.language.programs import BROKEN, JUMP, PROGRAM, TRACED, at, words

TESTS = """\
func.func @checks() {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  check.expect_eq %0, %0 : tensor<f32>
  return
}
func.func @sizes(%a: tensor<?xf32>) {
  return
}
func.func private @declared()
"""


def test_functions_with_bodies_have_lenses():
    document = Document(f"{TESTS}// -----\n{JUMP}// -----\nmodule {{\n{TESTS}{BROKEN}")
    found = [(lens.program, lens.function, lens.title) for lens in lenses(document) if lens.action != "cost"]
    assert found[:4] == [
        (0, "checks", "Run"),
        (0, "checks", "Debug"),
        (0, "checks", "Test"),
        (0, "sizes", "Debug"),
    ]
    assert found[4:6] == [(1, "jump", "Debug"), (1, "jump", "0 uses")]  # a helper of others
    assert found[6:] == [(2, *each[1:]) for each in found[:4]]  # the broken program's whole functions
    spans = [lens.span for lens in lenses(document) if lens.function == "jump"]
    assert set(words(document, spans)) == {"@jump"}


@pytest.mark.parametrize(
    ("text", "state", "indent"),
    [
        ("", "complete", ""),
        ("// only a comment", "complete", ""),
        ("%1 = stablehlo.add %a, %b : tensor<f32>", "complete", ""),
        ("%1 = stablehlo.add %a, %b : tensor<f32>\n%1, %a", "complete", ""),
        ("%1 = stablehlo.add %a,", "incomplete", "  "),
        ("%1 = stablehlo.add %a, %b :", "incomplete", "  "),
        ('%1 = "stablehlo.add"(%a, // (', "incomplete", ""),
        ("module @m {\n  func.func @f() {", "incomplete", "    "),
        ("func.func @f() {\n  return\n}", "complete", ""),
        ("func.func @f() {\n  return\n}}", "invalid", ""),
        ('%1 = stablehlo.custom_call @"f(', "invalid", ""),
        ("%1 = stablehlo.bogus %a : tensor<f32>", "invalid", ""),
    ],
)
def test_a_cell_goes_on_while_something_is_open(text: str, state: str, indent: str):
    found = completeness(text)
    assert (found.state, found.indent) == (state, indent)


def test_a_selection_grows_from_the_word_to_the_text():
    document = Document(f"{TESTS}// -----\n{JUMP}")
    found = words(document, selections(document, at(document, "1.0") + 1))
    assert found[:3] == ["1.0", "<1.0>", "%0 = stablehlo.constant dense<1.0> : tensor<f32>"]
    assert [len(each) for each in found] == sorted({len(each) for each in found})
    assert found[-3].startswith("func.func @checks")
    assert found[-1] == document.text
    loop = Document(PROGRAM)
    found = words(loop, selections(loop, at(loop, "LT, %i, %c", 5)))
    statement = "%p = stablehlo.compare LT, %i, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>"
    assert found[:3] == ["%i", "%i, %c", statement]
    assert [each.strip()[:6] for each in found[3:6]] == [
        "%c = s",
        "{\n    ",
        "%w:2 =",
    ]  # region, braces, loop


def test_a_function_says_how_often_it_is_used():
    document = Document(f"{PROGRAM}// -----\n{TRACED}")
    found = {lens.function: lens for lens in lenses(document) if lens.action == "references"}
    titles = {name: lens.title for name, lens in found.items()}
    assert titles == {"jump": "1 use", "helper": "2 uses", "impl": "2 uses"}
    assert words(document, list(found["helper"].uses)) == ["@helper", "@helper"]


def test_a_function_says_what_it_costs_when_asked():
    document = Document(f"{PROGRAM}// -----\n{TRACED}")
    found = [(lens.program, lens.function) for lens in lenses(document) if lens.action == "cost"]
    titles = {function: cost_title(document, program, function) for program, function in found}
    assert "FLOP, " in titles["jump"]
    assert all(title.partition(", peak ")[2] for title in titles.values())
    assert cost_title(document, 7, "jump") == cost_title(document, 0, "nowhere") == ""
