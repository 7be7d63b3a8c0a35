func.func @broadcast_compare_vector_and_matrix() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %rhs = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %result = chlo.broadcast_compare %lhs, %rhs {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x2xi64>, tensor<2xi64>) -> tensor<2x2xi1>
  check.expect_eq_const %result, dense<[[true, true], [false, false]]> : tensor<2x2xi1>
  func.return
}
