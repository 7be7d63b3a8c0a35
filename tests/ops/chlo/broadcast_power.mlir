func.func @broadcast_power_vector_and_matrix() {
  %lhs = stablehlo.constant dense<[[2.0, 3.0]]> : tensor<1x2xf64>
  %rhs = stablehlo.constant dense<[[2.0], [0.0]]> : tensor<2x1xf64>
  %result = chlo.broadcast_power %lhs, %rhs : (tensor<1x2xf64>, tensor<2x1xf64>) -> tensor<2x2xf64>
  %expected = stablehlo.constant dense<[[4.0, 9.0], [1.0, 1.0]]> : tensor<2x2xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<2x2xf64>, tensor<2x2xf64>
  func.return
}
