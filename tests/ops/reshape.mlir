func.func @reshape_spec_example() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %result = stablehlo.reshape %operand : (tensor<2x3xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %result, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  func.return
}

func.func @reshape_of_a_transpose() {
  %matrix = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %operand = stablehlo.transpose %matrix, dims = [1, 0] : (tensor<2x3xi64>) -> tensor<3x2xi64>
  %result = stablehlo.reshape %operand : (tensor<3x2xi64>) -> tensor<6xi64>
  check.expect_eq_const %result, dense<[1, 4, 2, 5, 3, 6]> : tensor<6xi64>
  func.return
}

func.func @reshape_to_rank_0_and_empty() {
  %operand0 = stablehlo.constant dense<[[1.5]]> : tensor<1x1xf64>
  %result0 = stablehlo.reshape %operand0 : (tensor<1x1xf64>) -> tensor<f64>
  check.expect_eq_const %result0, dense<1.5> : tensor<f64>
  %operand1 = stablehlo.constant dense<> : tensor<0x3xf64>
  %result1 = stablehlo.reshape %operand1 : (tensor<0x3xf64>) -> tensor<5x0xf64>
  check.expect_eq_const %result1, dense<> : tensor<5x0xf64>
  func.return
}

func.func @reshape_quantized_along_an_axis() {
  %operand_stored = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<2x3xi8>) -> tensor<2x3x!quant.uniform<i8:f32:1, {0.5:0, 0.25:1, 2.0:-1}>>
  %result = stablehlo.reshape %operand : (tensor<2x3x!quant.uniform<i8:f32:1, {0.5:0, 0.25:1, 2.0:-1}>>) -> tensor<1x2x3x!quant.uniform<i8:f32:2, {0.5:0, 0.25:1, 2.0:-1}>>
  %stored = stablehlo.bitcast_convert %result : (tensor<1x2x3x!quant.uniform<i8:f32:2, {0.5:0, 0.25:1, 2.0:-1}>>) -> tensor<1x2x3xi8>
  check.expect_eq_const %stored, dense<[[[1, 2, 3], [4, 5, 6]]]> : tensor<1x2x3xi8>
  func.return
}
