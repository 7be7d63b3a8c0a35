func.func @round_nearest_afz_spec_example() {
  %operand = stablehlo.constant dense<[-2.5, 0.4, 0.5, 0.6, 2.5]> : tensor<5xf64>
  %result = stablehlo.round_nearest_afz %operand : tensor<5xf64>
  check.expect_eq_const %result, dense<[-3.0, 0.0, 1.0, 1.0, 3.0]> : tensor<5xf64>
  func.return
}

func.func @round_nearest_afz_just_below_half() {
  %operand = stablehlo.constant dense<[0.49999999999999994, 4503599627370497.0, -0.5, 0x7FF0000000000000]> : tensor<4xf64>
  %result = stablehlo.round_nearest_afz %operand : tensor<4xf64>
  check.expect_eq_const %result, dense<[0.0, 4503599627370497.0, -1.0, 0x7FF0000000000000]> : tensor<4xf64>
  func.return
}
