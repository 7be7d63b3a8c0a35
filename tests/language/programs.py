"""Texts for the tests of the language service; `|` marks an offset."""

from __future__ import annotations

from shlo.language import Document

WHILE = """\
// née 😀
func.func @loop(%a: tensor<2xf32>, %n: tensor<i32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a, %a : tensor<2xf32> // 😀 %a
  %w:2 = stablehlo.while(%i = %n, %x = %0) : tensor<i32>, tensor<2xf32>
    cond {
      %c = stablehlo.constant dense<10> : tensor<i32>
      %p = stablehlo.compare LT, %i, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.add %x, %a : tensor<2xf32>
      stablehlo.return %i, %1 : tensor<i32>, tensor<2xf32>
    }
"""
"""A function with a loop, up to its last operation."""

LOOP = f"""\
{WHILE}  %2 = func.call @jump(%w#1) : (tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}}
"""

JUMP = """\
// Goes to its own end.
func.func private @jump(%a: tensor<2xf32>) -> tensor<2xf32> {
  cf.br ^end(%a : tensor<2xf32>)
^end(%q: tensor<2xf32>):
  return %q : tensor<2xf32>
}
"""

BROKEN = """\
func.func @broken(%a: tensor<2xf32>, %b: ) {
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  %1 = stablehlo.bogus %0, %b : tensor<2xf32>
  %2 = stablehlo.add %1, %b : tensor<2xf32>
  return
}
"""

PROGRAM = LOOP + JUMP


def marked(text: str) -> tuple[Document, int]:
    """Returns a document and the offset at which the text has a `|`."""
    before, _, after = text.partition("|")
    return Document(before + after), len(before)


def at(document: Document, text: str, shift: int = 0) -> int:
    """Returns the offset of the first occurrence of a text."""
    return document.text.index(text) + shift


def words(document: Document, spans: list[tuple[int, int]]) -> list[str]:
    return [document.text[start:end] for start, end in spans]
