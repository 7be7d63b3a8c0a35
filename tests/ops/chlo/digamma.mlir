func.func @digamma_float() {
  %operand = stablehlo.constant dense<[0.25, 1.0, 10.0, -0.5]> : tensor<4xf64>
  %result = chlo.digamma %operand : tensor<4xf64> -> tensor<4xf64>
  check.expect_almost_eq_const %result, dense<[-4.2274535333762655, -0.5772156649015329, 2.251752589066721, 0.03648997397857652]> : tensor<4xf64>, tolerance = 1.0e-14
  func.return
}

func.func @digamma_f32() {
  %operand = stablehlo.constant dense<[0.25, 10.0]> : tensor<2xf32>
  %result = chlo.digamma %operand : tensor<2xf32> -> tensor<2xf32>
  %expected = stablehlo.constant dense<[-4.2274537, 2.2517526]> : tensor<2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<2xf32>, tensor<2xf32>
  func.return
}
