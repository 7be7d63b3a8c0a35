func.func @broadcast_add_vector_and_matrix() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %rhs = stablehlo.constant dense<[10, 20]> : tensor<2xi64>
  %result = chlo.broadcast_add %lhs, %rhs : (tensor<2x2xi64>, tensor<2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[11, 22], [13, 24]]> : tensor<2x2xi64>
  func.return
}

func.func @broadcast_add_with_broadcast_dimensions() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %rhs = stablehlo.constant dense<[10, 20]> : tensor<2xi64>
  %result = chlo.broadcast_add %lhs, %rhs {broadcast_dimensions = array<i64: 0>} : (tensor<2x2xi64>, tensor<2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[11, 12], [23, 24]]> : tensor<2x2xi64>
  func.return
}

func.func @broadcast_add_dimensions_of_size_one() {
  %lhs = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf64>
  %rhs = stablehlo.constant dense<[[0.5, 0.25]]> : tensor<1x2xf64>
  %result = chlo.broadcast_add %lhs, %rhs : (tensor<2x1xf64>, tensor<1x2xf64>) -> tensor<2x2xf64>
  check.expect_eq_const %result, dense<[[1.5, 1.25], [2.5, 2.25]]> : tensor<2x2xf64>
  func.return
}
