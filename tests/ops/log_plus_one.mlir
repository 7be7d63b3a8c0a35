func.func @log_plus_one_spec_example() {
  %operand = stablehlo.constant dense<[0.0, -0.999, 7.0, 6.38905621, 15.0]> : tensor<5xf64>
  %result = stablehlo.log_plus_one %operand : tensor<5xf64>
  %expected = stablehlo.constant dense<[0.0, -6.907755278982136, 2.0794415416798357, 2.0000000150316017, 2.772588722239781]> : tensor<5xf64>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<5xf64>, tensor<5xf64>
  func.return
}

func.func @log_plus_one_near_zero() {
  %operand = stablehlo.constant dense<[1.0e-20, -3.0e-10]> : tensor<2xf64>
  %result = stablehlo.log_plus_one %operand : tensor<2xf64>
  %expected = stablehlo.constant dense<[1.0e-20, -3.00000000045e-10]> : tensor<2xf64>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<2xf64>, tensor<2xf64>
  func.return
}

func.func @log_plus_one_extremes() {
  %operand = stablehlo.constant dense<[-1.0, -2.0, 0x7FF0000000000000]> : tensor<3xf64>
  %result = stablehlo.log_plus_one %operand : tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[0xFFF0000000000000, 0x7FF8000000000000, 0x7FF0000000000000]> : tensor<3xf64>
  func.return
}

func.func @log_plus_one_complex() {
  %operand = stablehlo.constant dense<[(1.0e-9, 2.0e-9), (0.5, 1.0), (20.0, -30.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.log_plus_one %operand : tensor<3xcomplex<f64>>
  %expected = stablehlo.constant dense<[(1.0000000015e-9, 1.9999999980000002e-9), (0.5893274981708231, 0.5880026035475675), (3.600585441640839, -0.960070362405688)]> : tensor<3xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>
  func.return
}

func.func @log_plus_one_quantized() {
  %operand_stored = stablehlo.constant dense<[2, 3, 5, 9, 21]> : tensor<5xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.log_plus_one %operand : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<5x!quant.uniform<i8:f32, 0.25:-2>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[0, 1, 2, 4, 8]> : tensor<5xi8>
  func.return
}
