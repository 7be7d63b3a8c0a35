"""Small programs that the tests of the debugger step through."""

from __future__ import annotations

from shlo.ir.operations import Module
from shlo.syntax import parse

NESTED = """\
func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sum:2 = stablehlo.while(%i = %zero, %total = %x) : tensor<i32>, tensor<i32>
  cond {
    %two = stablehlo.constant dense<2> : tensor<i32>
    %more = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = func.call @next(%i) : (tensor<i32>) -> tensor<i32>
    %new = stablehlo.add %total, %next : tensor<i32>
    stablehlo.return %next, %new : tensor<i32>, tensor<i32>
  }
  %even = "stablehlo.case"(%zero) ({
    %doubled = stablehlo.add %sum#1, %sum#1 : tensor<i32>
    stablehlo.return %doubled : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  %result = stablehlo.composite "my.next" %even {decomposition = @next} : (tensor<i32>) -> tensor<i32>
  return %result : tensor<i32>
}
func.func private @next(%n: tensor<i32>) -> tensor<i32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %after = stablehlo.add %n, %one : tensor<i32>
  return %after : tensor<i32>
}
"""

NOT_FINITE = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %bound = stablehlo.broadcast_in_dim %inf, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %low = stablehlo.maximum %x, %bound : tensor<2xf32>
  %zero = stablehlo.subtract %low, %low : tensor<2xf32>
  %wrong = stablehlo.divide %zero, %zero : tensor<2xf32>
  %later = stablehlo.add %wrong, %x : tensor<2xf32>
  %large = stablehlo.divide %x, %zero : tensor<2xf32>
  return %later : tensor<2xf32>
}
"""

LONG_LOOP = """\
func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %unused = stablehlo.negate %x : tensor<64x64xf32>
  %out:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<64x64xf32>
  cond {
    %end = stablehlo.constant dense<200> : tensor<i32>
    %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %sine = stablehlo.sine %y : tensor<64x64xf32>
    %z = stablehlo.add %sine, %x : tensor<64x64xf32>
    stablehlo.return %next, %z : tensor<i32>, tensor<64x64xf32>
  }
  return %out#1 : tensor<64x64xf32>
}
"""

ARGUMENTS = """\
func.func @main(%x: tensor<2x2xf32> loc("xs")) -> tensor<2x2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %out:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<2x2xf32>
  cond {
    %end = stablehlo.constant dense<3> : tensor<i32>
    %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %square = stablehlo.multiply %y, %y : tensor<2x2xf32>
    stablehlo.return %next, %square : tensor<i32>, tensor<2x2xf32>
  }
  %last = stablehlo.add %out#1, %out#1 : tensor<2x2xf32>
  return %last : tensor<2x2xf32>
}
func.func @called(%x: tensor<2x2xf32> loc("xs")) -> tensor<2x2xf32> {
  %out = func.call @direct(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %out : tensor<2x2xf32>
}
func.func @direct(%x: tensor<2x2xf32> loc("xs")) -> tensor<2x2xf32> {
  %out = stablehlo.add %x, %x : tensor<2x2xf32>
  return %out : tensor<2x2xf32>
}
"""
"""Functions that hand an argument to a loop, to another function, to an operation."""

LOGARITHMS = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %early = stablehlo.log %x : tensor<4xf32>
  %out:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %end = stablehlo.constant dense<100> : tensor<i32>
    %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %z = stablehlo.subtract %y, %x : tensor<4xf32>
    %late = stablehlo.divide %z, %z : tensor<4xf32>
    stablehlo.return %next, %late : tensor<i32>, tensor<4xf32>
  }
  return %out#1 : tensor<4xf32>
}
"""
"""Makes infinities in step 2 and NaN in step 9, and has 907 steps."""

EFFECTS = """\
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %a = stablehlo.custom_call @count(%x) : (tensor<f32>) -> tensor<f32>
  %b = stablehlo.add %a, %x : tensor<f32>
  %c = stablehlo.custom_call @count(%b) : (tensor<f32>) -> tensor<f32>
  %d = stablehlo.rng %b, %c, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>
  return %d : tensor<f32>
}
""".replace("  %d =", "  %shape = stablehlo.constant dense<> : tensor<0xi64>\n  %d =")

RECURSIVE = """\
func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %square = stablehlo.multiply %n, %n : tensor<i32>
  %dead = stablehlo.negate %square : tensor<i32>
  %more = stablehlo.compare GT, %n, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %result = "stablehlo.if"(%more) ({
    %less = stablehlo.subtract %n, %one : tensor<i32>
    %inner = func.call @main(%less) : (tensor<i32>) -> tensor<i32>
    %sum = stablehlo.add %inner, %square : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }, {
    stablehlo.return %n : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return %result : tensor<i32>
}
"""


def read(text: str) -> Module:
    """Returns the program of a text that must be right."""
    module, diagnostics = parse(text, "test.mlir")
    assert not diagnostics, diagnostics
    return module
