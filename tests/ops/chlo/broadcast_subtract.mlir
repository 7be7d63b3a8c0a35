func.func @broadcast_subtract_vector_and_matrix() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %rhs = stablehlo.constant dense<[10, 20]> : tensor<2xi64>
  %result = chlo.broadcast_subtract %lhs, %rhs : (tensor<2x2xi64>, tensor<2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[-9, -18], [-7, -16]]> : tensor<2x2xi64>
  func.return
}
