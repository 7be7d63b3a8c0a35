"""Every fix that is offered mends its finding."""

from __future__ import annotations

import pytest

from shlo.ir.source import Span
from shlo.language import Document
from shlo.language.diagnostics import diagnostics
from shlo.language.fixes.fixes import QuickFix, fixes

SHELL = """\
func.func @f(%alpha: tensor<4x3xf32>, %beta: tensor<3xf32>, %count: tensor<4x3xi32>) {{
  {line}
  return
}}
"""


def offered(line: str) -> tuple[Document, list[QuickFix]]:
    """Returns a document whose only operation is a line, and the fixes of all that is wrong with it."""
    document = Document(SHELL.format(line=line))
    return document, list(fixes(document, Span(0, len(document.text))))


def fixed(document: Document, fix: QuickFix) -> Document:
    """Returns the document after a fix, carried out as an editor does."""
    text = document.text
    for edit in sorted(fix.edits, key=lambda edit: edit.span or Span(0, 0), reverse=True):
        assert edit.span is not None
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return Document(text)


@pytest.mark.parametrize(
    ("line", "title", "expected"),
    [
        (
            "%0 = stablehlo.transpose %alpha, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x5xf32>",
            "make the result's type tensor<3x4xf32>",
            "-> tensor<3x4xf32>",
        ),
        (
            "%0 = stablehlo.abs %alpha : tensor<4xf32>",
            "make the operand's type tensor<4x3xf32>",
            "stablehlo.abs %alpha : tensor<4x3xf32>",
        ),
        (
            '%0 = "stablehlo.iota"() : () -> tensor<4xf32>',
            "add the attribute 'iota_dimension'",
            '"stablehlo.iota"() <{iota_dimension = 0}> : ()',
        ),
        (
            '%0 = "stablehlo.slice"(%alpha) <{start_indices = array<i64: 0, 0>}> : (tensor<4x3xf32>) -> tensor<1x1xf32>',
            "add the attribute 'limit_indices', 'strides'",
            "<{limit_indices = array<i64: 0>, strides = array<i64: 0>, start_indices",
        ),
        (
            "%0 = stablehlo.add %alpha, %count : tensor<4x3xf32>",
            "insert stablehlo.convert to tensor<4x3xf32>",
            "%count_converted = stablehlo.convert %count : (tensor<4x3xi32>) -> tensor<4x3xf32>\n"
            "  %0 = stablehlo.add %alpha, %count_converted : tensor<4x3xf32>",
        ),
        (
            '%0 = "stablehlo.add"(%beta, %alpha) : (tensor<3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>',
            "insert stablehlo.broadcast_in_dim to tensor<4x3xf32>",
            "%beta_broadcast = stablehlo.broadcast_in_dim %beta, dims = [1]"
            " : (tensor<3xf32>) -> tensor<4x3xf32>\n"
            '  %0 = "stablehlo.add"(%beta_broadcast, %alpha) : (tensor<4x3xf32>, tensor<4x3xf32>)',
        ),
        (
            "%0 = stablehlo.add %count, %beta : tensor<4x3xi32>",
            "insert stablehlo.convert and stablehlo.broadcast_in_dim to tensor<4x3xi32>",
            "%0 = stablehlo.add %count, %beta_broadcast : tensor<4x3xi32>",
        ),
        (
            "%0 = stablehlo.abs %alhpa : tensor<4x3xf32>",
            "change '%alhpa' to '%alpha'",
            "stablehlo.abs %alpha :",
        ),
        (
            "%0 = stablehlo.abs %alpha : tensor<4x3xfloat32>",
            "change 'float32' to 'f32'",
            "stablehlo.abs %alpha : tensor<4x3xf32>",
        ),
        (
            "%0 = stablehlo.compare GREATER, %alpha, %alpha : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>",
            "change 'GREATER' to 'GT'",
            "compare GT, %alpha",
        ),
        (
            "%0 = stablehlo.compare less, %alpha, %alpha : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>",
            "change 'less' to 'LT'",
            "compare LT, %alpha",
        ),
        (
            "zero = stablehlo.abs %alpha : tensor<4x3xf32>",
            "insert '%'",
            "  %zero = stablehlo.abs %alpha : tensor<4x3xf32>",
        ),
        (
            '0:2 = "stablehlo.optimization_barrier"(%alpha, %beta)'
            " : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)",
            "insert '%'",
            '  %0:2 = "stablehlo.optimization_barrier"',
        ),
    ],
)
def test_a_fix_mends_its_finding(line: str, title: str, expected: str):
    document, found = offered(line)
    fix = next((each for each in found if each.title == title), None)
    assert fix is not None, ([each.title for each in found], diagnostics(document))
    after = fixed(document, fix)
    assert expected in after.text
    said = {(each.code, each.message) for each in diagnostics(after)}
    assert (fix.finding.code, fix.finding.message) not in said
    if "attribute" not in title:
        assert said == set()


def test_a_name_is_changed_wherever_it_is_used():
    document, (fix, *_) = offered("%0 = stablehlo.add %alhpa, %alhpa : tensor<4x3xf32>")
    assert len(fix.edits) == 2
    assert diagnostics(fixed(document, fix)) == []


def test_a_long_name_is_changed_as_a_whole():
    name = 300 * "n"
    document = Document(
        f"func.func @{name}() {{ return }}\nfunc.func @f() {{ call @{name}x() : () -> () return }}\n"
    )
    (fix, *_) = fixes(document, Span(0, len(document.text)))
    assert diagnostics(fixed(document, fix)) == []


def test_other_mistakes_do_not_hide_a_fix():
    lines = "%0 = stablehlo.abs %alhpa : tensor<4x3xf32>\n  %1 = stablehlo.abs %alhpa : tensor<9xf32>"
    _, (fix, *_) = offered(lines)
    assert fix.title == "change '%alhpa' to '%alpha'"


def test_a_new_name_is_no_name_of_the_program():
    line = "%b_converted = stablehlo.add %alpha, %alpha : tensor<4x3xf32>"
    lines = f"{line}\n  %1 = stablehlo.add %alpha, %count : tensor<4x3xf32>".replace("%b_", "%count_")
    document, (fix, *_) = offered(lines)
    assert "%count_converted_2 = stablehlo.convert" in fixed(document, fix).text


@pytest.mark.parametrize(
    "line",
    [
        "%0 = stablehlo.abs %alpha : tensor<4x3xf32>",
        "%0 = stablehlo.qqq %alpha : tensor<4x3xf32>",
        '%0 = "stablehlo.add"(%alpha, %token) : (tensor<4x3xf32>, !stablehlo.token) -> tensor<4x3xf32>',
        '%0 = "stablehlo.concatenate"() <{dimension = 0 : i64}> : () -> tensor<4xf32>',
        "%0 = stablehlo.abs %nothing_like_it : tensor<4x3xf32>",
    ],
)
def test_nothing_is_offered_that_would_not_help(line: str):
    document, found = offered(line)
    for fix in found:
        assert len(diagnostics(fixed(document, fix))) < len(diagnostics(document))
    assert found == [] or "add" in line
