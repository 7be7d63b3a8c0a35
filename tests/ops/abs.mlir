func.func @abs_spec_example() {
  %operand = stablehlo.constant dense<[-2, 0, 2]> : tensor<3xi32>
  %result = stablehlo.abs %operand : tensor<3xi32>
  check.expect_eq_const %result, dense<[2, 0, 2]> : tensor<3xi32>
  func.return
}

func.func @abs_float() {
  %operand = stablehlo.constant dense<[-3.5, -0.0, 2.5, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<5xf64>
  %result = stablehlo.abs %operand : tensor<5xf64>
  check.expect_almost_eq_const %result, dense<[3.5, 0.0, 2.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<5xf64>
  func.return
}

func.func @abs_complex() {
  %operand = stablehlo.constant dense<[(3.0, -4.0), (0.0, 2.0), (-1.0, 0.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.abs %operand : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
  check.expect_eq_const %result, dense<[5.0, 2.0, 1.0]> : tensor<3xf64>
  func.return
}

func.func @abs_quantized() {
  %operand_stored = stablehlo.constant dense<[-7, 0, 1, 2, 9]> : tensor<5xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.abs %operand : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<5x!quant.uniform<i8:f32, 0.25:-2>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[14, 0, -2, 0, 14]> : tensor<5xi8>
  func.return
}
