"""Programs that several tests debug."""

from __future__ import annotations

from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"
SQUARES = EXAMPLES / "squares.mlir"
FOREVER = """func.func @main() -> tensor<i32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.while(%i = %0) : tensor<i32>
  cond {
    %yes = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %yes : tensor<i1>
  } do {
    %next = stablehlo.add %i, %i : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  return %r : tensor<i32>
}
"""
FOREVER_IN_CONDITION = """func.func @main() -> tensor<i32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %yes = stablehlo.constant dense<true> : tensor<i1>
  %r = stablehlo.while(%i = %0) : tensor<i32>
  cond {
    %q = stablehlo.while(%j = %i) : tensor<i32>
    cond { stablehlo.return %yes : tensor<i1> } do {
      %next = stablehlo.add %j, %j : tensor<i32>
      stablehlo.return %next : tensor<i32>
    }
    stablehlo.return %yes : tensor<i1>
  } do {
    stablehlo.return %i : tensor<i32>
  }
  return %r : tensor<i32>
}
"""
MATRIX = """func.func @main() -> tensor<3x2000xi32> {
  %0 = stablehlo.iota dim = 1 : tensor<3x2000xi32>
  return %0 : tensor<3x2000xi32>
}
"""
CALLS = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = call @twice(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = call @twice(%a) : (tensor<4xf32>) -> tensor<4xf32>

  return %b : tensor<4xf32>
}
func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %t = stablehlo.add %x, %x : tensor<4xf32>
  %s = stablehlo.sqrt %t : tensor<4xf32>
  return %s : tensor<4xf32>
}
"""


def line_of(path: Path, text: str) -> int:
    """Returns the first line of a file that has a text."""
    return path.read_text(encoding="utf-8").split(text)[0].count("\n") + 1
