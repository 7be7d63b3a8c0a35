"""Hints beside what a text says."""

from __future__ import annotations

from shlo.ir.source import Span
from shlo.language import Document
from shlo.language.hints import hints

PROGRAM = """\
func.func @main(%arg0: tensor<2x3xf32> loc("p['w']"), %p: tensor<i1>) -> tensor<f32> {
  %0 = "stablehlo.reshape"(%arg0) : (tensor<2x3xf32>) -> tensor<6xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %d = stablehlo.constant dense<"0x000000400000803F000000400000803F000000400000803F"> : tensor<6xf32>
  %both = stablehlo.constant dense<[0x7FC00000, 1.0, 0x7F800000]> : tensor<3xf32>
  %n = stablehlo.constant dense<0x10> : tensor<i32>
  %1 = "stablehlo.select"(%p, %0, %d) : (tensor<i1>, tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  %2 = stablehlo.select %p, %0, %d : (tensor<i1>, tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  %r = func.call @g(%low, %p) : (tensor<f32>, tensor<i1>) -> tensor<f32>
  return %r : tensor<f32>
}
func.func private @g(%loss: tensor<f32>, %arg1: tensor<i1> loc("is_last")) -> tensor<f32> {
  return %loss : tensor<f32>
}
"""


def shown(text: str) -> list[str]:
    """Returns the hints in their lines, in `‹›`."""
    lines: list[str] = []
    document = Document(text)
    for hint in hints(document):
        start = text.rfind("\n", 0, hint.offset) + 1
        lines.append(f"{text[start : hint.offset].lstrip()[-12:]}‹{hint.text}›")
    return lines


def test_names_of_operands_labels_of_jax_and_decoded_bits_are_shown() -> None:
    assert shown(PROGRAM) == [
        " @main(%arg0‹ p['w']›",
        "e<0xFF800000‹ = -Inf›",
        '0400000803F"‹ = [2, 1, 2, 1, …]›',
        "<[0x7FC00000‹ = NaN›",
        ", 0x7F800000‹ = Inf›",
        'hlo.select"(‹pred:›',
        'select"(%p, ‹on_true:›',
        'ct"(%p, %0, ‹on_false:›',
        "unc.call @g(‹loss:›",
        "ll @g(%low, ‹is_last:›",
        "<f32>, %arg1‹ is_last›",
    ]


def test_a_brace_says_what_it_ends_where_that_began_far_above() -> None:
    text = PROGRAM.replace("  return %r", "\n" * 20 + "  return %r")
    assert "}‹ @main›" in shown(text)
    assert not any("@g›" in line for line in shown(text))


def test_hints_of_some_lines_are_those_of_the_whole() -> None:
    document = Document(PROGRAM)
    every = hints(document)
    lines = PROGRAM.splitlines(keepends=True)
    start, found = 0, []
    for line in lines:
        found += hints(document, Span(start, start + len(line) - 1))
        start += len(line)
    assert found == every
