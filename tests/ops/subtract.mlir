func.func @subtract_spec_example() {
  %lhs = stablehlo.constant dense<[[6.0, 8.0], [10.0, 12.0]]> : tensor<2x2xf32>
  %rhs = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %result = stablehlo.subtract %lhs, %rhs : tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  func.return
}

func.func @subtract_integer() {
  %lhs = stablehlo.constant dense<[0, -5, 4000000000]> : tensor<3xi64>
  %rhs = stablehlo.constant dense<[7, -6, -4000000000]> : tensor<3xi64>
  %result = stablehlo.subtract %lhs, %rhs : tensor<3xi64>
  check.expect_eq_const %result, dense<[-7, 1, 8000000000]> : tensor<3xi64>
  func.return
}

func.func @subtract_float() {
  %lhs = stablehlo.constant dense<[1.5, 0x7FF0000000000000, 0x7FF0000000000000]> : tensor<3xf64>
  %rhs = stablehlo.constant dense<[2.25, 1.0, 0x7FF0000000000000]> : tensor<3xf64>
  %result = stablehlo.subtract %lhs, %rhs : tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[-0.75, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  func.return
}

func.func @subtract_complex() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (-3.0, 0.5)]> : tensor<2xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(0.5, -2.0), (3.0, 0.25)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.subtract %lhs, %rhs : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(0.5, 4.0), (-6.0, 0.25)]> : tensor<2xcomplex<f64>>
  func.return
}

func.func @subtract_quantized() {
  %lhs_stored = stablehlo.constant dense<[-7, 0, 1, 2, 9]> : tensor<5xi8>
  %lhs = stablehlo.bitcast_convert %lhs_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %rhs_stored = stablehlo.constant dense<[2, 6, -6, 0, -4]> : tensor<5xi8>
  %rhs = stablehlo.bitcast_convert %rhs_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.25:-2>>
  %result = stablehlo.subtract %lhs, %rhs : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>, tensor<5x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<5x!quant.uniform<i8:f32, 0.125:3>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.125:3>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[-37, -17, 11, 3, 39]> : tensor<5xi8>
  func.return
}
