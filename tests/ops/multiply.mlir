func.func @multiply_spec_example() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %rhs = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %result = stablehlo.multiply %lhs, %rhs : tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[5, 12], [21, 32]]> : tensor<2x2xi32>
  func.return
}

func.func @multiply_integer() {
  %lhs = stablehlo.constant dense<[-3, 4000000000]> : tensor<2xi64>
  %rhs = stablehlo.constant dense<[7, 2]> : tensor<2xi64>
  %result = stablehlo.multiply %lhs, %rhs : tensor<2xi64>
  check.expect_eq_const %result, dense<[-21, 8000000000]> : tensor<2xi64>
  func.return
}

func.func @multiply_boolean() {
  %lhs = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %rhs = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %result = stablehlo.multiply %lhs, %rhs : tensor<4xi1>
  check.expect_eq_const %result, dense<[false, false, false, true]> : tensor<4xi1>
  func.return
}

func.func @multiply_float() {
  %lhs = stablehlo.constant dense<[1.5, -0.0, 0x7FF0000000000000, 0x7FF0000000000000]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[2.0, 3.0, -2.0, 0.0]> : tensor<4xf64>
  %result = stablehlo.multiply %lhs, %rhs : tensor<4xf64>
  check.expect_almost_eq_const %result, dense<[3.0, -0.0, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<4xf64>
  func.return
}

func.func @multiply_complex() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (0.0, 1.0)]> : tensor<2xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(3.0, -1.0), (0.0, 1.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.multiply %lhs, %rhs : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(5.0, 5.0), (-1.0, 0.0)]> : tensor<2xcomplex<f64>>
  func.return
}

func.func @multiply_quantized() {
  %lhs_stored = stablehlo.constant dense<[-7, 0, 1, 2, 9]> : tensor<5xi8>
  %lhs = stablehlo.bitcast_convert %lhs_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %rhs_stored = stablehlo.constant dense<[2, 6, -6, 0, -4]> : tensor<5xi8>
  %rhs = stablehlo.bitcast_convert %rhs_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.25:-2>>
  %result = stablehlo.multiply %lhs, %rhs : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>, tensor<5x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<5x!quant.uniform<i8:f32, 0.125:3>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.125:3>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[-29, -5, 3, 5, -13]> : tensor<5xi8>
  func.return
}
