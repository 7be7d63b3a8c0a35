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

CONSTANTS = """\
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
  %fixed_nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %fixed_wide = stablehlo.broadcast_in_dim %fixed_nan, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %passed_wide = stablehlo.reshape %fixed_wide : (tensor<4xf32>) -> tensor<4xf32>
  %passed_nan = stablehlo.constant dense<0xFFC00000> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<4xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %five = stablehlo.constant dense<5.0> : tensor<4xf32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<40> : tensor<i32>
  %large = stablehlo.constant dense<1.0e300> : tensor<4xf64>
  %overflow = stablehlo.convert %large : (tensor<4xf64>) -> tensor<4xf32>
  %out:3 = stablehlo.while(%i = %zero, %y = %x, %z = %passed_wide) : tensor<i32>, tensor<4xf32>, tensor<4xf32>
  cond {
    %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %scaled = stablehlo.multiply %y, %five : tensor<4xf32>
    %sine = stablehlo.sine %scaled : tensor<4xf32>
    %half = stablehlo.constant dense<0.9> : tensor<4xf32>
    %fits = stablehlo.compare LT, %sine, %half : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %taken = stablehlo.select %fits, %sine, %fixed_wide : tensor<4xi1>, tensor<4xf32>
    %masked = stablehlo.select %fits, %sine, %low : tensor<4xi1>, tensor<4xf32>
    %later = stablehlo.add %taken, %z : tensor<4xf32>
    %fixed_inner = stablehlo.constant dense<0x7FC00001> : tensor<4xf32>
    %same = func.call @both(%sine, %fixed_inner) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %next, %sine, %same : tensor<i32>, tensor<4xf32>, tensor<4xf32>
  }
  return %out#1, %passed_nan : tensor<4xf32>, tensor<f32>
}
func.func private @both(%a: tensor<4xf32>, %fixed_b: tensor<4xf32>) -> tensor<4xf32> {
  %sum = stablehlo.add %a, %fixed_b : tensor<4xf32>
  return %sum : tensor<4xf32>
}
"""
"""NaN of constants: a loop and the end take those of `%passed`, operations and a function those of `%fixed`."""

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
    %end = stablehlo.constant dense<130> : tensor<i32>
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
"""Makes infinities in step 2 and NaN in step 9, and has over 1,000 steps."""

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

ROUNDS = """\
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %unused = stablehlo.sqrt %x : tensor<2x3xf32>
  %out:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<2x3xf32>
  cond {
    %end = stablehlo.constant dense<42> : tensor<i32>
    %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %turn = stablehlo.remainder %i, %three : tensor<i32>
    %z = "stablehlo.case"(%turn) ({
      %a = func.call @wild(%y, %i) : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
      stablehlo.return %a : tensor<2x3xf32>
    }, {
      %b = func.call @calm(%y) : (tensor<2x3xf32>) -> tensor<2x3xf32>
      stablehlo.return %b : tensor<2x3xf32>
    }, {
      %c = stablehlo.composite "my.calm" %y {decomposition = @calm} : (tensor<2x3xf32>) -> tensor<2x3xf32>
      %d = stablehlo.sine %c : tensor<2x3xf32>
      stablehlo.return %d : tensor<2x3xf32>
    }) : (tensor<i32>) -> tensor<2x3xf32>
    stablehlo.return %next, %z : tensor<i32>, tensor<2x3xf32>
  }
  return %out#1 : tensor<2x3xf32>
}
func.func private @wild(%v: tensor<2x3xf32>, %n: tensor<i32>) -> tensor<2x3xf32> {
  %low = stablehlo.constant dense<-1.0> : tensor<f32>
  %high = stablehlo.constant dense<1.0> : tensor<f32>
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %noise = stablehlo.rng %low, %high, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  %root = stablehlo.sqrt %noise : tensor<2x3xf32>
  %floor = stablehlo.floor %noise : tensor<2x3xf32>
  %ratio = stablehlo.divide %root, %floor : tensor<2x3xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %sum:2 = stablehlo.while(%k = %zero, %w = %ratio) : tensor<i32>, tensor<2x3xf32>
  cond {
    %less = stablehlo.compare LT, %k, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %k2 = stablehlo.add %k, %one : tensor<i32>
    %ones = stablehlo.floor %w : tensor<2x3xf32>
    %gap = stablehlo.subtract %w, %ones : tensor<2x3xf32>
    %inverse = stablehlo.divide %v, %gap : tensor<2x3xf32>
    stablehlo.return %k2, %inverse : tensor<i32>, tensor<2x3xf32>
  }
  %most = stablehlo.reduce(%sum#1 init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %total = stablehlo.reduce(%noise init: %low) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  %spread = stablehlo.broadcast_in_dim %total, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %tame = stablehlo.tanh %spread : tensor<2x3xf32>
  return %tame : tensor<2x3xf32>
}
func.func private @calm(%v: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %half = stablehlo.constant dense<0.5> : tensor<2x3xf32>
  %scaled = stablehlo.multiply %v, %half : tensor<2x3xf32>
  %log = stablehlo.log %scaled : tensor<2x3xf32>
  %fits = stablehlo.compare GT, %scaled, %half : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %chosen = stablehlo.select %fits, %log, %scaled : tensor<2x3xi1>, tensor<2x3xf32>
  return %chosen : tensor<2x3xf32>
}
"""
"""Over 1,000 steps of loops in loops, branches, calls, composites, reductions and random numbers; NaN and
infinities come and go.
"""

_ALL = "{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<3xf32>) -> tensor<3xf32>"

_SUM = """({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %ab = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %ab : tensor<f32>
    })"""

ROUNDS_IN_GRID = f"""\
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %replica = stablehlo.replica_id : tensor<ui32>
  %who = stablehlo.convert %replica : (tensor<ui32>) -> tensor<i32>
  %out:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<3xf32>
  cond {{
    %end = stablehlo.constant dense<18> : tensor<i32>
    %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %own = "stablehlo.case"(%who) ({{
      %a1 = stablehlo.log %y : tensor<3xf32>
      stablehlo.return %a1 : tensor<3xf32>
    }}, {{
      %b1 = func.call @calm(%y) : (tensor<3xf32>) -> tensor<3xf32>
      stablehlo.return %b1 : tensor<3xf32>
    }}) : (tensor<i32>) -> tensor<3xf32>
    %sum = "stablehlo.all_reduce"(%own) {_SUM} {_ALL}
    %low = stablehlo.constant dense<-1.0> : tensor<f32>
    %high = stablehlo.constant dense<1.0> : tensor<f32>
    %shape = stablehlo.constant dense<3> : tensor<1xi64>
    %noise = stablehlo.rng %low, %high, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
    %moved = "stablehlo.collective_permute"(%noise) {{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}} : (tensor<3xf32>) -> tensor<3xf32>
    %ratio = stablehlo.divide %sum, %moved : tensor<3xf32>
    %tame = stablehlo.tanh %moved : tensor<3xf32>
    stablehlo.return %next, %tame : tensor<i32>, tensor<3xf32>
  }}
  return %out#1 : tensor<3xf32>
}}
func.func private @calm(%v: tensor<3xf32>) -> tensor<3xf32> {{
  %floor = stablehlo.floor %v : tensor<3xf32>
  %ratio = stablehlo.divide %v, %floor : tensor<3xf32>
  return %ratio : tensor<3xf32>
}}
"""
"""The same in a grid of 2 x 2 processes: infinities of one reach others in collective operations."""

STUCK_GRID = ROUNDS_IN_GRID.replace("dense<18>", "dense<28>").replace(
    "  return %out#1",
    f"""  %last = "stablehlo.case"(%who) ({{
    %late = "stablehlo.all_reduce"(%out#1) {_SUM} {_ALL}
    stablehlo.return %late : tensor<3xf32>
  }}, {{
    stablehlo.return %out#1 : tensor<3xf32>
  }}) : (tensor<i32>) -> tensor<3xf32>
  return %out#1""",
)
"""The same, but some processes wait for others that never come."""


def read(text: str) -> Module:
    """Returns the program of a text that must be right."""
    module, diagnostics = parse(text, "test.mlir")
    assert not diagnostics, diagnostics
    return module
