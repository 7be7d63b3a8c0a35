func.func @shift_left_spec_example() {
  %lhs = stablehlo.constant dense<[-1, 0, 1]> : tensor<3xi64>
  %rhs = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %result = stablehlo.shift_left %lhs, %rhs : tensor<3xi64>
  check.expect_eq_const %result, dense<[-2, 0, 8]> : tensor<3xi64>
  func.return
}

func.func @shift_left_by_the_width_or_more() {
  %lhs = stablehlo.constant dense<[-1, 1]> : tensor<2xi64>
  %rhs = stablehlo.constant dense<[64, 70]> : tensor<2xi64>
  %result = stablehlo.shift_left %lhs, %rhs : tensor<2xi64>
  check.expect_eq_const %result, dense<[0, 0]> : tensor<2xi64>
  func.return
}

func.func @shift_left_narrow() {
  %lhs = stablehlo.constant dense<[1, 3, -1]> : tensor<3xi4>
  %rhs = stablehlo.constant dense<[3, 1, 4]> : tensor<3xi4>
  %result = stablehlo.shift_left %lhs, %rhs : tensor<3xi4>
  check.expect_eq_const %result, dense<[-8, 6, 0]> : tensor<3xi4>
  func.return
}

func.func @shift_left_unsigned() {
  %lhs = stablehlo.constant dense<[9223372036854775809, 1]> : tensor<2xui64>
  %rhs = stablehlo.constant dense<[1, 63]> : tensor<2xui64>
  %result = stablehlo.shift_left %lhs, %rhs : tensor<2xui64>
  check.expect_eq_const %result, dense<[2, 9223372036854775808]> : tensor<2xui64>
  func.return
}
