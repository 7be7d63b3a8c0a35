func.func @acosh_float() {
  %operand = stablehlo.constant dense<[1.0, 1.5, 1000.0]> : tensor<3xf64>
  %result = chlo.acosh %operand : tensor<3xf64> -> tensor<3xf64>
  %expected = stablehlo.constant dense<[0.0, 0.9624236501192069, 7.600902209541989]> : tensor<3xf64>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<3xf64>, tensor<3xf64>
  func.return
}

func.func @acosh_limits() {
  %operand = stablehlo.constant dense<[0.5, 0x7FF0000000000000]> : tensor<2xf64>
  %result = chlo.acosh %operand : tensor<2xf64> -> tensor<2xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF8000000000000, 0x7FF0000000000000]> : tensor<2xf64>
  func.return
}

func.func @acosh_complex() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-2.0, 0.25), (3.0, -4.0)]> : tensor<3xcomplex<f64>>
  %result = chlo.acosh %operand : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.9261330313501824, 1.2213572639376833), (1.3287633703408075, 2.9987204713154223), (2.305509031243477, -0.9368124611557199)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  func.return
}
