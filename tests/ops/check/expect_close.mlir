func.func @expect_close_counts_representable_numbers() {
  %actual = stablehlo.constant dense<[1.0, -0.0, 0x7FF8000000000000]> : tensor<3xf64>
  %expected = stablehlo.constant dense<[1.0000000000000002, 0.0, 0x7FF8000000000000]> : tensor<3xf64>
  check.expect_close %actual, %expected, max_ulp_difference = 1 : tensor<3xf64>, tensor<3xf64>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %two_further = stablehlo.constant dense<1.00000024> : tensor<f32>
  check.expect_close %one, %two_further, max_ulp_difference = 3, min_ulp_difference = 2 : tensor<f32>, tensor<f32>
  func.return
}
