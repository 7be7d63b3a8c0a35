"""Dialects that no definition describes: what is said of them, and that the rest is checked."""

from __future__ import annotations

from shlo.ir.source import Source
from shlo.language import Document
from shlo.language.diagnostics import diagnostics
from shlo.runner.validity import findings_of
from shlo.syntax import parse
from shlo.verifier import unregistered_findings

GENERIC = """
func.func @main(%x: tensor<4xf32>, %y: tensor<3xf32>) -> tensor<4xf32> {
  %0 = "foo.one"(%x) {a = #foo<b [1]>} : (tensor<4xf32>) -> !foo.thing<3>
  %1 = "foo.two"(%0) : (!foo.thing<3>) -> tensor<4xf32>
  %2 = "foo.one"(%x) {a = #bar.b} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "stablehlo.add"(%1, %y) : (tensor<4xf32>, tensor<3xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}
"""

PRETTY = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = foo.one %x, "}" : tensor<4xf32>
  %1 = foo.with [1, 2] {
    %inner = stablehlo.add %x, %x : tensor<4xf32>
    foo.yield %inner
  }
  %2 = stablehlo.negate %0 : tensor<4xf32>
  %3 = "stablehlo.abs"(%x) : (tensor<4xf32>) -> tensor<3xf32>
  bar.done
  return %2 : tensor<4xf32>
}
"""


def test_unknown_dialects_are_told_of_once_each_and_the_rest_is_checked() -> None:
    document = Document(GENERIC)
    found = [(each.code, each.severity, each.message) for each in diagnostics(document, strict=True)]
    assert [each[:2] for each in found] == [
        ("unregistered-dialect", "note"),
        ("unregistered-dialect", "note"),
        ("add-C1", "error"),
    ]
    assert found[0][2] == "the dialect 'foo' is not known: 3 operations are not checked: foo.one, foo.two"
    assert found[1][2] == "the dialect 'bar' is not known: its attributes and types are not checked"


def test_unknown_dialects_are_refused_or_passed_over_where_asked() -> None:
    module, _ = parse(GENERIC)
    assert unregistered_findings(module, "allow") == []
    assert {each.severity for each in unregistered_findings(module, "refuse")} == {"error"}


def test_pretty_forms_of_unknown_dialects_are_one_error_for_each_and_the_rest_is_checked() -> None:
    _, found = findings_of(Source(PRETTY))
    assert [(each.code, each.message.partition("'")[2].partition("'")[0]) for each in found] == [
        ("unknown-dialect", "foo.one"),
        ("unknown-dialect", "bar.done"),
        ("abs-C1", ""),
    ]
    assert "2 more of 'foo'" in found[0].message
