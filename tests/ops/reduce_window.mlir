func.func @reduce_window_spec_example() {
  %input = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %init_value = stablehlo.constant dense<0> : tensor<i64>
  %result = "stablehlo.reduce_window"(%input, %init_value) <{base_dilations = array<i64: 2, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 3, 1>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>}> ({
  ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
    %sum = stablehlo.add %arg0, %arg1 : tensor<i64>
    stablehlo.return %sum : tensor<i64>
  }) : (tensor<3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[0, 0], [3, 4]]> : tensor<2x2xi64>
  func.return
}

func.func @reduce_window_overlapping_maximum() {
  %input = stablehlo.constant dense<[[1.0, 5.0, 2.0], [4.0, 3.0, 6.0]]> : tensor<2x3xf64>
  %init_value = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %result = "stablehlo.reduce_window"(%input, %init_value) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%arg0: tensor<f64>, %arg1: tensor<f64>):
    %sum = stablehlo.maximum %arg0, %arg1 : tensor<f64>
    stablehlo.return %sum : tensor<f64>
  }) : (tensor<2x3xf64>, tensor<f64>) -> tensor<1x2xf64>
  check.expect_eq_const %result, dense<[[5.0, 6.0]]> : tensor<1x2xf64>
  func.return
}

func.func @reduce_window_cumulative_sum() {
  %input = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %init_value = stablehlo.constant dense<0> : tensor<i64>
  %result = "stablehlo.reduce_window"(%input, %init_value) <{padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 4>}> ({
  ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
    %sum = stablehlo.add %arg0, %arg1 : tensor<i64>
    stablehlo.return %sum : tensor<i64>
  }) : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  check.expect_eq_const %result, dense<[1, 3, 6, 10]> : tensor<4xi64>
  func.return
}

func.func @reduce_window_two_inputs() {
  %input0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %input1 = stablehlo.constant dense<[2.0, 3.0, 4.0]> : tensor<3xf64>
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1.0> : tensor<f64>
  %result:2 = "stablehlo.reduce_window"(%input0, %input1, %zero, %one) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a0: tensor<i64>, %b0: tensor<f64>, %a1: tensor<i64>, %b1: tensor<f64>):
    %sum = stablehlo.add %a0, %a1 : tensor<i64>
    %product = stablehlo.multiply %b0, %b1 : tensor<f64>
    stablehlo.return %sum, %product : tensor<i64>, tensor<f64>
  }) : (tensor<3xi64>, tensor<3xf64>, tensor<i64>, tensor<f64>) -> (tensor<2xi64>, tensor<2xf64>)
  check.expect_eq_const %result#0, dense<[3, 5]> : tensor<2xi64>
  check.expect_eq_const %result#1, dense<[6.0, 12.0]> : tensor<2xf64>
  func.return
}

func.func @reduce_window_quantized() {
  %input_stored = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
  %input = stablehlo.bitcast_convert %input_stored : (tensor<4xi8>) -> tensor<4x!quant.uniform<i8:f32, 0.5:1>>
  %init_value_stored = stablehlo.constant dense<1> : tensor<i8>
  %init_value = stablehlo.bitcast_convert %init_value_stored : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %result = "stablehlo.reduce_window"(%input, %init_value) <{window_dimensions = array<i64: 2>}> ({
    ^bb0(%lhs: tensor<!quant.uniform<i32:f32, 0.125:0>>, %rhs: tensor<!quant.uniform<i32:f32, 0.125:0>>):
      %sum = stablehlo.add %lhs, %rhs : tensor<!quant.uniform<i32:f32, 0.125:0>>
      stablehlo.return %sum : tensor<!quant.uniform<i32:f32, 0.125:0>>
  }) : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3x!quant.uniform<i32:f32, 0.125:0>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i32:f32, 0.125:0>>) -> tensor<3xi32>
  check.expect_eq_const %stored, dense<[4, 12, 20]> : tensor<3xi32>
  func.return
}
