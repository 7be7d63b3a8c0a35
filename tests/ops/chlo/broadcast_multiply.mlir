func.func @broadcast_multiply_vector_and_matrix() {
  %lhs = stablehlo.constant dense<[[1, 5]]> : tensor<1x2xi64>
  %rhs = stablehlo.constant dense<[[3], [7]]> : tensor<2x1xi64>
  %result = chlo.broadcast_multiply %lhs, %rhs : (tensor<1x2xi64>, tensor<2x1xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[3, 15], [7, 35]]> : tensor<2x2xi64>
  func.return
}
