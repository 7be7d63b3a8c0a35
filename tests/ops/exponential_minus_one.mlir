func.func @exponential_minus_one_spec_example() {
  %operand = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf64>
  %result = stablehlo.exponential_minus_one %operand : tensor<2xf64>
  %expected = stablehlo.constant dense<[0.0, 1.7182818284590453]> : tensor<2xf64>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<2xf64>, tensor<2xf64>
  func.return
}

func.func @exponential_minus_one_near_zero() {
  %operand = stablehlo.constant dense<[1.0e-20, -3.0e-10, -50.0]> : tensor<3xf64>
  %result = stablehlo.exponential_minus_one %operand : tensor<3xf64>
  %expected = stablehlo.constant dense<[1.0e-20, -2.99999999955e-10, -1.0]> : tensor<3xf64>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<3xf64>, tensor<3xf64>
  func.return
}

func.func @exponential_minus_one_complex() {
  %operand = stablehlo.constant dense<[(1.0e-9, 2.0e-9), (0.5, 1.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.exponential_minus_one %operand : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(9.999999985e-10, 2.000000002e-9), (-0.10919209570687138, 1.3873511113297634)]> : tensor<2xcomplex<f64>>, tolerance = 1.0e-15
  func.return
}

func.func @exponential_minus_one_quantized() {
  %operand_stored = stablehlo.constant dense<[-7, 0, 1, 2, 9]> : tensor<5xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.exponential_minus_one %operand : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<5x!quant.uniform<i8:f32, 0.25:-2>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[-6, -4, -2, 1, 127]> : tensor<5xi8>
  func.return
}
