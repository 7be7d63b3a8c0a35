"""Programs that tests open in editors."""

BROKEN = """\
func.func @first(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %twice = stablehlo.add %x, %x tensor<2x3xf32>
  %square = stablehlo.multiply %x, %x : tensor<2x3xf32>
  return %square : tensor<2x3xf32>
}
func.func @second(%x: tensor<7xi8>) -> tensor<7xi8> {
  %y = stablehlo.abs %x : tensor<7xi8>
  return %y : tensor<7xi8>
}
"""
SOFTMAX = """\
// The softmax of two rows.
func.func @softmax() -> tensor<2x3xf32> {
  %x = stablehlo.constant dense<[[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %exp = stablehlo.exponential %x : tensor<2x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%exp init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<2xf32>) -> tensor<2x3xf32>
  %y = stablehlo.divide %exp, %sums : tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
"""
ENDLESS = """\
func.func @spin() -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %end = stablehlo.while(%i = %zero) : tensor<i32>
  cond {
    %true = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %true : tensor<i1>
  } do {
    stablehlo.return %i : tensor<i32>
  }
  return %end : tensor<i32>
}
"""
UNTIDY = """\
// What is said here stays.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %sum = stablehlo.add   %x,%x : tensor<4xf32>  // twice
  %out = stablehlo.negate %sum : tensor<4xf32>
  return %out : tensor<4xf32>
}
"""
HOSTILE = """\
module attributes {"x.<img src=x onerror=hacked()>" = "<img src=x onerror=hacked()>"} {
  func.func @"<img src=x onerror=hacked()>"(%x: tensor<4xf32>) -> tensor<4xf32> {
    %a = stablehlo.abs %x {"m.![p](http://127.0.0.1:9/leak)" = "[q](command:workbench.action.closeWindow) <b>bold</b>"} : tensor<4xf32>
    %b = call @"<img src=x onerror=hacked()>"(%a) : (tensor<4xf32>) -> tensor<4xf32> loc("![p](http://127.0.0.1:9/leak)")
    %c = stablehlo.custom_call @"[q](command:c) `<b>`"(%b) {backend_config = "```\\n<img src=x onerror=hacked()>"} : (tensor<4xf32>) -> tensor<4xf32>
    return %c : tensor<4xf32>
  }
}
"""
MISTAKEN = """\
func.func @main(%x: tensor<2x3xf32>, %n: tensor<3x2xi32>) -> tensor<3x2xf32> {
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %sum = stablehlo.add %t, %n : tensor<3x2xf32>
  return %sum : tensor<3x2xf32>
}
"""
PROGRAMS = {
    "broken": BROKEN,
    "softmax": SOFTMAX,
    "endless": ENDLESS,
    "untidy": UNTIDY,
    "hostile": HOSTILE,
    "mistaken": MISTAKEN,
}
"""What they are, by the names of their files."""
