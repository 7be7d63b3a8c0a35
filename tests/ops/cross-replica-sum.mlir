func.func private @sums(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %result = "stablehlo.cross-replica-sum"(%operand) {
    replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>
  } : (tensor<2xf32>) -> tensor<2xf32>
  func.return %result : tensor<2xf32>
}

func.func @cross_replica_sum_in_two_groups() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = stablehlo.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %results:4 = "interpreter.run_parallel"(%0, %1, %1, %0) {programs = [[@sums], [@sums], [@sums], [@sums]]}
    : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
    -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_eq_const %results#0, dense<[11.0, 22.0]> : tensor<2xf32>
  check.expect_eq_const %results#1, dense<[11.0, 22.0]> : tensor<2xf32>
  func.return
}
