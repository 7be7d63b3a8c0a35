func.func @asinh_float() {
  %operand = stablehlo.constant dense<[-2.0, 0.0, 1.0e-9, 1.0e20]> : tensor<4xf64>
  %result = chlo.asinh %operand : tensor<4xf64> -> tensor<4xf64>
  %expected = stablehlo.constant dense<[-1.4436354751788103, 0.0, 1.0e-9, 46.74484904044086]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<4xf64>, tensor<4xf64>
  func.return
}

func.func @asinh_limits() {
  %operand = stablehlo.constant dense<[0xFFF0000000000000, 0x7FF0000000000000]> : tensor<2xf64>
  %result = chlo.asinh %operand : tensor<2xf64> -> tensor<2xf64>
  check.expect_almost_eq_const %result, dense<[0xFFF0000000000000, 0x7FF0000000000000]> : tensor<2xf64>
  func.return
}

func.func @asinh_complex() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-2.0, 0.25), (3.0, -4.0)]> : tensor<3xcomplex<f64>>
  %result = chlo.asinh %operand : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.7328576759736453, 0.8959074812088902), (-1.449208152255119, 0.11147792536848175), (2.2999140408792695, -0.9176168533514787)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  func.return
}
