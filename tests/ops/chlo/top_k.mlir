func.func @top_k_largest_of_each_row() {
  %operand = stablehlo.constant dense<[[3, 9, 1, 9], [-4, -2, -8, -6]]> : tensor<2x4xi64>
  %values, %indices = chlo.top_k(%operand, k = 3) : tensor<2x4xi64> -> (tensor<2x3xi64>, tensor<2x3xi32>)
  check.expect_eq_const %values, dense<[[9, 9, 3], [-2, -4, -6]]> : tensor<2x3xi64>
  check.expect_eq_const %indices, dense<[[1, 3, 0], [1, 0, 3]]> : tensor<2x3xi32>
  func.return
}

func.func @top_k_nan_is_largest() {
  %operand = stablehlo.constant dense<[1.0, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<4xf32>
  %values, %indices = chlo.top_k(%operand, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
  check.expect_almost_eq_const %values, dense<[0x7FC00000, 0x7F800000]> : tensor<2xf32>
  check.expect_eq_const %indices, dense<[1, 2]> : tensor<2xi32>
  func.return
}
