func.func @after_all_spec_example() {
  %input0 = stablehlo.create_token : !stablehlo.token
  %input1 = stablehlo.create_token : !stablehlo.token
  %result = stablehlo.after_all %input0, %input1 : !stablehlo.token
  %operand = stablehlo.constant dense<1> : tensor<i64>
  %unchanged, %later = stablehlo.optimization_barrier %operand, %result : tensor<i64>, !stablehlo.token
  check.expect_eq_const %unchanged, dense<1> : tensor<i64>
  func.return
}

func.func @after_all_without_inputs() {
  %result = stablehlo.after_all  : !stablehlo.token
  %operand = stablehlo.constant dense<1> : tensor<i64>
  %unchanged, %later = stablehlo.optimization_barrier %operand, %result : tensor<i64>, !stablehlo.token
  check.expect_eq_const %unchanged, dense<1> : tensor<i64>
  func.return
}
