func.func @shift_right_arithmetic_spec_example() {
  %lhs = stablehlo.constant dense<[-1, 0, 8]> : tensor<3xi64>
  %rhs = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<3xi64>
  check.expect_eq_const %result, dense<[-1, 0, 1]> : tensor<3xi64>
  func.return
}

func.func @shift_right_arithmetic_by_the_width_or_more() {
  %lhs = stablehlo.constant dense<[-5, 5]> : tensor<2xi64>
  %rhs = stablehlo.constant dense<[64, 70]> : tensor<2xi64>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<2xi64>
  check.expect_eq_const %result, dense<[-1, 0]> : tensor<2xi64>
  func.return
}

func.func @shift_right_arithmetic_narrow() {
  %lhs = stablehlo.constant dense<[-8, 7, -8]> : tensor<3xi4>
  %rhs = stablehlo.constant dense<[1, 1, 4]> : tensor<3xi4>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<3xi4>
  check.expect_eq_const %result, dense<[-4, 3, -1]> : tensor<3xi4>
  func.return
}

// The highest bit is the sign, also of a type without one.
func.func @shift_right_arithmetic_unsigned() {
  %lhs = stablehlo.constant dense<[0x8000000000000000, 8]> : tensor<2xui64>
  %rhs = stablehlo.constant dense<[63, 3]> : tensor<2xui64>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<2xui64>
  check.expect_eq_const %result, dense<[18446744073709551615, 1]> : tensor<2xui64>
  func.return
}
