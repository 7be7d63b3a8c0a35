func.func @count_leading_zeros_spec_example() {
  %operand = stablehlo.constant dense<[[0, 1], [128, -1]]> : tensor<2x2xi64>
  %result = stablehlo.count_leading_zeros %operand : tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[64, 63], [56, 0]]> : tensor<2x2xi64>
  func.return
}

func.func @count_leading_zeros_32_bits() {
  %operand = stablehlo.constant dense<[0, 1, 65536, -1]> : tensor<4xi32>
  %result = stablehlo.count_leading_zeros %operand : tensor<4xi32>
  check.expect_eq_const %result, dense<[32, 31, 15, 0]> : tensor<4xi32>
  func.return
}

func.func @count_leading_zeros_narrow() {
  %operand = stablehlo.constant dense<[0, 1, 7, -8]> : tensor<4xi4>
  %result = stablehlo.count_leading_zeros %operand : tensor<4xi4>
  check.expect_eq_const %result, dense<[4, 3, 1, 0]> : tensor<4xi4>
  func.return
}

func.func @count_leading_zeros_above_32_bits() {
  %operand = stablehlo.constant dense<[4294967296, 9223372036854775807]> : tensor<2xui64>
  %result = stablehlo.count_leading_zeros %operand : tensor<2xui64>
  check.expect_eq_const %result, dense<[31, 1]> : tensor<2xui64>
  func.return
}
