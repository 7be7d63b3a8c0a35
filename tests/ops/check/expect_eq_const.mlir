func.func @expect_eq_const_every_kind() {
  %actual0 = stablehlo.constant dense<[-1, 2]> : tensor<2xi64>
  check.expect_eq_const %actual0, dense<[-1, 2]> : tensor<2xi64>
  %actual1 = stablehlo.constant dense<0.1> : tensor<f64>
  check.expect_eq_const %actual1, dense<0.1> : tensor<f64>
  func.return
}
