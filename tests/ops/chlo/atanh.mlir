func.func @atanh_float() {
  %operand = stablehlo.constant dense<[-0.5, 0.0, 1.0e-9, 0.75]> : tensor<4xf64>
  %result = chlo.atanh %operand : tensor<4xf64> -> tensor<4xf64>
  %expected = stablehlo.constant dense<[-0.5493061443340549, 0.0, 1.0e-9, 0.9729550745276566]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<4xf64>, tensor<4xf64>
  func.return
}

func.func @atanh_limits() {
  %operand = stablehlo.constant dense<[-1.0, 1.0, 2.0]> : tensor<3xf64>
  %result = chlo.atanh %operand : tensor<3xf64> -> tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[0xFFF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  func.return
}

func.func @atanh_complex() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-2.0, 0.25), (3.0, -4.0)]> : tensor<3xcomplex<f64>>
  %result = chlo.atanh %operand : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.2388778612568591, 0.847575660670829), (-0.5358800995910896, 1.489877611175685), (0.1175009073114339, -1.4099210495965755)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  func.return
}
