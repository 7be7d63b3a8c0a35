func.func @atan_float() {
  %operand = stablehlo.constant dense<[-2.0, 0.0, 0.5, 1.0e20]> : tensor<4xf64>
  %result = chlo.atan %operand : tensor<4xf64> -> tensor<4xf64>
  %expected = stablehlo.constant dense<[-1.1071487177940904, 0.0, 0.4636476090008061, 1.5707963267948966]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<4xf64>, tensor<4xf64>
  func.return
}

func.func @atan_limits() {
  %operand = stablehlo.constant dense<[0xFFF0000000000000, 0x7FF0000000000000]> : tensor<2xf64>
  %result = chlo.atan %operand : tensor<2xf64> -> tensor<2xf64>
  check.expect_almost_eq_const %result, dense<[-1.5707963267948966, 1.5707963267948966]> : tensor<2xf64>
  func.return
}

func.func @atan_complex() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-2.0, 0.25), (3.0, -4.0)]> : tensor<3xcomplex<f64>>
  %result = chlo.atan %operand : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.9078874949608804, 0.708303336014054), (-1.1121113339878292, 0.04954423214593718), (1.4483069952314644, -0.15899719167999918)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  func.return
}
