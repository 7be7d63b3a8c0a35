func.func @broadcast_shift_right_logical_vector_and_matrix() {
  %lhs = stablehlo.constant dense<[[-1, 16]]> : tensor<1x2xi64>
  %rhs = stablehlo.constant dense<[[60], [4]]> : tensor<2x1xi64>
  %result = chlo.broadcast_shift_right_logical %lhs, %rhs : (tensor<1x2xi64>, tensor<2x1xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[15, 0], [1152921504606846975, 1]]> : tensor<2x2xi64>
  func.return
}
