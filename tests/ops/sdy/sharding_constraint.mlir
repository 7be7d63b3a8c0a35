sdy.mesh @mesh = <["x"=1]>

func.func @sharding_constraint_changes_no_value() {
  %operand = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %result = sdy.sharding_constraint %operand <@mesh, [{"x"}]> : tensor<2xi64>
  check.expect_eq_const %result, dense<[1, 2]> : tensor<2xi64>
  func.return
}
