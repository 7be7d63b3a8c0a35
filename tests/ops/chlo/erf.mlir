func.func @erf_float() {
  %operand = stablehlo.constant dense<[-2.0, -0.5, 0.0, 1.0e-9, 1.0]> : tensor<5xf64>
  %result = chlo.erf %operand : tensor<5xf64> -> tensor<5xf64>
  %expected = stablehlo.constant dense<[-0.9953222650189527, -0.5204998778130465, 0.0, 1.1283791670955127e-9, 0.8427007929497149]> : tensor<5xf64>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<5xf64>, tensor<5xf64>
  func.return
}

func.func @erf_f32() {
  %operand = stablehlo.constant dense<[-2.0, 0.25, 1.0]> : tensor<3xf32>
  %result = chlo.erf %operand : tensor<3xf32> -> tensor<3xf32>
  %expected = stablehlo.constant dense<[-0.9953223, 0.2763264, 0.8427008]> : tensor<3xf32>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<3xf32>, tensor<3xf32>
  func.return
}

func.func @erf_limits() {
  %operand = stablehlo.constant dense<[0xFFF0000000000000, 0x7FF0000000000000, 30.0, 0x7FF8000000000000]> : tensor<4xf64>
  %result = chlo.erf %operand : tensor<4xf64> -> tensor<4xf64>
  check.expect_almost_eq_const %result, dense<[-1.0, 1.0, 1.0, 0x7FF8000000000000]> : tensor<4xf64>
  func.return
}
