func.func @remainder_spec_example() {
  %lhs = stablehlo.constant dense<[17, -17, 17, -17]> : tensor<4xi64>
  %rhs = stablehlo.constant dense<[3, 3, -3, -3]> : tensor<4xi64>
  %result = stablehlo.remainder %lhs, %rhs : tensor<4xi64>
  check.expect_eq_const %result, dense<[2, -2, 2, -2]> : tensor<4xi64>
  func.return
}

func.func @remainder_unsigned() {
  %lhs = stablehlo.constant dense<[18446744073709551615, 17]> : tensor<2xui64>
  %rhs = stablehlo.constant dense<[10, 5]> : tensor<2xui64>
  %result = stablehlo.remainder %lhs, %rhs : tensor<2xui64>
  check.expect_eq_const %result, dense<[5, 2]> : tensor<2xui64>
  func.return
}

func.func @remainder_float() {
  %lhs = stablehlo.constant dense<[17.1, -17.1, 5.0, -1.0]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[3.0, 3.0, -3.0, 0x7FF0000000000000]> : tensor<4xf64>
  %result = stablehlo.remainder %lhs, %rhs : tensor<4xf64>
  %expected = stablehlo.constant dense<[2.1000000000000014, -2.1000000000000014, 2.0, -1.0]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>
  func.return
}
