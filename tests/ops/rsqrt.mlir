func.func @rsqrt_spec_example() {
  %operand = stablehlo.constant dense<[[1.0, 4.0], [9.0, 25.0]]> : tensor<2x2xf32>
  %result = stablehlo.rsqrt %operand : tensor<2x2xf32>
  check.expect_almost_eq_const %result, dense<[[1.0, 0.5], [0.33333343, 0.2]]> : tensor<2x2xf32>
  func.return
}

func.func @rsqrt_extremes() {
  %operand = stablehlo.constant dense<[0.0, 0x7FF0000000000000, -1.0]> : tensor<3xf64>
  %result = stablehlo.rsqrt %operand : tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF0000000000000, 0.0, 0x7FF8000000000000]> : tensor<3xf64>
  func.return
}

func.func @rsqrt_complex() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-4.0, 0.5)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.rsqrt %operand : tensor<2xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.5688644810057831, -0.3515775842541429), (0.030948530050478637, -0.497103266601751)]> : tensor<2xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}

func.func @rsqrt_quantized() {
  %operand_stored = stablehlo.constant dense<[2, 3, 5, 9, 21]> : tensor<5xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.rsqrt %operand : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<5x!quant.uniform<i8:f32, 0.25:-2>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[4, 2, 1, 0, -1]> : tensor<5xi8>
  func.return
}
