func.func @broadcast_maximum_vector_and_matrix() {
  %lhs = stablehlo.constant dense<[[1, 5]]> : tensor<1x2xi64>
  %rhs = stablehlo.constant dense<[[3], [7]]> : tensor<2x1xi64>
  %result = chlo.broadcast_maximum %lhs, %rhs : (tensor<1x2xi64>, tensor<2x1xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[3, 5], [7, 7]]> : tensor<2x2xi64>
  func.return
}
