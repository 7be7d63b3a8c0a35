func.func @exponential_spec_example() {
  %operand = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf64>
  %result = stablehlo.exponential %operand : tensor<2x2xf64>
  %expected = stablehlo.constant dense<[[1.0, 2.718281828459045], [7.38905609893065, 20.085536923187668]]> : tensor<2x2xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<2x2xf64>, tensor<2x2xf64>
  func.return
}

func.func @exponential_extremes() {
  %operand = stablehlo.constant dense<[0xFFF0000000000000, 0x7FF0000000000000, 710.0, -800.0, 0x7FF8000000000000]> : tensor<5xf64>
  %result = stablehlo.exponential %operand : tensor<5xf64>
  check.expect_almost_eq_const %result, dense<[0.0, 0x7FF0000000000000, 0x7FF0000000000000, 0.0, 0x7FF8000000000000]> : tensor<5xf64>
  func.return
}

func.func @exponential_complex() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-2.0, 0.25)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.exponential %operand : tensor<2xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.8908079042931286, 1.3873511113297634), (0.13112803702368242, 0.033482484899570245)]> : tensor<2xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}

func.func @exponential_quantized() {
  %operand_stored = stablehlo.constant dense<[-7, 0, 1, 2, 9]> : tensor<5xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.exponential %operand : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<5x!quant.uniform<i8:f32, 0.25:-2>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[-2, 0, 2, 5, 127]> : tensor<5xi8>
  func.return
}
