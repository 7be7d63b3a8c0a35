func.func @sharding_group_gives_nothing() {
  %operand = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  sdy.sharding_group %operand group_id=1 : tensor<2xi64>
  check.expect_eq_const %operand, dense<[1, 2]> : tensor<2xi64>
  func.return
}
