func.func @add_spec_example() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %rhs = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %result = stablehlo.add %lhs, %rhs : tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[6, 8], [10, 12]]> : tensor<2x2xi32>
  func.return
}

func.func @add_integer() {
  %lhs = stablehlo.constant dense<[0, -5, 4000000000]> : tensor<3xi64>
  %rhs = stablehlo.constant dense<[7, -6, 4000000000]> : tensor<3xi64>
  %result = stablehlo.add %lhs, %rhs : tensor<3xi64>
  check.expect_eq_const %result, dense<[7, -11, 8000000000]> : tensor<3xi64>
  func.return
}

func.func @add_narrow_integer() {
  %lhs = stablehlo.constant dense<[0, -8, 3]> : tensor<3xi4>
  %rhs = stablehlo.constant dense<[7, 5, -4]> : tensor<3xi4>
  %result = stablehlo.add %lhs, %rhs : tensor<3xi4>
  check.expect_eq_const %result, dense<[7, -3, -1]> : tensor<3xi4>
  func.return
}

func.func @add_boolean() {
  %lhs = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %rhs = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %result = stablehlo.add %lhs, %rhs : tensor<4xi1>
  check.expect_eq_const %result, dense<[false, true, true, true]> : tensor<4xi1>
  func.return
}

func.func @add_float() {
  %lhs = stablehlo.constant dense<[1.5, -0.25, 0x7FF0000000000000, 0x7FF0000000000000]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[2.25, 0.25, 1.0, 0xFFF0000000000000]> : tensor<4xf64>
  %result = stablehlo.add %lhs, %rhs : tensor<4xf64>
  check.expect_almost_eq_const %result, dense<[3.75, 0.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<4xf64>
  func.return
}

// Both sums lie halfway between two numbers of 8 bits; the even one is taken.
func.func @add_narrow_float() {
  %lhs = stablehlo.constant dense<[256.0, 1.0]> : tensor<2xbf16>
  %rhs = stablehlo.constant dense<[1.0, 0.00390625]> : tensor<2xbf16>
  %result = stablehlo.add %lhs, %rhs : tensor<2xbf16>
  check.expect_eq_const %result, dense<[256.0, 1.0]> : tensor<2xbf16>
  func.return
}

func.func @add_complex() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (-3.0, 0.5)]> : tensor<2xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(0.5, -2.0), (3.0, 0.25)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.add %lhs, %rhs : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.5, 0.0), (0.0, 0.75)]> : tensor<2xcomplex<f64>>
  func.return
}

func.func @add_quantized_along_an_axis() {
  %lhs_stored = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
  %lhs = stablehlo.bitcast_convert %lhs_stored : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:2}>>
  %rhs_stored = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi8>
  %rhs = stablehlo.bitcast_convert %rhs_stored : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:2}>>
  %result = stablehlo.add %lhs, %rhs : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:2}>>, tensor<2x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:2}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.25:-1, 0.5:3}>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x2x!quant.uniform<i8:f32:1, {0.25:-1, 0.5:3}>>) -> tensor<2x2xi8>
  check.expect_eq_const %stored, dense<[[11, 5], [19, 7]]> : tensor<2x2xi8>
  func.return
}
