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

func.func @round_nearest_afz_quantized() {
  %operand_stored = stablehlo.constant dense<[-7, 0, 1, 2, 9]> : tensor<5xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.round_nearest_afz %operand : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<5x!quant.uniform<i8:f32, 0.25:-2>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[-18, -6, -2, 2, 14]> : tensor<5xi8>
  func.return
}
