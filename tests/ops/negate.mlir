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
