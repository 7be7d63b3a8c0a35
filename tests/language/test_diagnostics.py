"""What the verifier says while somebody types."""

from __future__ import annotations

import pytest

from shlo.ir.source import Span
from shlo.language import Document, Edit
from shlo.language.diagnostics import diagnostics, link_of
from tests.language.programs import at

ROWS = """\
func.func @rows(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %a : tensor<4xf32>
  %1 = "stablehlo.add"(%0, %b) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""


def said(document: Document) -> list[tuple[str, str]]:
    """Returns the code of each finding, and the words at which it is shown."""
    return [(found.code, document.text[slice(*found.span)]) for found in diagnostics(document)]


def test_a_broken_constraint_is_found_and_gone_when_it_is_mended():
    document = Document(ROWS)
    assert said(document) == [("add-C1", "%0")]
    place = at(document, "%b: tensor<", len("%b: tensor<"))
    wider = document.edit([Edit(Span(place, place), "4x")])
    assert [code for code, _ in said(wider)] == ["type-mismatch"]
    place = wider.text.index("tensor<f32>)") + len("tensor<")
    assert said(wider.edit([Edit(Span(place, place), "4x")])) == []


def test_findings_know_where_operands_are_defined_and_what_the_specification_says():
    document = Document(f"// -----\n{ROWS}")
    (found,) = diagnostics(document)
    assert [document.text[slice(*each.span)] for each in found.related] == [
        "%0 = stablehlo.abs %a : tensor<4xf32>"
    ]
    assert found.operation is not None
    assert document.text[slice(*found.operation)] == '"stablehlo.add"'
    assert (link_of(found.code) or "").endswith("#add")
    assert link_of("use-before-definition") is link_of("syntax") is None


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("%0 = stablehlo.abs %a", "%0 = stablehlo.axx %a", "axx"),
        ("stablehlo.abs %a :", "stablehlo.abs %missing :", "%missing"),
        ("%0 = stablehlo.abs %a : tensor<4xf32>", "%0 = stablehlo.abs %a : tensor<4xf3", "f3"),
        ("  %0 = stablehlo.abs", "  stablehlo.abs", ""),
    ],
)
def test_a_mistake_in_the_syntax_has_no_echo(old: str, new: str, expected: str):
    valid = ROWS.replace('"stablehlo.add"(%0, %b) : (tensor<4xf32>, tensor<f32>)', "stablehlo.add %0, %a :")
    document = Document(valid.replace(" -> tensor<4xf32>\n  return", " tensor<4xf32>\n  return"))
    assert said(document) == []
    broken = document.edit([Edit(None, document.text.replace(old, new))])
    found = diagnostics(broken)
    assert [(each.code, each.severity) for each in found] == [("syntax", "error")], found
    assert expected in broken.text[slice(*found[0].span)] or expected in found[0].message


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("func.func @g(", "func.func @g"),  # who calls @g is not at fault
        ("  return\n}\nfunc.func @f", "  return\n}}\nfunc.func @f"),
        ("%x: tensor<f32>) {", "%x: tensor<f32>) {{"),
    ],
)
def test_what_the_parser_cannot_see_is_not_missing(old: str, new: str):
    valid = (
        "func.func @g(%x: tensor<f32>) {\n  return\n}\n"
        "func.func @f(%x: tensor<f32>) {\n  func.call @g(%x) : (tensor<f32>) -> ()\n  return\n}\n"
    )
    assert said(Document(valid)) == []
    broken = Document(valid.replace(old, new, 1))
    assert {code for code, _ in said(broken)} == {"syntax"}, said(broken)


def test_operations_that_are_alike_are_judged_once(monkeypatch: pytest.MonkeyPatch):
    from shlo.verifier import verifier

    judged: list[str] = []
    judge = verifier._judged  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(
        verifier, "_judged", lambda signature: judged.append(signature.name) or judge(signature)
    )
    lines = "".join(f"  %{number + 2} = stablehlo.abs %a : tensor<4xf32>\n" for number in range(100))
    document = Document(ROWS.replace("  return", f"{lines}  return"))
    diagnostics(document)
    assert judged.count("stablehlo.abs") == 1
    judged.clear()
    place = at(document, "%0, %b")
    diagnostics(document.edit([Edit(Span(place, place + 2), "%a")]))
    assert judged.count("stablehlo.abs") == judged.count("stablehlo.add") == 0


TWO_FUNCTIONS = """\
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @g(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a, %a : tensor<2xf32>
}
"""


@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        ("%a, %a", "%a, %missing", ["syntax", "missing-terminator"]),
        ("%a, %a", "%a, %a#3", ["syntax", "missing-terminator"]),
        ("return %0", "return %missing", ["syntax", "missing-terminator"]),
        ("return %0", "retrn %0", ["syntax"]),
        ("  return %0 : tensor<2xf32>\n", "}\n", ["syntax"]),
    ],
)
def test_blocks_are_judged_where_all_operations_can_be_read(old: str, new: str, codes: list[str]):
    document = Document(TWO_FUNCTIONS.replace(old, new, 1))
    assert list(dict.fromkeys(code for code, _ in said(document))) == codes
