"""Only what a rule of the language determines is certain; a name, a number or a value in use never is."""

from __future__ import annotations

import pytest

from shlo.ir.dense import DenseElementsAttr
from shlo.ir.diagnostics import Applicability
from shlo.ir.source import Span
from shlo.ir.types import IntegerType, RankedTensorType
from shlo.language import Document
from shlo.language.diagnostics import diagnostics
from shlo.language.fixes.fix_all import fix_all
from shlo.language.fixes.fixes import QuickFix, fixes
from shlo.language.fixes.literals import refitted
from shlo.syntax import parse_attribute

NAMELESS = """\
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %1 = stablehlo.add %x, %x : tensor<f32>
  stablehlo.multiply %1, %1 : tensor<f32>
  %3 = stablehlo.subtract %1, %12 : tensor<f32>
  return %3 : tensor<f32>
}
"""
GOOD = """\
func.func @main(%x: tensor<2x3xf32>, %p: tensor<2x3xi1>) -> tensor<3xf32> {
  %cst = stablehlo.constant dense<1.0> : tensor<f32>
  %1 = stablehlo.iota dim = 1 : tensor<2x3xf32>
  %2 = stablehlo.select %p, %x, %1 : tensor<2x3xi1>, tensor<2x3xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %4:2 = stablehlo.optimization_barrier %2, %x : tensor<2x3xf32>, tensor<2x3xf32>
  %5 = stablehlo.subtract %4#0, %4#1 : tensor<2x3xf32>
  %6 = stablehlo.compare GT, %5, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %7 = stablehlo.select %6, %5, %x : tensor<2x3xi1>, tensor<2x3xf32>
  %8 = stablehlo.reduce(%7 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %8 : tensor<3xf32>
}
"""


def mistaken(old: str, new: str) -> Document:
    """Returns the good program with a mistake."""
    assert GOOD.count(old) == 1
    return Document(GOOD.replace(old, new))


def offered(document: Document) -> list[QuickFix]:
    return list(fixes(document, Span(0, len(document.text))))


def test_a_result_that_lost_its_name_is_named_as_such():
    document = Document(NAMELESS)
    (finding,) = diagnostics(document)
    assert finding.help == "the result of line 3 has no name: expected `%12 = `?"
    first, *_ = offered(document)
    assert (first.title, first.applicability) == ("insert '%12 ='", Applicability.LIKELY)
    assert not fix_all(document).edits
    after = document.edit(list(first.edits))
    assert "  %12 = stablehlo.multiply" in after.text
    assert not diagnostics(after)


def test_results_of_a_pack_get_their_name_and_number():
    document = mistaken("%4:2 = ", "")
    assert {finding.help for finding in diagnostics(document)} == {
        "the results of line 6 have no name: expected `%4:2 = `?"
    }


def test_a_name_is_not_missing_where_no_type_fits():
    document = Document(NAMELESS.replace("multiply %1, %1 : tensor<f32>", "iota dim = 0 : tensor<3xf32>"))
    (finding,) = diagnostics(document)
    assert finding.help == "did you mean %1?"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("iota dim = 1", "iota dim = 2"),
        ("select %p, %x, %1", "select %x, %1, %p"),
        ("init: %cst", "init: %x"),
        ("subtract %4#0, %4#1", "subtract %4#0, %4#2"),
        ("subtract %4#0, %4#1", "subtract %4#0, %7"),
        ("select %6, %5, %x", "select %6, %5, %xx"),
        ("compare GT, %5, %x", "compare GT, %5, %6"),
        ("transpose %2", "transpose %3"),
        ("return %8", "return %cst"),
        ("stablehlo.subtract", "stablehlo.subtrct"),
        ("dims = [1, 0]", "dims = [1, 1]"),
        ("%x: tensor<2x3xf32>", "%x: tensor<2x4xf32>"),
        ("iota dim = 1 : tensor<2x3xf32>", "iota dim = 1 : tensor<2x4xf32>"),
        ("-> tensor<3xf32> {", "-> tensor<4xf32> {"),
        ("compare GT, ", "compare, "),
        ("dense<1.0>", "dense<10>"),
        ("dims = [1, 0]", "dims = [1 0 0]"),
        ("constant dense", "constant {a = {b = 1, c = 2} dense"),
    ],
)
def test_names_numbers_and_types_in_use_are_never_certain(old: str, new: str):
    document = mistaken(old, new)
    assert diagnostics(document)
    assert fix_all(document).document.text == document.text
    assert all(fix.applicability is not Applicability.CERTAIN for fix in offered(document))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("select %p, %x, %1", "select %p, %x %1"),
        ("(tensor<2x3xf32>) -> tensor<3x2xf32>", "(tensor<2x3xf32>) -> tensor<3x2xf32"),
        ("compare GT, %5, %x :", "compare GT, %5, %x"),
        ("dim = 1", "dim 1"),
        ("(%x: tensor<2x3xf32>, ", "%x: tensor<2x3xf32>, "),
        ("tensor<3xf32> {\n", "tensor<3xf32>\n"),
        ("tensor<3xf32>\n}", "tensor<3xf32>\n}}"),
        ("%5 = stablehlo", "%5 = = stablehlo"),
        ("%4#1 : tensor<2x3xf32>", "%4#1 : tensor<2x4xf32>"),
        ("return %8 : tensor<3xf32>", "return %8 : tensor<3xf64>"),
        ("GT, %5, %x : (tensor<2x3xf32>", "GT, %5, %x : (tensor<2x3xf64>"),
        ("tensor<2x3xf32>) -> tensor<2x3xi1>", "tensor<2x3xf32>) -> tensor<2x4xi1>"),
        ("dense<1.0>", "dense<1>"),
    ],
)
def test_what_the_grammar_or_all_around_it_determines_is_certain(old: str, new: str):
    document = mistaken(old, new)
    assert fix_all(document).document.text == GOOD
    assert offered(document)[0].applicability is Applicability.CERTAIN


@pytest.mark.parametrize(
    ("old", "new", "titles"),
    [
        ("transpose %2, dims = [1, 0] :", "transpose %2 :", ["insert 'dims = [1, 0]'"]),
        ("iota dim = 1 :", "iota :", ["insert 'dim = 0'", "insert 'dim = 1'"]),
        ("subtract %4#0, %4#1", "subtract %4#0, 1", []),
        ("%p: tensor<2x3xi1>", "%p, %i: tensor<2x3xi1>", []),
    ],
)
def test_a_sign_is_changed_only_where_the_result_is_valid(old: str, new: str, titles: list[str]):
    assert [fix.title for fix in offered(mistaken(old, new))] == titles


def test_what_a_comment_expects_is_not_fixed() -> None:
    mistake, comment = "func.func @f() {\n  return\n}\n}\n", "// expected-error@+1 {{}}\n"
    assert fix_all(Document(mistake)).document.text != mistake
    expected = f"{mistake[:-2]}{comment}}}\n"
    assert fix_all(Document(expected)).document.text == expected


def test_a_sign_behind_a_number_is_not_certain_since_digits_may_be_lost_with_it():
    text = "func.func @main() -> tensor<2xi8> {\n  %0 = stablehlo.constant dense<[1, 12]> : tensor<2xi8>\n"
    text += "  return %0 : tensor<2xi8>\n}\n"
    for lost, title in (("]", "insert ']'"), (",", "insert ','")):
        document = Document(text.replace(f"2{lost}" if lost == "]" else lost, "2" if lost == "]" else "", 1))
        assert (offered(document)[0].title, offered(document)[0].applicability) == (
            title,
            Applicability.LIKELY,
        )
        assert not fix_all(document).edits


def test_a_literal_that_a_type_cannot_hold_is_not_made_one_of_it():
    infinite = parse_attribute("dense<0x7F800000> : tensor<f32>")
    assert isinstance(infinite, DenseElementsAttr)
    assert refitted(infinite, RankedTensorType((), IntegerType(32))) is None
