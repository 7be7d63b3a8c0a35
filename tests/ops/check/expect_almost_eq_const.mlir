// The example of (G6) in the interpreter's design.
func.func @expect_almost_eq_const_within_the_tolerance() {
  %actual0 = stablehlo.constant dense<0.2> : tensor<f32>
  check.expect_almost_eq_const %actual0, dense<0.19999> : tensor<f32>
  %actual1 = stablehlo.constant dense<(1.0, -2.0)> : tensor<complex<f64>>
  check.expect_almost_eq_const %actual1, dense<(1.00001, -2.00001)> : tensor<complex<f64>>
  func.return
}
