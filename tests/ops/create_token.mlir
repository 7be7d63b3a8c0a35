func.func @create_token_used() {
  %result = stablehlo.create_token : !stablehlo.token
  %operand = stablehlo.constant dense<1> : tensor<i64>
  %unchanged, %later = stablehlo.optimization_barrier %operand, %result : tensor<i64>, !stablehlo.token
  check.expect_eq_const %unchanged, dense<1> : tensor<i64>
  func.return
}
