func.func @sqrt_spec_example() {
  %operand = stablehlo.constant dense<[[0.0, 1.0], [4.0, 9.0]]> : tensor<2x2xf32>
  %result = stablehlo.sqrt %operand : tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  func.return
}

func.func @sqrt_extremes() {
  %operand = stablehlo.constant dense<[2.0, 0x7FF0000000000000, -1.0]> : tensor<3xf64>
  %result = stablehlo.sqrt %operand : tensor<3xf64>
  %expected = stablehlo.constant dense<[1.4142135623730951, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<3xf64>, tensor<3xf64>
  func.return
}

func.func @sqrt_complex() {
  %operand = stablehlo.constant dense<[(3.0, 4.0), (-4.0, 0.5), (-9.0, 0.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.sqrt %operand : tensor<3xcomplex<f64>>
  %expected = stablehlo.constant dense<[(2.0, 1.0), (0.12475751309896095, 2.003887331432243), (0.0, 3.0)]> : tensor<3xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>
  func.return
}

func.func @sqrt_quantized() {
  %operand_stored = stablehlo.constant dense<[2, 3, 5, 9, 21]> : tensor<5xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.sqrt %operand : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<5x!quant.uniform<i8:f32, 0.25:-2>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[1, 2, 4, 6, 11]> : tensor<5xi8>
  func.return
}
