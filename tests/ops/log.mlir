func.func @log_spec_example() {
  %operand = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %result = stablehlo.log %operand : tensor<2x2xf64>
  %expected = stablehlo.constant dense<[[0.0, 0.6931471805599453], [1.0986122886681098, 1.3862943611198906]]> : tensor<2x2xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<2x2xf64>, tensor<2x2xf64>
  func.return
}

func.func @log_extremes() {
  %operand = stablehlo.constant dense<[0.0, -1.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<4xf64>
  %result = stablehlo.log %operand : tensor<4xf64>
  check.expect_almost_eq_const %result, dense<[0xFFF0000000000000, 0x7FF8000000000000, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<4xf64>
  func.return
}

func.func @log_complex() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-2.0, 0.25)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.log %operand : tensor<2xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.11157177565710488, 1.1071487177940904), (0.7008992738279279, 3.017237659043032)]> : tensor<2xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}

func.func @log_quantized() {
  %operand_stored = stablehlo.constant dense<[2, 3, 5, 9, 21]> : tensor<5xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.log %operand : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<5x!quant.uniform<i8:f32, 0.25:-2>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[-5, -2, 1, 4, 7]> : tensor<5xi8>
  func.return
}
