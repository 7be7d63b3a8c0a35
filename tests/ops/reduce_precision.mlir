func.func @reduce_precision_spec_example() {
  %operand = stablehlo.constant dense<[0x7FF0000000000000, 0x7FFFFFFFFFFFFFFF, 0x0000000000000001, 0.0, 65519.0, 65520.0]> : tensor<6xf64>
  %output = stablehlo.reduce_precision %operand, format = e5m10 : tensor<6xf64>
  check.expect_almost_eq_const %output, dense<[0x7FF0000000000000, 0x7FFFFFFFFFFFFFFF, 0.0, 0.0, 65504.0, 0x7FF0000000000000]> : tensor<6xf64>
  func.return
}

func.func @reduce_precision_ties_to_even() {
  %operand = stablehlo.constant dense<[1.125, 1.375, -1.375, 2.0]> : tensor<4xf32>
  %output = stablehlo.reduce_precision %operand, format = e8m2 : tensor<4xf32>
  check.expect_eq_const %output, dense<[1.0, 1.5, -1.5, 2.0]> : tensor<4xf32>
  func.return
}

func.func @reduce_precision_own_format() {
  %operand = stablehlo.constant dense<[1.5, -0.25]> : tensor<2xbf16>
  %output = stablehlo.reduce_precision %operand, format = e8m7 : tensor<2xbf16>
  check.expect_eq_const %output, dense<[1.5, -0.25]> : tensor<2xbf16>
  func.return
}

func.func @reduce_precision_quantized() {
  %operand_stored = stablehlo.constant dense<[40, 73, 100]> : tensor<3xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<3xi8>) -> tensor<3x!quant.uniform<i8:f32, 0.125:0>>
  %result = stablehlo.reduce_precision %operand, format = e5m2 : tensor<3x!quant.uniform<i8:f32, 0.125:0>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.125:0>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[40, 80, 96]> : tensor<3xi8>
  func.return
}
