func.func @is_neg_inf_float() {
  %operand = stablehlo.constant dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 1.0]> : tensor<4xf64>
  %result = chlo.is_neg_inf %operand : tensor<4xf64> -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, true, false, false]> : tensor<4xi1>
  func.return
}
