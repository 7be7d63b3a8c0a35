func.func @broadcast_next_after_scalar() {
  %lhs = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %rhs = stablehlo.constant dense<0.0> : tensor<f64>
  %result = chlo.broadcast_next_after %lhs, %rhs : (tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
  %expected = stablehlo.constant dense<[0.9999999999999999, 1.9999999999999998]> : tensor<2xf64>
  check.expect_close %result, %expected, max_ulp_difference = 0 : tensor<2xf64>, tensor<2xf64>
  func.return
}
