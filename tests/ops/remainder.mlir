func.func @remainder_spec_example() {
  %lhs = stablehlo.constant dense<[17, -17, 17, -17]> : tensor<4xi64>
  %rhs = stablehlo.constant dense<[3, 3, -3, -3]> : tensor<4xi64>
  %result = stablehlo.remainder %lhs, %rhs : tensor<4xi64>
  check.expect_eq_const %result, dense<[2, -2, 2, -2]> : tensor<4xi64>
  func.return
}

func.func @remainder_unsigned() {
  %lhs = stablehlo.constant dense<[18446744073709551615, 17]> : tensor<2xui64>
  %rhs = stablehlo.constant dense<[10, 5]> : tensor<2xui64>
  %result = stablehlo.remainder %lhs, %rhs : tensor<2xui64>
  check.expect_eq_const %result, dense<[5, 2]> : tensor<2xui64>
  func.return
}

func.func @remainder_float() {
  %lhs = stablehlo.constant dense<[17.1, -17.1, 5.0, -1.0]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[3.0, 3.0, -3.0, 0x7FF0000000000000]> : tensor<4xf64>
  %result = stablehlo.remainder %lhs, %rhs : tensor<4xf64>
  %expected = stablehlo.constant dense<[2.1000000000000014, -2.1000000000000014, 2.0, -1.0]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>
  func.return
}

func.func @remainder_quantized() {
  %lhs_stored = stablehlo.constant dense<[-7, 0, 1, 2, 9]> : tensor<5xi8>
  %lhs = stablehlo.bitcast_convert %lhs_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %rhs_stored = stablehlo.constant dense<[2, 6, -6, 0, -4]> : tensor<5xi8>
  %rhs = stablehlo.bitcast_convert %rhs_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.25:-2>>
  %result = stablehlo.remainder %lhs, %rhs : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>, tensor<5x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<5x!quant.uniform<i8:f32, 0.125:3>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.125:3>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[3, -1, 3, 3, 3]> : tensor<5xi8>
  func.return
}
