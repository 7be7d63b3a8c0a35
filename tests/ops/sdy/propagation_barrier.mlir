func.func @propagation_barrier_changes_no_value() {
  %operand = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %result = sdy.propagation_barrier %operand allowed_direction=NONE : tensor<2xi64>
  check.expect_eq_const %result, dense<[1, 2]> : tensor<2xi64>
  func.return
}
