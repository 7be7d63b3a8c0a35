func.func @conj_complex() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-3.0, -0.5)]> : tensor<2xcomplex<f64>>
  %result = chlo.conj %operand : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.0, -2.0), (-3.0, 0.5)]> : tensor<2xcomplex<f64>>
  func.return
}

func.func @conj_float() {
  %operand = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf64>
  %result = chlo.conj %operand : tensor<2xf64> -> tensor<2xf64>
  check.expect_eq_const %result, dense<[1.5, -2.0]> : tensor<2xf64>
  func.return
}
