"""Refactorings: what each makes of a program, and that the program computes the same."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import shlo
from shlo.ir.op_path import walk
from shlo.ir.source import Span
from shlo.language import Document
from shlo.language.diagnostics import diagnostics
from shlo.language.refactor.refactorings import Refactoring, refactorings

PROGRAM = """func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>) {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.multiply %two, %two : tensor<i32>
  %e = stablehlo.exponential %x : tensor<4xf32> loc("jit(f)/layer_0/exp"("model.py":3:1))
  %s = stablehlo.sine %e : tensor<4xf32> loc("jit(f)/layer_0/sin"("model.py":4:1))
  // a loop
  %r:2 = stablehlo.while(%i = %two, %v = %s) : tensor<i32>, tensor<4xf32>
  cond {
    %lt = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  } do {
    %half = stablehlo.multiply %v, %e : tensor<4xf32>
    %w = func.call @helper(%half) : (tensor<4xf32>) -> tensor<4xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %w : tensor<i32>, tensor<4xf32>
  }
  %lost = stablehlo.cosine %e : tensor<4xf32>
  %lost_too = stablehlo.negate %lost : tensor<4xf32>
  %out = call @helper(%r#1) : (tensor<4xf32>) -> tensor<4xf32>
  return %out, %r#0 : tensor<4xf32>, tensor<i32>
}
func.func private @helper(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = stablehlo.abs %a : tensor<4xf32>
  %0 = call @inner(%e) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @inner(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
"""
ON_ONE_LINE = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = stablehlo.exponential %x : tensor<4xf32> return %a : tensor<4xf32> }
"""
NUMBERS = """module {
  module @other { func.func @half(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> } }
  func.func @main(%0: tensor<4xf32>) -> tensor<4xf32> {
    %1 = call @half(%0) : (tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @half(%0: tensor<4xf32>) -> tensor<4xf32> {
    %1 = stablehlo.add %0, %0 : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
"""
COMPLEX = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.complex %x, %x : tensor<4xcomplex<f32>>
  %r = stablehlo.real %c : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
"""
EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAMS = {
    "loop": PROGRAM,
    "one line": ON_ONE_LINE,
    "numbers": NUMBERS,
    "complex": COMPLEX,
    "squares": (EXAMPLES / "squares.mlir").read_text(),
    "outlier": (EXAMPLES / "outlier.mlir").read_text(),
    "distance": (EXAMPLES / "distance.mlir").read_text(),
}


def applied(text: str, offer: Refactoring) -> str | None:
    edits = offer.edits()
    if edits is None:
        return None
    edits.sort(key=lambda edit: edit.span.start if edit.span else 0, reverse=True)
    return Document(text).edit(edits).text


def offer(text: str, start: str, end: str | None = None, *, title: str) -> str | None:
    """Returns the text after the refactoring of a title, chosen for what is from one text to another."""
    at = text.index(start)
    to = at if end is None else text.index(end, at)
    found = [each for each in refactorings(Document(text), Span(at, to)) if title in each.title]
    assert len(found) == 1, [each.title for each in refactorings(Document(text), Span(at, to))]
    return applied(text, found[0])


def results(text: str, folder: Path) -> list[np.ndarray]:
    module = shlo.parse(text)
    assert [str(finding) for finding in shlo.verify(module) if finding.severity == "error"] == []
    function = module.functions["main"]
    random = np.random.default_rng(1)
    arguments = [
        np.full(type_.static_shape, 3, "int32")
        if "i32" in str(type_)
        else random.uniform(0.5, 1, type_.static_shape).astype("float32")
        for type_ in function.type.inputs
    ]
    return list(shlo.run(module, *arguments, semantics="spec", probe_folder=folder))


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_refactoring_of_any_operations_changes_what_is_computed(name: str, tmp_path: Path) -> None:
    """For every operation, and every two neighbours, each refactoring is made and the program run."""
    text = PROGRAMS[name]
    expected = results(text, tmp_path)
    places = [
        place for place in walk(Document(text).parts[0].index.root) if place.operation.name != "func.func"
    ]
    spans = [place.span for place in places]
    spans += [Span(one.start, other.end) for one, other in pairwise(places) if one.parent is other.parent]
    made: dict[str, int] = {}
    for span in spans:
        for each in refactorings(Document(text), span):
            after = applied(text, each)
            if after is None:
                continue
            assert after != text
            made[each.kind] = made.get(each.kind, 0) + 1
            tolerance = 0.05 if "bf16" in each.title else 1e-6
            for ours, theirs in zip(expected, results(after, tmp_path), strict=True):
                np.testing.assert_allclose(ours, theirs, rtol=tolerance, err_msg=f"{each.title}\n{after}")
    assert made["extract"] > len(places)


def test_a_function_holds_the_operations_and_takes_what_they_use(tmp_path: Path) -> None:
    after = offer(PROGRAM, "%e = stab", "\n  // a loop", title="to a function")
    assert after is not None
    assert "  %e, %s = call @layer_0(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)\n  //" in after
    assert (
        "func.func private @layer_0(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {\n"
        '  %e = stablehlo.exponential %x : tensor<4xf32> loc("jit(f)/layer_0/exp"("model.py":3:1))\n'
        '  %s = stablehlo.sine %e : tensor<4xf32> loc("jit(f)/layer_0/sin"("model.py":4:1))\n'
        "  return %e, %s : tensor<4xf32>, tensor<4xf32>\n}\n" in after
    )
    back = offer(after, "%e, %s = call", title="Put the body of @layer_0 here")
    assert back is not None
    assert results(back, tmp_path)[0].tolist() == results(PROGRAM, tmp_path)[0].tolist()


def test_a_composite_keeps_the_operations_as_its_decomposition() -> None:
    after = offer(PROGRAM, "%half = ", title="to a composite")
    assert after is not None
    assert '%half = stablehlo.composite "shlo.extracted" %v, %e {decomposition = @extracted} :' in after


def test_a_call_becomes_what_it_calls_without_clashes_of_names() -> None:
    after = offer(PROGRAM, "%w = func.call", title="Put the body of @helper here")
    assert after is not None
    assert "    %e_2 = stablehlo.abs %half : tensor<4xf32>\n    %0 = func.call @inner(%e_2)" in after
    assert "stablehlo.return %j, %0 :" in after


def test_constants_names_forms_and_what_is_unused() -> None:
    assert "%four = stablehlo.constant dense<4> : tensor<i32>\n" in (
        offer(PROGRAM, "%four = ", title="constant") or ""
    )
    assert offer(PROGRAM, "%s = ", title="constant") is None  # it depends on an argument
    assert "%layer_0_sin = stablehlo.sine" in (offer(PROGRAM, "%s = ", title="Rename %s") or "")
    generic = offer(PROGRAM, "%half = ", title="other form")
    assert generic is not None
    assert '%half = "stablehlo.multiply"(%v, %e) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>' in generic
    assert offer(generic, "%half = ", title="other form") == PROGRAM
    shorter = offer(PROGRAM, "%s = ", title="unused")
    assert shorter == re.sub(r"  %lost.*\n", "", PROGRAM)
    assert 'interpreter.probe %r#1, probe_id = "r_1" : tensor<4xf32>' in (
        offer(PROGRAM, "%r:2", title="probe") or ""
    )


def test_checks_and_moves() -> None:
    checked = offer(PROGRAM, "%four = ", title="Check")
    assert checked is not None
    assert "  check.expect_eq_const %four, dense<4> : tensor<i32>\n  %e =" in checked
    moved = offer(PROGRAM, "%four = ", title="Move")
    assert moved is not None
    assert moved.index("%s = ") < moved.index("  %four = ") < moved.index("  %r:2 = ")
    assert offer(PROGRAM, "%e = ", title="Move") is None  # it is used at once


def test_an_error_becomes_an_expected_one() -> None:
    text = PROGRAM.replace("%half = stablehlo.multiply %v, %e", "%half = stablehlo.multiply %v, %i")
    (finding,) = [each for each in diagnostics(Document(text)) if each.severity == "error"]
    after = offer(text, "%half = ", title="Expect")
    assert after is not None
    assert f"    // expected-error @+1 {{{{{finding.message}}}}}\n    %half" in after
    assert {each.severity for each in diagnostics(Document(after))} == {"hint"}


def test_another_element_type_ends_at_the_operations() -> None:
    after = offer(PROGRAM, "%s = ", title="in bf16")
    assert after is not None
    changed = [line.strip() for line in after.splitlines() if line not in PROGRAM.splitlines()]
    assert changed == [
        "%e_bf16 = stablehlo.convert %e : (tensor<4xf32>) -> tensor<4xbf16>",
        '%s_bf16 = stablehlo.sine %e_bf16 : tensor<4xbf16> loc("jit(f)/layer_0/sin"("model.py":4:1))',
        "%s = stablehlo.convert %s_bf16 : (tensor<4xbf16>) -> tensor<4xf32>",
    ]


@pytest.mark.parametrize(
    "text", ["", "func.func @f(", "%0 = ", PROGRAM[:-2], PROGRAM.replace("sine", "sign_")]
)
def test_nothing_is_offered_for_what_cannot_be_read(text: str) -> None:
    for at in range(0, len(text), 7):
        for each in refactorings(Document(text), Span(at, at)):
            each.edits()


def test_an_operation_with_a_region_and_locations_is_computed() -> None:
    program = """func.func @main() -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %k = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %q = "stablehlo.reduce"(%k, %z) ({
  ^bb0(%a: tensor<f32> loc(#loc), %b: tensor<f32> loc(#loc)):
    %s = stablehlo.add %a, %b : tensor<f32> loc(#loc)
    stablehlo.return %s : tensor<f32> loc(#loc)
  }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> tensor<f32> loc(#loc)
  return %q : tensor<f32>
}
#loc = loc("m.py":1:1)
"""
    after = offer(program, "%q =", title="Compute it now")
    assert after is not None
    assert "%q = stablehlo.constant dense<3.0" in after


def test_an_operation_with_an_error_is_computed_by_nothing() -> None:
    text = """func.func @main() -> tensor<f32> {
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %four = stablehlo.add %two, %two : tensor<f32>
  %sum = "stablehlo.add"(%two, %two) : (tensor<f32>, tensor<f32>) -> tensor<2xf32>
  return %four : tensor<f32>
}
"""
    for name, is_offered in (("%four =", True), ("%sum =", False)):
        offers = refactorings(Document(text), Span(text.index(name), text.index(name)))
        assert any(each.title.startswith("Compute it now") for each in offers) == is_offered


DYNAMIC = """// Sizes that follow.
func.func @f(%x: tensor<2x3xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @g(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
"""


def test_shapes_of_a_function_are_refined():
    document = Document(DYNAMIC)
    place = DYNAMIC.index("@f")
    (offer,) = [each for each in refactorings(document, Span(place, place)) if "Refine" in each.title]
    edits = offer.edits()
    assert edits
    after = document.edit(edits).text
    assert "@f(%arg0: tensor<2x3xf32>) -> tensor<3x2xf32>" in after
    assert after.startswith("// Sizes that follow.\nfunc.func @f")
    assert after.endswith(DYNAMIC[DYNAMIC.index("func.func @g") :])
    assert not diagnostics(Document(after))


def test_where_nothing_follows_shapes_stay():
    place = DYNAMIC.index("@g")
    (offer,) = [
        each for each in refactorings(Document(DYNAMIC), Span(place, place)) if "Refine" in each.title
    ]
    assert offer.edits() is None
