// The specification states inf for 10000.0 to the 10th: that overflows f32, but in the f64 of the
// example it is 1.0e40.
func.func @power_spec_example() {
  %lhs = stablehlo.constant dense<[-2.0, -0.0, -36.0, 5.0, 3.0, 10000.0]> : tensor<6xf64>
  %rhs = stablehlo.constant dense<[2.0, 2.0, 1.1, 2.0, -1.0, 10.0]> : tensor<6xf64>
  %result = stablehlo.power %lhs, %rhs : tensor<6xf64>
  %expected = stablehlo.constant dense<[4.0, 0.0, 0x7FF8000000000000, 25.0, 0.3333333333333333, 1.0e40]> : tensor<6xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xf64>, tensor<6xf64>
  func.return
}

func.func @power_signed() {
  %lhs = stablehlo.constant dense<[-2, -1, -1, 0, 7]> : tensor<5xi64>
  %rhs = stablehlo.constant dense<[3, 3, 4, 0, 1]> : tensor<5xi64>
  %result = stablehlo.power %lhs, %rhs : tensor<5xi64>
  check.expect_eq_const %result, dense<[-8, -1, 1, 1, 7]> : tensor<5xi64>
  func.return
}

func.func @power_unsigned() {
  %lhs = stablehlo.constant dense<[2, 0, 10]> : tensor<3xui64>
  %rhs = stablehlo.constant dense<[63, 0, 3]> : tensor<3xui64>
  %result = stablehlo.power %lhs, %rhs : tensor<3xui64>
  check.expect_eq_const %result, dense<[9223372036854775808, 1, 1000]> : tensor<3xui64>
  func.return
}

func.func @power_float() {
  %lhs = stablehlo.constant dense<[0.0, 2.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[0.0, 0.5, 0.0, 0.0]> : tensor<4xf64>
  %result = stablehlo.power %lhs, %rhs : tensor<4xf64>
  %expected = stablehlo.constant dense<[1.0, 1.4142135623730951, 1.0, 1.0]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>
  func.return
}

func.func @power_complex() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (2.0, 0.0)]> : tensor<2xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(2.0, 0.0), (0.0, 1.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.power %lhs, %rhs : tensor<2xcomplex<f64>>
  %expected = stablehlo.constant dense<[(-3.0, 4.0), (0.7692389013639721, 0.6389612763136348)]> : tensor<2xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 8 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}

func.func @power_quantized() {
  %lhs_stored = stablehlo.constant dense<[2, 3, 5, 9, 7]> : tensor<5xi8>
  %lhs = stablehlo.bitcast_convert %lhs_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %rhs_stored = stablehlo.constant dense<[6, 10, 2, -6, -2]> : tensor<5xi8>
  %rhs = stablehlo.bitcast_convert %rhs_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.25:-2>>
  %result = stablehlo.power %lhs, %rhs : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>, tensor<5x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<5x!quant.uniform<i8:f32, 0.125:3>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.125:3>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[5, 11, 19, 5, 11]> : tensor<5xi8>
  func.return
}

func.func @power_of_one_exponent_for_all() {
  %base = stablehlo.constant dense<[-0.0, 0.0, 0xFF800000, 0x7F800000, 4.0]> : tensor<5xf32>
  %half = stablehlo.constant dense<0.5> : tensor<5xf32>
  %result = stablehlo.power %base, %half : tensor<5xf32>
  check.expect_eq_const %result, dense<[0.0, 0.0, 0x7F800000, 0x7F800000, 2.0]> : tensor<5xf32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %exponent = stablehlo.constant dense<0.5> : tensor<f32>
  %single = stablehlo.power %lowest, %exponent : tensor<f32>
  check.expect_eq_const %single, dense<0x7F800000> : tensor<f32>
  func.return
}
