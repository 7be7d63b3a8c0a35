func.func @broadcast_xor_vector_and_matrix() {
  %lhs = stablehlo.constant dense<[[12, 10]]> : tensor<1x2xi64>
  %rhs = stablehlo.constant dense<[[6], [3]]> : tensor<2x1xi64>
  %result = chlo.broadcast_xor %lhs, %rhs : (tensor<1x2xi64>, tensor<2x1xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[10, 12], [15, 9]]> : tensor<2x2xi64>
  func.return
}
