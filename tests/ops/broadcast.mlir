// The specification has no example.

func.func @broadcast_leading_dimensions() {
  %operand = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %result = stablehlo.broadcast %operand, sizes = [1, 3] : (tensor<2xi64>) -> tensor<1x3x2xi64>
  check.expect_eq_const %result, dense<[[[1, 2], [1, 2], [1, 2]]]> : tensor<1x3x2xi64>
  func.return
}

func.func @broadcast_quantized() {
  %operand_stored = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x2xi8>
  check.expect_eq_const %stored, dense<[[1, 2], [1, 2]]> : tensor<2x2xi8>
  func.return
}
