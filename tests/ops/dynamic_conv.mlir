// The specification's input_spatial_dimensions are [0, 1], which include the batch dimension; [1, 2] is meant.
func.func @dynamic_conv_spec_example() {
  %lhs = stablehlo.constant dense<[[[[1], [2], [5], [6]], [[3], [4], [7], [8]], [[10], [11], [14], [15]], [[12], [13], [16], [17]]]]> : tensor<1x4x4x1xi64>
  %rhs = stablehlo.constant dense<1> : tensor<3x3x1x1xi64>
  %padding = stablehlo.constant dense<1> : tensor<2x2xi64>
  %result = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    window_strides = array<i64: 4, 4>, lhs_dilation = array<i64: 2, 2>, rhs_dilation = array<i64: 1, 1>,
    window_reversal = array<i1: false, false>,
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64,
    precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]
  } : (tensor<1x4x4x1xi64>, tensor<3x3x1x1xi64>, tensor<2x2xi64>) -> tensor<1x2x2x1xi64>
  check.expect_eq_const %result, dense<[[[[1], [5]], [[10], [14]]]]> : tensor<1x2x2x1xi64>
  func.return
}

func.func @dynamic_conv_padding_is_an_operand() {
  %lhs = stablehlo.constant dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf64>
  %rhs = stablehlo.constant dense<[[[1.0, 10.0]]]> : tensor<1x1x2xf64>
  %padding = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  %result = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64}> : (tensor<1x1x3xf64>, tensor<1x1x2xf64>, tensor<1x2xi64>) -> tensor<1x1x3xf64>
  check.expect_eq_const %result, dense<[[[10.0, 21.0, 32.0]]]> : tensor<1x1x3xf64>
  func.return
}

func.func @dynamic_conv_quantized() {
  %lhs_stored = stablehlo.constant dense<[[[1], [2], [3], [4]]]> : tensor<1x4x1xi8>
  %lhs = stablehlo.bitcast_convert %lhs_stored : (tensor<1x4x1xi8>) -> tensor<1x4x1x!quant.uniform<i8:f32, 0.5:1>>
  %rhs_stored = stablehlo.constant dense<[[[3, 5]], [[1, 9]]]> : tensor<2x1x2xi8>
  %rhs = stablehlo.bitcast_convert %rhs_stored : (tensor<2x1x2xi8>) -> tensor<2x1x2x!quant.uniform<i8:f32, 0.5:1>>
  %padding = stablehlo.constant dense<[[0, 0]]> : tensor<1x2xi64>
  %result = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) <{
    batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64
  }> : (tensor<1x4x1x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x1x2x!quant.uniform<i8:f32, 0.5:1>>, tensor<1x2xi64>) -> tensor<1x3x2x!quant.uniform<i32:f32, 0.25:0>>
  %stored = stablehlo.bitcast_convert %result : (tensor<1x3x2x!quant.uniform<i32:f32, 0.25:0>>) -> tensor<1x3x2xi32>
  check.expect_eq_const %stored, dense<[[[0, 8], [2, 20], [4, 32]]]> : tensor<1x3x2xi32>
  func.return
}
