func.func @uniform_dequantize_spec_example() {
  %operand_stored = stablehlo.constant dense<[10, 10]> : tensor<2xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1:-30, 0.5:-20}>>
  %result = stablehlo.uniform_dequantize %operand : (tensor<2x!quant.uniform<i8:f32:0, {0.1:-30, 0.5:-20}>>) -> tensor<2xf32>
  check.expect_almost_eq_const %result, dense<[4.0, 15.0]> : tensor<2xf32>
  func.return
}

// The zero point is taken off without an overflow of the storage type.
func.func @uniform_dequantize_extremes() {
  %operand_stored = stablehlo.constant dense<[-128, 127]> : tensor<2xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:127>>
  %result = stablehlo.uniform_dequantize %operand : (tensor<2x!quant.uniform<i8:f32, 0.5:127>>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[-127.5, 0.0]> : tensor<2xf32>
  func.return
}

func.func @uniform_dequantize_unsigned_narrow() {
  %operand_stored = stablehlo.constant dense<[0, 15]> : tensor<2xui4>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<2xui4>) -> tensor<2x!quant.uniform<u4:f32, 0.25:8>>
  %result = stablehlo.uniform_dequantize %operand : (tensor<2x!quant.uniform<u4:f32, 0.25:8>>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[-2.0, 1.75]> : tensor<2xf32>
  func.return
}
