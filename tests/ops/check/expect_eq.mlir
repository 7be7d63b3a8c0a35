func.func @expect_eq_every_kind() {
  %actual0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %expected0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  check.expect_eq %actual0, %expected0 : tensor<2xi1>
  %actual1 = stablehlo.constant dense<[(1.5, -2.0)]> : tensor<1xcomplex<f64>>
  %expected1 = stablehlo.constant dense<[(1.5, -2.0)]> : tensor<1xcomplex<f64>>
  check.expect_eq %actual1, %expected1 : tensor<1xcomplex<f64>>
  func.return
}
