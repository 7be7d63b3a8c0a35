func.func @broadcast_divide_scalar() {
  %lhs = stablehlo.constant dense<[[12, -7]]> : tensor<1x2xi64>
  %rhs = stablehlo.constant dense<2> : tensor<i64>
  %result = chlo.broadcast_divide %lhs, %rhs : (tensor<1x2xi64>, tensor<i64>) -> tensor<1x2xi64>
  check.expect_eq_const %result, dense<[[6, -3]]> : tensor<1x2xi64>
  func.return
}
