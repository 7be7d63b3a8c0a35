func.func @lgamma_float() {
  %operand = stablehlo.constant dense<[0.25, 1.5, 10.0, -0.5, -2.5]> : tensor<5xf64>
  %result = chlo.lgamma %operand : tensor<5xf64> -> tensor<5xf64>
  check.expect_almost_eq_const %result, dense<[1.2880225246980774, -0.12078223763524522, 12.801827480081469, 1.2655121234846454, -0.056243716497674054]> : tensor<5xf64>, tolerance = 1.0e-14
  func.return
}

func.func @lgamma_f32() {
  %operand = stablehlo.constant dense<[0.25, 10.0, -0.5]> : tensor<3xf32>
  %result = chlo.lgamma %operand : tensor<3xf32> -> tensor<3xf32>
  %expected = stablehlo.constant dense<[1.2880225, 12.801827, 1.2655121]> : tensor<3xf32>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<3xf32>, tensor<3xf32>
  func.return
}

func.func @lgamma_limits() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 0.0, -1.0, 0x7FF0000000000000]> : tensor<5xf64>
  %result = chlo.lgamma %operand : tensor<5xf64> -> tensor<5xf64>
  check.expect_almost_eq_const %result, dense<[0.0, 0.0, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000]> : tensor<5xf64>
  func.return
}
