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
