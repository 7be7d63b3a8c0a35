"""Texts for the tests of the language service; `|` marks an offset."""

from __future__ import annotations

from collections.abc import Sequence

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

TRACED = """\
!t = tensor<2xf32>
#loc1 = loc("model.py":3:4)
module @jit_f {
  func.func public @main(%arg0: !t loc("params['w']"), %arg1: tensor<2xf32>) -> (tensor<2xf32> {jax.result_info = "r"}) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<2xf32> loc(#loc5)
    %1:2 = "stablehlo.while"(%0, %arg0) ({
    ^bb0(%i: tensor<2xf32>, %j: tensor<2xf32>):
      %c = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %c : tensor<i1>
    }, {
    ^bb0(%i: tensor<2xf32>, %j: tensor<2xf32>):
      %k = stablehlo.add %i, %j : tensor<2xf32>
      stablehlo.return %k, %i : tensor<2xf32>, tensor<2xf32>
    }) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
    %2 = call @helper(%1#1) : (tensor<2xf32>) -> tensor<2xf32> loc(#loc6)
    %3 = stablehlo.composite "my.op" %2 {decomposition = @impl} : (tensor<2xf32>) -> tensor<2xf32>
    return %3 : tensor<2xf32>
  }
  func.func private @helper(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = func.call @impl(%x) : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func private @impl(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.custom_call @foo(%x) {called_computations = [@helper]} : (tensor<2xf32>) -> tensor<2xf32>
    return %x : tensor<2xf32>
  }
}
#loc2 = loc("attn"(#loc1))
#loc3 = loc("train.py":30:1 to :9)
#loc4 = loc(callsite(#loc2 at #loc3))
#loc5 = loc("jit(f)/layer_1/add"(#loc4))
#loc6 = loc("jit(f)/layer_2/call"(callsite("g"("a.py":1:2) at #loc3)))
"""
"""What JAX makes: calls, a composite, a generic loop, locations."""


def marked(text: str) -> tuple[Document, int]:
    """Returns a document and the offset at which the text has a `|`."""
    before, _, after = text.partition("|")
    return Document(before + after), len(before)


def at(document: Document, text: str, shift: int = 0) -> int:
    """Returns the offset of the first occurrence of a text."""
    return document.text.index(text) + shift


def words(document: Document, spans: Sequence[tuple[int, int]]) -> list[str]:
    return [document.text[start:end] for start, end in spans]
