"""Texts for the tests of the server; `|` marks a place."""

from __future__ import annotations

from tests.language.programs import WHILE

LOOP = f"""\
{WHILE}  return %w#1 : tensor<2xf32>
}}
"""

NUMBERS = """\
func.func @numbers() -> tensor<3xi32> {
  %0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %1 = stablehlo.multiply %0, %0 : tensor<3xi32>
  return %1 : tensor<3xi32>
}
"""

FOREVER = """\
func.func @forever() -> tensor<i32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %w = stablehlo.while(%i = %0) : tensor<i32>
    cond {
      %t = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      stablehlo.return %i : tensor<i32>
    }
  return %w : tensor<i32>
}
"""

HUGE = """\
func.func @huge() -> tensor<30000x30000xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<30000x30000xf32>
  %1 = stablehlo.add %0, %0 : tensor<30000x30000xf32>
  return %1 : tensor<30000x30000xf32>
}
"""

BROKEN = LOOP + "func.func @broken(%a: tensor<2xf32>, %b: ) {\n  %0 = stablehlo.add %a %a tensor<2xf32>\n"


def large(operations: int) -> str:
    """Returns a function of so many operations, each of which uses the one before it."""
    lines = ["func.func @large(%v0: tensor<4x8xf32>) -> tensor<4x8xf32> {"]
    lines += [
        f"  %v{number + 1} = stablehlo.add %v{number}, %v0 : tensor<4x8xf32>" for number in range(operations)
    ]
    return "\n".join([*lines, f"  return %v{operations} : tensor<4x8xf32>", "}", ""])
