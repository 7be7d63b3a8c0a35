func.func @floor_spec_example() {
  %operand = stablehlo.constant dense<[-0.8166, -0.253, 0.253, 0.8166, 2.0]> : tensor<5xf32>
  %result = stablehlo.floor %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[-1.0, -1.0, 0.0, 0.0, 2.0]> : tensor<5xf32>
  func.return
}

func.func @floor_integers_and_infinities() {
  %operand = stablehlo.constant dense<[-2.0, 2.5, -2.5, 4503599627370497.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<7xf64>
  %result = stablehlo.floor %operand : tensor<7xf64>
  check.expect_almost_eq_const %result, dense<[-2.0, 2.0, -3.0, 4503599627370497.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<7xf64>
  func.return
}

func.func @floor_quantized() {
  %operand_stored = stablehlo.constant dense<[-7, 0, 1, 2, 9]> : tensor<5xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.floor %operand : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<5x!quant.uniform<i8:f32, 0.25:-2>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[-18, -6, -2, -2, 14]> : tensor<5xi8>
  func.return
}
