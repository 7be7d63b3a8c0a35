func.func @dot_general_spec_example() {
  %lhs = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>
  %rhs = stablehlo.constant dense<[[[1, 0], [0, 1]], [[1, 0], [0, 1]]]> : tensor<2x2x2xi64>
  %result = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x2x2xi64>, tensor<2x2x2xi64>) -> tensor<2x2x2xi64>
  check.expect_eq_const %result, dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>
  func.return
}

func.func @dot_general_outer_product() {
  %lhs = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %rhs = stablehlo.constant dense<[3.0, 4.0, 5.0]> : tensor<3xf64>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [] x [] : (tensor<2xf64>, tensor<3xf64>) -> tensor<2x3xf64>
  check.expect_eq_const %result, dense<[[3.0, 4.0, 5.0], [6.0, 8.0, 10.0]]> : tensor<2x3xf64>
  func.return
}

func.func @dot_general_nothing_to_sum() {
  %lhs = stablehlo.constant dense<> : tensor<2x0xf64>
  %rhs = stablehlo.constant dense<> : tensor<0x3xf64>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x0xf64>, tensor<0x3xf64>) -> tensor<2x3xf64>
  check.expect_eq_const %result, dense<0.0> : tensor<2x3xf64>
  func.return
}

func.func @dot_general_wider_result() {
  %lhs = stablehlo.constant dense<[[100, 100], [-128, 1]]> : tensor<2x2xi8>
  %rhs = stablehlo.constant dense<[100, 27]> : tensor<2xi8>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x2xi8>, tensor<2xi8>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[12700, -12773]> : tensor<2xi32>
  func.return
}

func.func @dot_general_two_contracting_dimensions_boolean() {
  %lhs = stablehlo.constant dense<[[true, false], [false, true]]> : tensor<2x2xi1>
  %rhs = stablehlo.constant dense<[[false, false], [true, true]]> : tensor<2x2xi1>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0, 1] x [1, 0] : (tensor<2x2xi1>, tensor<2x2xi1>) -> tensor<i1>
  check.expect_eq_const %result, dense<true> : tensor<i1>
  func.return
}

func.func @dot_general_complex() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (0.0, 1.0)]> : tensor<2xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(3.0, -1.0), (0.0, 1.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0] : (tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> tensor<complex<f64>>
  check.expect_eq_const %result, dense<(4.0, 5.0)> : tensor<complex<f64>>
  func.return
}

func.func @dot_general_quantized_along_an_axis() {
  %lhs_stored = stablehlo.constant dense<[[3, 5], [1, -1]]> : tensor<2x2xi8>
  %lhs = stablehlo.bitcast_convert %lhs_stored : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>
  %rhs_stored = stablehlo.constant dense<[[2, 4], [0, 6]]> : tensor<2x2xi8>
  %rhs = stablehlo.bitcast_convert %rhs_stored : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0}>>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0}>>) -> tensor<2x2x!quant.uniform<i32:f32:1, {0.25:1, 0.125:0}>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x2x!quant.uniform<i32:f32:1, {0.25:1, 0.125:0}>>) -> tensor<2x2xi32>
  check.expect_eq_const %stored, dense<[[5, 32], [1, -12]]> : tensor<2x2xi32>
  func.return
}

func.func @dot_general_hybrid() {
  %lhs = stablehlo.constant dense<[[1.0, 2.0], [0.0, -1.0]]> : tensor<2x2xf32>
  %rhs_stored = stablehlo.constant dense<[[2, 4], [0, 6]]> : tensor<2x2xi8>
  %rhs = stablehlo.bitcast_convert %rhs_stored : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0}>>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0}>>) -> tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[1.0, 4.0], [0.0, -1.5]]> : tensor<2x2xf32>
  func.return
}
