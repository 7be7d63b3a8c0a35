func.func @concatenate_spec_example() {
  %input0 = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %input1 = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
  %result = stablehlo.concatenate %input0, %input1, dim = 0 : (tensor<3x2xi64>, tensor<1x2xi64>) -> tensor<4x2xi64>
  check.expect_eq_const %result, dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi64>
  func.return
}

func.func @concatenate_three_inputs_one_empty() {
  %input0 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf64>
  %input1 = stablehlo.constant dense<> : tensor<2x0xf64>
  %input2 = stablehlo.constant dense<[[3.0, 4.0], [5.0, 6.0]]> : tensor<2x2xf64>
  %result = stablehlo.concatenate %input0, %input1, %input2, dim = 1 : (tensor<2x1xf64>, tensor<2x0xf64>, tensor<2x2xf64>) -> tensor<2x3xf64>
  check.expect_eq_const %result, dense<[[1.0, 3.0, 4.0], [2.0, 5.0, 6.0]]> : tensor<2x3xf64>
  func.return
}

func.func @concatenate_one_input() {
  %input0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %result = stablehlo.concatenate %input0, dim = 0 : (tensor<2xi1>) -> tensor<2xi1>
  check.expect_eq_const %result, dense<[true, false]> : tensor<2xi1>
  func.return
}

func.func @concatenate_quantized() {
  %operand_stored = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<2x3xi8>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>
  %other_stored = stablehlo.constant dense<[[7, 8, 9]]> : tensor<1x3xi8>
  %other = stablehlo.bitcast_convert %other_stored : (tensor<1x3xi8>) -> tensor<1x3x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.concatenate %operand, %other, dim = 0 : (tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>, tensor<1x3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3x3x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3x3xi8>
  check.expect_eq_const %stored, dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi8>
  func.return
}
