func.func @square_float() {
  %operand = stablehlo.constant dense<[-1.5, 0x7FF0000000000000]> : tensor<2xf64>
  %result = chlo.square %operand : tensor<2xf64> -> tensor<2xf64>
  check.expect_eq_const %result, dense<[2.25, 0x7FF0000000000000]> : tensor<2xf64>
  func.return
}

func.func @square_complex() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (3.0, -3.0)]> : tensor<2xcomplex<f64>>
  %result = chlo.square %operand : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(-3.0, 4.0), (0.0, -18.0)]> : tensor<2xcomplex<f64>>
  func.return
}
