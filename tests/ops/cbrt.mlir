func.func @cbrt_spec_example() {
  %operand = stablehlo.constant dense<[0.0, 1.0, 8.0, 27.0]> : tensor<4xf64>
  %result = stablehlo.cbrt %operand : tensor<4xf64>
  %expected = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>
  func.return
}

func.func @cbrt_negative() {
  %operand = stablehlo.constant dense<[-8.0, -0.125, 2.0]> : tensor<3xf64>
  %result = stablehlo.cbrt %operand : tensor<3xf64>
  %expected = stablehlo.constant dense<[-2.0, -0.5, 1.2599210498948732]> : tensor<3xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<3xf64>, tensor<3xf64>
  func.return
}

func.func @cbrt_quantized() {
  %operand_stored = stablehlo.constant dense<[-7, 0, 1, 2, 9]> : tensor<5xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.cbrt %operand : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<5x!quant.uniform<i8:f32, 0.25:-2>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[-8, -5, -2, 1, 4]> : tensor<5xi8>
  func.return
}
