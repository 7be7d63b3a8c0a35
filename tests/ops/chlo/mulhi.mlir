func.func @mulhi_signed() {
  %lhs = stablehlo.constant dense<[2147483647, -2147483648, -1]> : tensor<3xi32>
  %rhs = stablehlo.constant dense<[2147483647, 2, 1]> : tensor<3xi32>
  %result = chlo.mulhi %lhs, %rhs : tensor<3xi32>, tensor<3xi32> -> tensor<3xi32>
  check.expect_eq_const %result, dense<[1073741823, -1, -1]> : tensor<3xi32>
  func.return
}

func.func @mulhi_unsigned() {
  %lhs = stablehlo.constant dense<[4294967295, 3]> : tensor<2xui32>
  %rhs = stablehlo.constant dense<[4294967295, 5]> : tensor<2xui32>
  %result = chlo.mulhi %lhs, %rhs : tensor<2xui32>, tensor<2xui32> -> tensor<2xui32>
  check.expect_eq_const %result, dense<[4294967294, 0]> : tensor<2xui32>
  func.return
}

func.func @mulhi_signed_64() {
  %lhs = stablehlo.constant dense<[9223372036854775807, -9223372036854775808, -1, -3]> : tensor<4xi64>
  %rhs = stablehlo.constant dense<[9223372036854775807, 2, 1, -5]> : tensor<4xi64>
  %result = chlo.mulhi %lhs, %rhs : tensor<4xi64>, tensor<4xi64> -> tensor<4xi64>
  check.expect_eq_const %result, dense<[4611686018427387903, -1, -1, 0]> : tensor<4xi64>
  func.return
}

func.func @mulhi_unsigned_64() {
  %lhs = stablehlo.constant dense<[18446744073709551615, 3]> : tensor<2xui64>
  %rhs = stablehlo.constant dense<[18446744073709551615, 5]> : tensor<2xui64>
  %result = chlo.mulhi %lhs, %rhs : tensor<2xui64>, tensor<2xui64> -> tensor<2xui64>
  check.expect_eq_const %result, dense<[18446744073709551614, 0]> : tensor<2xui64>
  func.return
}

func.func @mulhi_narrow() {
  %lhs = stablehlo.constant dense<[7, -8, -8]> : tensor<3xi4>
  %rhs = stablehlo.constant dense<[7, 2, -8]> : tensor<3xi4>
  %result = chlo.mulhi %lhs, %rhs : tensor<3xi4>, tensor<3xi4> -> tensor<3xi4>
  check.expect_eq_const %result, dense<[3, -1, 4]> : tensor<3xi4>
  func.return
}
