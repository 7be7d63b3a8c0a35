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
