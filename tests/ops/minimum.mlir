func.func @minimum_spec_example() {
  %lhs = stablehlo.constant dense<[[1, 2], [7, 8]]> : tensor<2x2xi32>
  %rhs = stablehlo.constant dense<[[5, 6], [3, 4]]> : tensor<2x2xi32>
  %result = stablehlo.minimum %lhs, %rhs : tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  func.return
}

func.func @minimum_integer() {
  %lhs = stablehlo.constant dense<[-1, 5]> : tensor<2xi64>
  %rhs = stablehlo.constant dense<[-2, 9]> : tensor<2xi64>
  %result = stablehlo.minimum %lhs, %rhs : tensor<2xi64>
  check.expect_eq_const %result, dense<[-2, 5]> : tensor<2xi64>
  func.return
}

func.func @minimum_boolean() {
  %lhs = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %rhs = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %result = stablehlo.minimum %lhs, %rhs : tensor<4xi1>
  check.expect_eq_const %result, dense<[false, false, false, true]> : tensor<4xi1>
  func.return
}

func.func @minimum_float() {
  %lhs = stablehlo.constant dense<[1.5, 0x7FF8000000000000, 0x7FF0000000000000, 2.0]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[-2.5, 1.0, 3.0, 0x7FF8000000000000]> : tensor<4xf64>
  %result = stablehlo.minimum %lhs, %rhs : tensor<4xf64>
  check.expect_almost_eq_const %result, dense<[-2.5, 0x7FF8000000000000, 3.0, 0x7FF8000000000000]> : tensor<4xf64>
  func.return
}

// Pairs are compared in their order: the real parts first.
func.func @minimum_complex() {
  %lhs = stablehlo.constant dense<[(1.0, 5.0), (2.0, 1.0)]> : tensor<2xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(2.0, -5.0), (2.0, 3.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.minimum %lhs, %rhs : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.0, 5.0), (2.0, 1.0)]> : tensor<2xcomplex<f64>>
  func.return
}

func.func @minimum_quantized() {
  %lhs_stored = stablehlo.constant dense<[-7, 0, 1, 2, 9]> : tensor<5xi8>
  %lhs = stablehlo.bitcast_convert %lhs_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %rhs_stored = stablehlo.constant dense<[2, 6, -6, 0, -4]> : tensor<5xi8>
  %rhs = stablehlo.bitcast_convert %rhs_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.25:-2>>
  %result = stablehlo.minimum %lhs, %rhs : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>, tensor<5x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<5x!quant.uniform<i8:f32, 0.125:3>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.125:3>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[-29, -1, -5, 7, -1]> : tensor<5xi8>
  func.return
}
