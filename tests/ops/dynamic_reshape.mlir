func.func @dynamic_reshape_spec_example() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %output_shape = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %result = stablehlo.dynamic_reshape %operand, %output_shape : (tensor<2x3xi64>, tensor<2xi64>) -> tensor<3x2xi64>
  check.expect_eq_const %result, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  func.return
}

func.func @dynamic_reshape_quantized() {
  %operand_stored = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<2x3xi8>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>
  %shape = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  %result = stablehlo.dynamic_reshape %operand, %shape : (tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>, tensor<2xi32>) -> tensor<3x2x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3x2xi8>
  check.expect_eq_const %stored, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>
  func.return
}
