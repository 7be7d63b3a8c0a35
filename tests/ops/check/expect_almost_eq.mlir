func.func @expect_almost_eq_within_the_tolerance() {
  %actual = stablehlo.constant dense<[0.2, 0x7FC00000, 0x7F800000]> : tensor<3xf32>
  %expected = stablehlo.constant dense<[0.19999, 0x7FC00000, 0x7F800000]> : tensor<3xf32>
  check.expect_almost_eq %actual, %expected : tensor<3xf32>
  check.expect_almost_eq %actual, %expected, tolerance = 2.0e-5 : tensor<3xf32>
  func.return
}
