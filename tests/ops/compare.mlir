func.func @compare_spec_example() {
  %lhs = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %rhs = stablehlo.constant dense<[1.1, 2.9]> : tensor<2xf32>
  %result = stablehlo.compare LT, %lhs, %rhs, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %result, dense<[true, false]> : tensor<2xi1>
  func.return
}

func.func @compare_signed() {
  %lhs = stablehlo.constant dense<[-2, -1, 0]> : tensor<3xi64>
  %rhs = stablehlo.constant dense<[-1, -1, -1]> : tensor<3xi64>
  %result_eq = stablehlo.compare EQ, %lhs, %rhs, SIGNED : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
  check.expect_eq_const %result_eq, dense<[false, true, false]> : tensor<3xi1>
  %result_ne = stablehlo.compare NE, %lhs, %rhs, SIGNED : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
  check.expect_eq_const %result_ne, dense<[true, false, true]> : tensor<3xi1>
  %result_ge = stablehlo.compare GE, %lhs, %rhs, SIGNED : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
  check.expect_eq_const %result_ge, dense<[false, true, true]> : tensor<3xi1>
  %result_gt = stablehlo.compare GT, %lhs, %rhs, SIGNED : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
  check.expect_eq_const %result_gt, dense<[false, false, true]> : tensor<3xi1>
  %result_le = stablehlo.compare LE, %lhs, %rhs, SIGNED : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
  check.expect_eq_const %result_le, dense<[true, true, false]> : tensor<3xi1>
  %result_lt = stablehlo.compare LT, %lhs, %rhs, SIGNED : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
  check.expect_eq_const %result_lt, dense<[true, false, false]> : tensor<3xi1>
  func.return
}

func.func @compare_unsigned() {
  %lhs = stablehlo.constant dense<[18446744073709551615, 0]> : tensor<2xui64>
  %rhs = stablehlo.constant dense<[1, 1]> : tensor<2xui64>
  %result = stablehlo.compare GT, %lhs, %rhs, UNSIGNED : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  check.expect_eq_const %result, dense<[true, false]> : tensor<2xi1>
  func.return
}

func.func @compare_boolean() {
  %lhs = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %rhs = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %result_eq = stablehlo.compare EQ, %lhs, %rhs, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %result_eq, dense<[true, false, false, true]> : tensor<4xi1>
  %result_ne = stablehlo.compare NE, %lhs, %rhs, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %result_ne, dense<[false, true, true, false]> : tensor<4xi1>
  %result_ge = stablehlo.compare GE, %lhs, %rhs, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %result_ge, dense<[true, false, true, true]> : tensor<4xi1>
  %result_gt = stablehlo.compare GT, %lhs, %rhs, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %result_gt, dense<[false, false, true, false]> : tensor<4xi1>
  %result_le = stablehlo.compare LE, %lhs, %rhs, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %result_le, dense<[true, true, false, true]> : tensor<4xi1>
  %result_lt = stablehlo.compare LT, %lhs, %rhs, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %result_lt, dense<[false, true, false, false]> : tensor<4xi1>
  func.return
}

func.func @compare_float_nan_and_zeros() {
  %lhs = stablehlo.constant dense<[0x7FF8000000000000, 0.0, 1.0]> : tensor<3xf64>
  %rhs = stablehlo.constant dense<[0x7FF8000000000000, -0.0, 0x7FF8000000000000]> : tensor<3xf64>
  %result_eq = stablehlo.compare EQ, %lhs, %rhs, FLOAT : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
  check.expect_eq_const %result_eq, dense<[false, true, false]> : tensor<3xi1>
  %result_ne = stablehlo.compare NE, %lhs, %rhs, FLOAT : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
  check.expect_eq_const %result_ne, dense<[true, false, true]> : tensor<3xi1>
  %result_ge = stablehlo.compare GE, %lhs, %rhs, FLOAT : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
  check.expect_eq_const %result_ge, dense<[false, true, false]> : tensor<3xi1>
  %result_gt = stablehlo.compare GT, %lhs, %rhs, FLOAT : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
  check.expect_eq_const %result_gt, dense<[false, false, false]> : tensor<3xi1>
  %result_le = stablehlo.compare LE, %lhs, %rhs, FLOAT : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
  check.expect_eq_const %result_le, dense<[false, true, false]> : tensor<3xi1>
  %result_lt = stablehlo.compare LT, %lhs, %rhs, FLOAT : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
  check.expect_eq_const %result_lt, dense<[false, false, false]> : tensor<3xi1>
  func.return
}

// -NaN < -inf < -1 < ... < -0 < +0 < ... < inf < NaN.
func.func @compare_total_order() {
  %lhs = stablehlo.constant dense<[0xFFF8000000000000, 0xFFF0000000000000, -0.0, 0.0, 0x7FF0000000000000]> : tensor<5xf64>
  %rhs = stablehlo.constant dense<[0xFFF0000000000000, -1.0, 0.0, -0.0, 0x7FF8000000000000]> : tensor<5xf64>
  %result = stablehlo.compare LT, %lhs, %rhs, TOTALORDER : (tensor<5xf64>, tensor<5xf64>) -> tensor<5xi1>
  check.expect_eq_const %result, dense<[true, true, true, false, true]> : tensor<5xi1>
  func.return
}

// Pairs are compared in their order: the real parts first.
func.func @compare_complex() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (1.0, 3.0), (0.5, 9.0)]> : tensor<3xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0), (1.0, 0.0)]> : tensor<3xcomplex<f64>>
  %result_eq = stablehlo.compare EQ, %lhs, %rhs, FLOAT : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xi1>
  check.expect_eq_const %result_eq, dense<[true, false, false]> : tensor<3xi1>
  %result_ne = stablehlo.compare NE, %lhs, %rhs, FLOAT : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xi1>
  check.expect_eq_const %result_ne, dense<[false, true, true]> : tensor<3xi1>
  %result_ge = stablehlo.compare GE, %lhs, %rhs, FLOAT : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xi1>
  check.expect_eq_const %result_ge, dense<[true, true, false]> : tensor<3xi1>
  %result_gt = stablehlo.compare GT, %lhs, %rhs, FLOAT : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xi1>
  check.expect_eq_const %result_gt, dense<[false, true, false]> : tensor<3xi1>
  %result_le = stablehlo.compare LE, %lhs, %rhs, FLOAT : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xi1>
  check.expect_eq_const %result_le, dense<[true, false, true]> : tensor<3xi1>
  %result_lt = stablehlo.compare LT, %lhs, %rhs, FLOAT : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xi1>
  check.expect_eq_const %result_lt, dense<[false, false, true]> : tensor<3xi1>
  func.return
}

// A pair of numbers in order is one whatever the second parts are; a part that is NaN is in no order.
func.func @compare_complex_nan() {
  %lhs = stablehlo.constant dense<[(0.0, 0.0), (0.5, 0x7FF8000000000000), (1.0, 2.0), (0x7FF8000000000000, 0.0)]> : tensor<4xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(0.5, 0x7FF8000000000000), (0.0, 0.0), (1.0, 0x7FF8000000000000), (1.0, 0.0)]> : tensor<4xcomplex<f64>>
  %result_lt = stablehlo.compare LT, %lhs, %rhs, FLOAT : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xi1>
  check.expect_eq_const %result_lt, dense<[true, false, false, false]> : tensor<4xi1>
  %result_ge = stablehlo.compare GE, %lhs, %rhs, FLOAT : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xi1>
  check.expect_eq_const %result_ge, dense<[false, true, false, false]> : tensor<4xi1>
  %result_ne = stablehlo.compare NE, %lhs, %rhs, FLOAT : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xi1>
  check.expect_eq_const %result_ne, dense<true> : tensor<4xi1>
  func.return
}

func.func @compare_quantized() {
  %lhs_stored = stablehlo.constant dense<[1, 3, 5]> : tensor<3xi8>
  %lhs = stablehlo.bitcast_convert %lhs_stored : (tensor<3xi8>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %rhs_stored = stablehlo.constant dense<[2, 0, 6]> : tensor<3xi8>
  %rhs = stablehlo.bitcast_convert %rhs_stored : (tensor<3xi8>) -> tensor<3x!quant.uniform<i8:f32, 0.25:-2>>
  %result = stablehlo.compare LT, %lhs, %rhs : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<3x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<3xi1>
  check.expect_eq_const %result, dense<[true, false, false]> : tensor<3xi1>
  func.return
}
