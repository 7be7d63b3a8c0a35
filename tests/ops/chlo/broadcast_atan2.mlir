func.func @broadcast_atan2_vector_and_matrix() {
  %lhs = stablehlo.constant dense<[[1.0], [-1.0]]> : tensor<2x1xf64>
  %rhs = stablehlo.constant dense<[[1.0, -1.0]]> : tensor<1x2xf64>
  %result = chlo.broadcast_atan2 %lhs, %rhs : (tensor<2x1xf64>, tensor<1x2xf64>) -> tensor<2x2xf64>
  %expected = stablehlo.constant dense<[[0.7853981633974483, 2.356194490192345], [-0.7853981633974483, -2.356194490192345]]> : tensor<2x2xf64>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<2x2xf64>, tensor<2x2xf64>
  func.return
}
