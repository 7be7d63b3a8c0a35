func.func @acos_float() {
  %operand = stablehlo.constant dense<[-1.0, -0.5, 0.0, 0.75, 1.0]> : tensor<5xf64>
  %result = chlo.acos %operand : tensor<5xf64> -> tensor<5xf64>
  %expected = stablehlo.constant dense<[3.141592653589793, 2.0943951023931957, 1.5707963267948966, 0.7227342478134157, 0.0]> : tensor<5xf64>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<5xf64>, tensor<5xf64>
  func.return
}

func.func @acos_limits() {
  %operand = stablehlo.constant dense<[1.5, 0x7FF8000000000000]> : tensor<2xf64>
  %result = chlo.acos %operand : tensor<2xf64> -> tensor<2xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF8000000000000, 0x7FF8000000000000]> : tensor<2xf64>
  func.return
}

func.func @acos_complex() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-2.0, 0.25), (3.0, -4.0)]> : tensor<3xcomplex<f64>>
  %result = chlo.acos %operand : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(1.2213572639376833, -0.9261330313501824), (2.9987204713154223, -1.3287633703408075), (0.9368124611557199, 2.305509031243477)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  func.return
}
