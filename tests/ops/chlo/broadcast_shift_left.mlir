func.func @broadcast_shift_left_vector_and_matrix() {
  %lhs = stablehlo.constant dense<[[1, 3]]> : tensor<1x2xi64>
  %rhs = stablehlo.constant dense<[[1], [4]]> : tensor<2x1xi64>
  %result = chlo.broadcast_shift_left %lhs, %rhs : (tensor<1x2xi64>, tensor<2x1xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[2, 6], [16, 48]]> : tensor<2x2xi64>
  func.return
}
