func.func @select_and_scatter_spec_example() {
  %operand = stablehlo.constant dense<[[1, 5], [2, 5], [3, 6], [4, 4]]> : tensor<4x2xi64>
  %source = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  %init_value = stablehlo.constant dense<0> : tensor<i64>
  %result = "stablehlo.select_and_scatter"(%operand, %source, %init_value) <{padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
    %selected = stablehlo.compare GE, %arg0, %arg1 : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %selected : tensor<i1>
  }, {
  ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
    %sum = stablehlo.add %arg0, %arg1 : tensor<i64>
    stablehlo.return %sum : tensor<i64>
  }) : (tensor<4x2xi64>, tensor<2x2xi64>, tensor<i64>) -> tensor<4x2xi64>
  check.expect_eq_const %result, dense<[[0, 0], [0, 0], [5, 14], [7, 0]]> : tensor<4x2xi64>
  func.return
}

func.func @select_and_scatter_windows_apart_and_initial_value() {
  %operand = stablehlo.constant dense<[1, 2, 4, 3]> : tensor<4xi64>
  %source = stablehlo.constant dense<[10, 20]> : tensor<2xi64>
  %init_value = stablehlo.constant dense<1> : tensor<i64>
  %result = "stablehlo.select_and_scatter"(%operand, %source, %init_value) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
    %selected = stablehlo.compare GE, %arg0, %arg1 : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %selected : tensor<i1>
  }, {
  ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
    %sum = stablehlo.add %arg0, %arg1 : tensor<i64>
    stablehlo.return %sum : tensor<i64>
  }) : (tensor<4xi64>, tensor<2xi64>, tensor<i64>) -> tensor<4xi64>
  check.expect_eq_const %result, dense<[1, 11, 21, 1]> : tensor<4xi64>
  func.return
}

func.func @select_and_scatter_quantized() {
  %operand_stored = stablehlo.constant dense<[1, 5, 2, 3]> : tensor<4xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<4xi8>) -> tensor<4x!quant.uniform<i8:f32, 0.5:1>>
  %source_stored = stablehlo.constant dense<[3, 5]> : tensor<2xi8>
  %source = stablehlo.bitcast_convert %source_stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %init_value_stored = stablehlo.constant dense<1> : tensor<i8>
  %init_value = stablehlo.bitcast_convert %init_value_stored : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %result = "stablehlo.select_and_scatter"(%operand, %source, %init_value) <{
    window_dimensions = array<i64: 2>, window_strides = array<i64: 2>
  }> ({
    ^bb0(%lhs: tensor<!quant.uniform<i8:f32, 0.5:1>>, %rhs: tensor<!quant.uniform<i8:f32, 0.5:1>>):
      %selected = stablehlo.compare GE, %lhs, %rhs : (tensor<!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<i1>
      stablehlo.return %selected : tensor<i1>
  }, {
    ^bb0(%lhs: tensor<!quant.uniform<i8:f32, 0.5:1>>, %rhs: tensor<!quant.uniform<i8:f32, 0.5:1>>):
      %sum = stablehlo.add %lhs, %rhs : tensor<!quant.uniform<i8:f32, 0.5:1>>
      stablehlo.return %sum : tensor<!quant.uniform<i8:f32, 0.5:1>>
  }) : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<4xi8>
  check.expect_eq_const %stored, dense<[1, 3, 1, 5]> : tensor<4xi8>
  func.return
}
