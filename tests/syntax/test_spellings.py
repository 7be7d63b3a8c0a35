"""Spellings of StableHLO's documents and of older programs: read, with a hint that names today's."""

from __future__ import annotations

import pytest

from shlo.ir.diagnostics import Diagnostic
from shlo.syntax import parse
from tests.oracle import Oracle

QUANTIZED = "tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>"
SPELLINGS = [
    # the operation as an old text has it, as it is printed today, the fix
    ('%r = "t.t"() : () -> tensor<3xpred>', '%0 = "t.t"() : () -> tensor<3xi1>', "i1"),
    ('%r = "t.t"() : () -> tensor<u4>', '%0 = "t.t"() : () -> tensor<ui4>', "ui4"),
    ('%r = "t.t"() : () -> tensor<?xc64>', '%0 = "t.t"() : () -> tensor<?xcomplex<f32>>', "complex<f32>"),
    ('%r = "t.t"() : () -> c128', '%0 = "t.t"() : () -> complex<f64>', "complex<f64>"),
    ('%r = "t.t"() : () -> token', '%0 = "t.t"() : () -> !stablehlo.token', "!stablehlo.token"),
    (
        "%r = stablehlo.constant dense<[+1, -2]> : tensor<2xi8>",
        "%c = stablehlo.constant dense<[1, -2]> : tensor<2xi8>",
        "",
    ),
    (
        "%r = stablehlo.iota dim = +0 : tensor<2xi8>",
        "%0 = stablehlo.iota dim = 0 : tensor<2xi8>",
        "",
    ),
    (
        f"%r = stablehlo.constant dense<[4, 5]> : {QUANTIZED}",
        f"%cst = stablehlo.constant() <{{value = dense<[4, 5]> : tensor<2xi8>}}> : () -> {QUANTIZED}",
        None,
    ),
    (
        f'%r = "stablehlo.constant"() {{value = dense<4> : {QUANTIZED}}} : () -> {QUANTIZED}',
        f"%cst = stablehlo.constant() <{{value = dense<4> : tensor<2xi8>}}> : () -> {QUANTIZED}",
        None,
    ),
    (
        "check.expect_eq_const %x, [7, 8] : tensor<2xi8>",
        "check.expect_eq_const %arg0, dense<[7, 8]> : tensor<2xi8>",
        "dense<[7, 8]>",
    ),
    (
        '%r = "stablehlo.reverse"(%x) {dimensions = dense<0> : tensor<1xi64>} : (tensor<2xi8>) -> tensor<2xi8>',
        "%0 = stablehlo.reverse %arg0, dims = [0] : tensor<2xi8>",
        "array<i64: 0>",
    ),
]


def program(operation: str) -> str:
    return f"func.func @f(%x: tensor<2xi8>) {{\n  {operation}\n  return\n}}\n"


def applied(text: str, hint: Diagnostic) -> str:
    assert hint.fix
    return text[: hint.fix.span.start] + hint.fix.replacement + text[hint.fix.span.end :]


@pytest.mark.parametrize(("old", "new", "fix"), SPELLINGS, ids=[old for old, _, _ in SPELLINGS])
def test_spelling_is_read_with_a_hint(oracle: Oracle, old: str, new: str, fix: str | None) -> None:
    text = program(old)
    is_builtin = "-> token" in text  # MLIR has a type of that name by now, which no StableHLO operation takes
    assert oracle.accepts(text, unregistered=True).accepted == is_builtin
    module, hints = parse(text)
    assert [(hint.severity, hint.code) for hint in hints] == [("hint", "spelling")]
    assert f"    {new}\n" in module.to_text()
    assert (hints[0].fix.replacement if hints[0].fix else None) == fix
    if fix is not None:
        mended, rest = parse(applied(text, hints[0]))
        assert not rest
        assert mended.to_text() == module.to_text()


def test_signed_integers_get_one_hint_and_stay() -> None:
    module, hints = parse("func.func private @f(tensor<2xsi32>, tensor<3xsi32>) -> tensor<si8>")
    assert [(hint.severity, hint.fix and hint.fix.replacement) for hint in hints] == [("hint", "i32")]
    assert "(tensor<2xsi32>, tensor<3xsi32>) -> tensor<si8>" in module.to_text()


def test_every_line_of_an_old_spelling_gets_its_hint() -> None:
    lines = "".join(f"  %{number} = stablehlo.abs %x : tensor<2xpred>\n" for number in range(3))
    _, hints = parse(f"func.func @f(%x: tensor<2xi1>) {{\n{lines}  return\n}}\n")
    assert [hint.message for hint in hints] == ["'pred' is written i1 today"] * 3


def test_inherent_attributes_among_the_others_are_ordinary() -> None:
    module, diagnostics = parse(
        '%0 = "stablehlo.iota"() {iota_dimension = 0 : i64, m.x} : () -> tensor<2xi8>'
    )
    assert diagnostics == []
    assert "stablehlo.iota dim = 0 {m.x} : tensor<2xi8>" in module.to_text()


@pytest.mark.parametrize("text", ["%0 = stablehlo.iota dim = + 0 : tensor<2xi8>", "!predicate = pred_t"])
def test_other_mistakes_stay_mistakes(text: str) -> None:
    _, diagnostics = parse(text)
    assert any(diagnostic.severity == "error" for diagnostic in diagnostics)
