func.func @not_spec_example() {
  %operand = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %result = stablehlo.not %operand : tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[-2, -3], [-4, -5]]> : tensor<2x2xi32>
  func.return
}

func.func @not_spec_example_boolean() {
  %operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %result = stablehlo.not %operand : tensor<2xi1>
  check.expect_eq_const %result, dense<[false, true]> : tensor<2xi1>
  func.return
}

func.func @not_unsigned() {
  %operand = stablehlo.constant dense<[0, 1, 18446744073709551615]> : tensor<3xui64>
  %result = stablehlo.not %operand : tensor<3xui64>
  check.expect_eq_const %result, dense<[18446744073709551615, 18446744073709551614, 0]> : tensor<3xui64>
  func.return
}
