func.func @if_spec_example() {
  %pred = stablehlo.constant dense<true> : tensor<i1>
  %result_true_branch = stablehlo.constant dense<10> : tensor<i32>
  %result_false_branch = stablehlo.constant dense<11> : tensor<i32>
  %result = "stablehlo.if"(%pred) ({
    stablehlo.return %result_true_branch : tensor<i32>
  }, {
    stablehlo.return %result_false_branch : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  check.expect_eq_const %result, dense<10> : tensor<i32>
  func.return
}

func.func @if_false_branch() {
  %pred = stablehlo.constant dense<false> : tensor<i1>
  %result_true_branch = stablehlo.constant dense<10> : tensor<i32>
  %result_false_branch = stablehlo.constant dense<11> : tensor<i32>
  %result = "stablehlo.if"(%pred) ({
    stablehlo.return %result_true_branch : tensor<i32>
  }, {
    stablehlo.return %result_false_branch : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  check.expect_eq_const %result, dense<11> : tensor<i32>
  func.return
}

func.func @if_quantized() {
  %pred = stablehlo.constant dense<false> : tensor<i1>
  %x_stored = stablehlo.constant dense<[1, 3]> : tensor<2xi8>
  %x = stablehlo.bitcast_convert %x_stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %result = "stablehlo.if"(%pred) ({
    stablehlo.return %x : tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  }, {
    %y = stablehlo.negate %x : tensor<2x!quant.uniform<i8:f32, 0.5:1>>
    stablehlo.return %y : tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  }) : (tensor<i1>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[1, -1]> : tensor<2xi8>
  func.return
}
