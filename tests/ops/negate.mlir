func.func @negate_spec_example() {
  %operand = stablehlo.constant dense<[0, -2]> : tensor<2xi32>
  %result = stablehlo.negate %operand : tensor<2xi32>
  check.expect_eq_const %result, dense<[0, 2]> : tensor<2xi32>
  func.return
}

func.func @negate_spec_example_complex() {
  %operand = stablehlo.constant dense<[(2.5, 0.0)]> : tensor<1xcomplex<f32>>
  %result = stablehlo.negate %operand : tensor<1xcomplex<f32>>
  check.expect_eq_const %result, dense<[(-2.5, -0.0)]> : tensor<1xcomplex<f32>>
  func.return
}

func.func @negate_float() {
  %operand = stablehlo.constant dense<[1.5, -2.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<4xf64>
  %result = stablehlo.negate %operand : tensor<4xf64>
  check.expect_almost_eq_const %result, dense<[-1.5, 2.5, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<4xf64>
  func.return
}

func.func @negate_unsigned() {
  %operand = stablehlo.constant dense<[0, 1]> : tensor<2xui64>
  %result = stablehlo.negate %operand : tensor<2xui64>
  check.expect_eq_const %result, dense<[0, 18446744073709551615]> : tensor<2xui64>
  func.return
}

func.func @negate_sign_of_zero() {
  %operand = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf64>
  %result = stablehlo.negate %operand : tensor<2xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<2xf64>) -> tensor<2xui64>
  check.expect_eq_const %bits, dense<[0x8000000000000000, 0]> : tensor<2xui64>
  func.return
}

func.func @negate_quantized() {
  %operand_stored = stablehlo.constant dense<[-7, 0, 1, 2, 9]> : tensor<5xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.negate %operand : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<5x!quant.uniform<i8:f32, 0.25:-2>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[14, 0, -2, -4, -18]> : tensor<5xi8>
  func.return
}
