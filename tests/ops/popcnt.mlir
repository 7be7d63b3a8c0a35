func.func @popcnt_spec_example() {
  %operand = stablehlo.constant dense<[0, 1, 2, 127]> : tensor<4xi64>
  %result = stablehlo.popcnt %operand : tensor<4xi64>
  check.expect_eq_const %result, dense<[0, 1, 1, 7]> : tensor<4xi64>
  func.return
}

func.func @popcnt_negative() {
  %operand = stablehlo.constant dense<[-1, -9223372036854775808]> : tensor<2xi64>
  %result = stablehlo.popcnt %operand : tensor<2xi64>
  check.expect_eq_const %result, dense<[64, 1]> : tensor<2xi64>
  func.return
}

func.func @popcnt_narrow() {
  %operand = stablehlo.constant dense<[-1, -8, 7]> : tensor<3xi4>
  %result = stablehlo.popcnt %operand : tensor<3xi4>
  check.expect_eq_const %result, dense<[4, 1, 3]> : tensor<3xi4>
  func.return
}
