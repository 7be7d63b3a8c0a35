// The specification states 5.66666651, which is 17.0 / 3.0; 17.1 / 3.0 is 5.7.
func.func @divide_spec_example() {
  %lhs = stablehlo.constant dense<[17.1, -17.1, 17.1, -17.1]> : tensor<4xf32>
  %rhs = stablehlo.constant dense<[3.0, 3.0, -3.0, -3.0]> : tensor<4xf32>
  %result = stablehlo.divide %lhs, %rhs : tensor<4xf32>
  %expected = stablehlo.constant dense<[5.69999981, -5.69999981, -5.69999981, 5.69999981]> : tensor<4xf32>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf32>, tensor<4xf32>
  func.return
}

func.func @divide_signed_rounds_toward_zero() {
  %lhs = stablehlo.constant dense<[17, -17, 17, -17]> : tensor<4xi64>
  %rhs = stablehlo.constant dense<[3, 3, -3, -3]> : tensor<4xi64>
  %result = stablehlo.divide %lhs, %rhs : tensor<4xi64>
  check.expect_eq_const %result, dense<[5, -5, -5, 5]> : tensor<4xi64>
  func.return
}

func.func @divide_signed_narrow() {
  %lhs = stablehlo.constant dense<[7, -7, -8]> : tensor<3xi4>
  %rhs = stablehlo.constant dense<[2, 2, 3]> : tensor<3xi4>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xi4>
  check.expect_eq_const %result, dense<[3, -3, -2]> : tensor<3xi4>
  func.return
}

func.func @divide_signed_32() {
  %lhs = stablehlo.constant dense<[2147483647, -2147483648, -7]> : tensor<3xi32>
  %rhs = stablehlo.constant dense<[-1, 3, 2]> : tensor<3xi32>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xi32>
  check.expect_eq_const %result, dense<[-2147483647, -715827882, -3]> : tensor<3xi32>
  func.return
}

func.func @divide_unsigned() {
  %lhs = stablehlo.constant dense<[18446744073709551615, 17]> : tensor<2xui64>
  %rhs = stablehlo.constant dense<[2, 3]> : tensor<2xui64>
  %result = stablehlo.divide %lhs, %rhs : tensor<2xui64>
  check.expect_eq_const %result, dense<[9223372036854775807, 5]> : tensor<2xui64>
  func.return
}

func.func @divide_float() {
  %lhs = stablehlo.constant dense<[1.0, -1.0, 0.0, 0x7FF0000000000000, 1.0]> : tensor<5xf64>
  %rhs = stablehlo.constant dense<[0.0, 0.0, 0.0, 0x7FF0000000000000, 0x7FF0000000000000]> : tensor<5xf64>
  %result = stablehlo.divide %lhs, %rhs : tensor<5xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0.0]> : tensor<5xf64>
  func.return
}

func.func @divide_complex() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (3.0, -1.0)]> : tensor<2xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(3.0, 4.0), (0.0, 2.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.divide %lhs, %rhs : tensor<2xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.44, 0.08), (-0.5, -1.5)]> : tensor<2xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}

func.func @divide_quantized() {
  %lhs_stored = stablehlo.constant dense<[-7, 0, 1, 2, 9]> : tensor<5xi8>
  %lhs = stablehlo.bitcast_convert %lhs_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %rhs_stored = stablehlo.constant dense<[2, 6, -6, 0, -4]> : tensor<5xi8>
  %rhs = stablehlo.bitcast_convert %rhs_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.25:-2>>
  %result = stablehlo.divide %lhs, %rhs : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>, tensor<5x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<5x!quant.uniform<i8:f32, 0.125:3>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.125:3>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[-29, 1, 3, 11, -61]> : tensor<5xi8>
  func.return
}
