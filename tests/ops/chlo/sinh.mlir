func.func @sinh_float() {
  %operand = stablehlo.constant dense<[-2.0, 0.0, 1.0e-9, 10.0]> : tensor<4xf64>
  %result = chlo.sinh %operand : tensor<4xf64> -> tensor<4xf64>
  %expected = stablehlo.constant dense<[-3.6268604078470186, 0.0, 1.0e-9, 11013.232874703393]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<4xf64>, tensor<4xf64>
  func.return
}

func.func @sinh_limits() {
  %operand = stablehlo.constant dense<[0xFFF0000000000000, 1000.0]> : tensor<2xf64>
  %result = chlo.sinh %operand : tensor<2xf64> -> tensor<2xf64>
  check.expect_almost_eq_const %result, dense<[0xFFF0000000000000, 0x7FF0000000000000]> : tensor<2xf64>
  func.return
}

func.func @sinh_complex() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-2.0, 0.25), (3.0, -4.0)]> : tensor<3xcomplex<f64>>
  %result = chlo.sinh %operand : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.2815489951353344, 0.9488645314371681), (-3.514110100973512, 0.9307821094643965), (-6.548120040911002, 7.619231720321411)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  func.return
}
