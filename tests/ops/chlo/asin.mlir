func.func @asin_float() {
  %operand = stablehlo.constant dense<[-1.0, -0.5, 0.0, 0.75, 1.0e-9]> : tensor<5xf64>
  %result = chlo.asin %operand : tensor<5xf64> -> tensor<5xf64>
  %expected = stablehlo.constant dense<[-1.5707963267948966, -0.5235987755982989, 0.0, 0.848062078981481, 1.0e-9]> : tensor<5xf64>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<5xf64>, tensor<5xf64>
  func.return
}

func.func @asin_limits() {
  %operand = stablehlo.constant dense<[-1.5, 0x7FF8000000000000]> : tensor<2xf64>
  %result = chlo.asin %operand : tensor<2xf64> -> tensor<2xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF8000000000000, 0x7FF8000000000000]> : tensor<2xf64>
  func.return
}

func.func @asin_complex() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-2.0, 0.25), (3.0, -4.0)]> : tensor<3xcomplex<f64>>
  %result = chlo.asin %operand : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.34943906285721327, 0.9261330313501824), (-1.427924144520526, 1.3287633703408075), (0.6339838656391767, -2.305509031243477)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  func.return
}
