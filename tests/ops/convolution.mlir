// Of the dilated lhs a window of 3x3 holds four elements: 1 + 2 + 3 + 4 and so on.
func.func @convolution_spec_example() {
  %lhs = stablehlo.constant dense<[[[[1], [2], [5], [6]], [[3], [4], [7], [8]], [[10], [11], [14], [15]], [[12], [13], [16], [17]]]]> : tensor<1x4x4x1xi64>
  %rhs = stablehlo.constant dense<1> : tensor<3x3x1x1xi64>
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [4, 4], pad = [[0, 0], [0, 0]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x1xi64>, tensor<3x3x1x1xi64>) -> tensor<1x2x2x1xi64>
  check.expect_eq_const %result, dense<[[[[10], [26]], [[46], [62]]]]> : tensor<1x2x2x1xi64>
  func.return
}

func.func @convolution_padding_and_reversal() {
  %lhs = stablehlo.constant dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf64>
  %rhs = stablehlo.constant dense<[[[1.0, 10.0]]]> : tensor<1x1x2xf64>
  %result0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[1, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x3xf64>, tensor<1x1x2xf64>) -> tensor<1x1x3xf64>
  check.expect_eq_const %result0, dense<[[[10.0, 21.0, 32.0]]]> : tensor<1x1x3xf64>
  %result1 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[1, -1]], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x3xf64>, tensor<1x1x2xf64>) -> tensor<1x1x2xf64>
  check.expect_eq_const %result1, dense<[[[1.0, 12.0]]]> : tensor<1x1x2xf64>
  func.return
}

func.func @convolution_feature_groups() {
  %lhs = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]]]> : tensor<1x2x2xf32>
  %rhs = stablehlo.constant dense<[[[10.0]], [[100.0]]]> : tensor<2x1x1xf32>
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x2x2xf32>, tensor<2x1x1xf32>) -> tensor<1x2x2xf32>
  check.expect_eq_const %result, dense<[[[10.0, 20.0], [300.0, 400.0]]]> : tensor<1x2x2xf32>
  func.return
}

func.func @convolution_batch_groups() {
  %lhs = stablehlo.constant dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi64>
  %rhs = stablehlo.constant dense<[[[10]], [[100]]]> : tensor<2x1x1xi64>
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x1x2xi64>, tensor<2x1x1xi64>) -> tensor<1x2x2xi64>
  check.expect_eq_const %result, dense<[[[10, 20], [300, 400]]]> : tensor<1x2x2xi64>
  func.return
}

func.func @convolution_rhs_dilation() {
  %lhs = stablehlo.constant dense<[[[(1.0, 0.0), (2.0, 0.0), (3.0, 1.0), (4.0, 0.0)]]]> : tensor<1x1x4xcomplex<f64>>
  %rhs = stablehlo.constant dense<[[[(1.0, 0.0), (0.0, 1.0)]]]> : tensor<1x1x2xcomplex<f64>>
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x4xcomplex<f64>>, tensor<1x1x2xcomplex<f64>>) -> tensor<1x1x2xcomplex<f64>>
  check.expect_eq_const %result, dense<[[[(0.0, 3.0), (2.0, 4.0)]]]> : tensor<1x1x2xcomplex<f64>>
  func.return
}

func.func @convolution_quantized_along_an_axis() {
  %lhs_stored = stablehlo.constant dense<[[[1], [2], [3], [4]]]> : tensor<1x4x1xi8>
  %lhs = stablehlo.bitcast_convert %lhs_stored : (tensor<1x4x1xi8>) -> tensor<1x4x1x!quant.uniform<i8:f32, 0.5:1>>
  %rhs_stored = stablehlo.constant dense<[[[2, 4]], [[6, 8]]]> : tensor<2x1x2xi8>
  %rhs = stablehlo.bitcast_convert %rhs_stored : (tensor<2x1x2xi8>) -> tensor<2x1x2x!quant.uniform<i8:f32:2, {0.5:0, 0.25:2}>>
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x1x2x!quant.uniform<i8:f32:2, {0.5:0, 0.25:2}>>) -> tensor<1x3x2x!quant.uniform<i32:f32:2, {0.25:0, 0.125:1}>>
  %stored = stablehlo.bitcast_convert %result : (tensor<1x3x2x!quant.uniform<i32:f32:2, {0.25:0, 0.125:1}>>) -> tensor<1x3x2xi32>
  check.expect_eq_const %stored, dense<[[[6, 7], [14, 15], [22, 23]]]> : tensor<1x3x2xi32>
  func.return
}
func.func @convolution_hybrid() {
  %lhs = stablehlo.constant dense<[[[0.0], [0.5], [1.0], [1.5]]]> : tensor<1x4x1xf32>
  %rhs_stored = stablehlo.constant dense<[[[2, 4]], [[6, 8]]]> : tensor<2x1x2xi8>
  %rhs = stablehlo.bitcast_convert %rhs_stored : (tensor<2x1x2xi8>) -> tensor<2x1x2x!quant.uniform<i8:f32:2, {0.5:0, 0.25:2}>>
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<2x1x2x!quant.uniform<i8:f32:2, {0.5:0, 0.25:2}>>) -> tensor<1x3x2xf32>
  check.expect_eq_const %result, dense<[[[1.5, 0.75], [3.5, 1.75], [5.5, 2.75]]]> : tensor<1x3x2xf32>
  func.return
}
