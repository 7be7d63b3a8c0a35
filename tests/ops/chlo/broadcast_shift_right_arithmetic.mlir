func.func @broadcast_shift_right_arithmetic_vector_and_matrix() {
  %lhs = stablehlo.constant dense<[[-16, 16]]> : tensor<1x2xi64>
  %rhs = stablehlo.constant dense<[[1], [4]]> : tensor<2x1xi64>
  %result = chlo.broadcast_shift_right_arithmetic %lhs, %rhs : (tensor<1x2xi64>, tensor<2x1xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[-8, 8], [-1, 1]]> : tensor<2x2xi64>
  func.return
}
