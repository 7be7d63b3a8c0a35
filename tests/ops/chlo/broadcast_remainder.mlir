func.func @broadcast_remainder_scalar() {
  %lhs = stablehlo.constant dense<[[17, -17]]> : tensor<1x2xi64>
  %rhs = stablehlo.constant dense<3> : tensor<i64>
  %result = chlo.broadcast_remainder %lhs, %rhs : (tensor<1x2xi64>, tensor<i64>) -> tensor<1x2xi64>
  check.expect_eq_const %result, dense<[[2, -2]]> : tensor<1x2xi64>
  func.return
}
