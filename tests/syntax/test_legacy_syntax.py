"""Spellings of StableHLO's documents and of older programs: read, with a hint that names today's."""

from __future__ import annotations

import pytest

from shlo.ir.diagnostics import Diagnostic
from shlo.ir.source import Source
from shlo.language import Document
from shlo.language.fixes.fix_all import fix_all
from shlo.runner.validity import findings_of
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
        '%r = "t.t"() : () -> tensor<2x!quant.uniform<i8:f32, {0.5:3}>>',
        f'%0 = "t.t"() : () -> {QUANTIZED}',
        "0.5:3",
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


@pytest.mark.parametrize(
    ("literal", "fixed"),
    [
        ("dense<1> : tensor<f32>", "dense<1.0> : tensor<f32>"),
        ("dense<[1e5, 2, -2E-1]> : tensor<3xf64>", "dense<[1.0e5, 2.0, -2.0E-1]> : tensor<3xf64>"),
        ("dense<(1, 2)> : tensor<complex<f32>>", "dense<(1.0, 2.0)> : tensor<complex<f32>>"),
        ("dense<1> : tensor<f8E4M3FN>", "dense<1.0> : tensor<f8E4M3FN>"),
        ("{a = -3 : f32} dense<0.0> : tensor<f32>", "{a = -3.0 : f32} dense<0.0> : tensor<f32>"),
        ("dense<0x3F800000> : tensor<f32>", None),
        ("dense<1> : tensor<i32>", None),
    ],
)
def test_float_without_a_decimal_point_is_an_error_with_a_certain_fix(
    oracle: Oracle, literal: str, fixed: str | None
) -> None:
    text = program(f"%r = stablehlo.constant {literal}")
    assert oracle.accepts(text, unregistered=True).accepted is (fixed is None)
    _, findings = parse(text)
    assert {finding.severity for finding in findings} == ({"error"} if fixed else set())
    if fixed is not None:
        assert fix_all(Document(text)).document.text == text.replace(literal, fixed)


def test_boolean_written_as_a_number_gets_a_hint(oracle: Oracle) -> None:
    text = program("%r = stablehlo.constant dense<[1, 0]> : tensor<2xi1>")
    assert oracle.accepts(text).accepted
    module, (hint,) = parse(text)
    assert (hint.severity, hint.fix and hint.fix.replacement) == ("hint", "true")
    assert "dense<[true, false]> : tensor<2xi1>" in module.to_text()


@pytest.mark.parametrize(
    ("literal", "type_", "meaning"),
    [
        ("128", "tensor<i8>", "read as -128"),
        ("[1, -2, 8]", "tensor<3xi4>", "got 8: it is read as -8"),
        ("[1, 200]", "tensor<2x!quant.uniform<i8:f32, 0.5>>", "read as -56"),
        ("18446744073709551615", "tensor<i64>", "read as -1"),
        ("[0x7F800000, 0x42f6]", "tensor<2xf32>", "read as 2.402110e-41"),
    ],
)
def test_literal_that_means_another_value_gets_a_warning(literal: str, type_: str, meaning: str) -> None:
    _, findings = parse(program(f"%r = stablehlo.constant dense<{literal}> : {type_}"))
    assert [finding.message.endswith(meaning) for finding in findings if finding.severity == "warning"] == [
        True
    ]


def test_patterns_without_a_value_of_their_own_get_none() -> None:
    lines = (
        "[-128, 127]> : tensor<2xi8>",
        "0xFF> : tensor<i8>",
        "255> : tensor<ui8>",
        "0x7FC0> : tensor<bf16>",
    )
    for line in lines:
        assert parse(program(f"%r = stablehlo.constant dense<{line}"))[1] == []


def test_signed_integers_are_those_of_the_specification() -> None:
    text = program(
        '%0 = "stablehlo.iota"() {iota_dimension = 0 : si64} : () -> tensor<2xsi8>\n  %1 ='
        " stablehlo.add %0, %0 : tensor<2xsi8>"
    )
    module, hints = parse(text)
    assert {(hint.severity, hint.code) for hint in hints} == {("hint", "spelling")}
    assert findings_of(Source(text))[1] == hints
    assert "stablehlo.iota dim = 0 : tensor<2xsi8>" in module.to_text()


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
