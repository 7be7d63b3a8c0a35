// The real part of sqrt(1 - z) sqrt(1 + z), and the size of the imaginary part of asin(z).
func.func @asin_acos_kernel_complex() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-2.0, 0.25), (3.0, -4.0)]> : tensor<3xcomplex<f64>>
  %result = chlo._asin_acos_kernel %operand : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(1.372145115699254, 0.9261330313501824), (0.2877046200763922, 1.3287633703408075), (4.080332172835138, 2.305509031243477)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  func.return
}
