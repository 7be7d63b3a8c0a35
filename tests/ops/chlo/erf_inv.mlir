func.func @erf_inv_float() {
  %operand = stablehlo.constant dense<[-0.5, 0.0, 0.25, 0.999]> : tensor<4xf64>
  %result = chlo.erf_inv %operand : tensor<4xf64> -> tensor<4xf64>
  %expected = stablehlo.constant dense<[-0.4769362762044699, 0.0, 0.2253120550121781, 2.3267537655135246]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 8 : tensor<4xf64>, tensor<4xf64>
  func.return
}

func.func @erf_inv_f32() {
  %operand = stablehlo.constant dense<[-0.5, 0.25, 0.96875]> : tensor<3xf32>
  %result = chlo.erf_inv %operand : tensor<3xf32> -> tensor<3xf32>
  %expected = stablehlo.constant dense<[-0.47693628, 0.22531205, 1.5230194]> : tensor<3xf32>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<3xf32>, tensor<3xf32>
  func.return
}

func.func @erf_inv_limits() {
  %operand = stablehlo.constant dense<[-1.0, 1.0, 1.5]> : tensor<3xf64>
  %result = chlo.erf_inv %operand : tensor<3xf64> -> tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[0xFFF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  func.return
}
