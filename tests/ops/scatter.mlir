func.func @scatter_spec_example() {
  %input = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6], [7, 8]], [[9, 10], [11, 12], [13, 14], [15, 16]], [[17, 18], [19, 20], [21, 22], [23, 24]]]> : tensor<3x4x2xi64>
  %scatter_indices = stablehlo.constant dense<[[[0, 2], [1, 0], [2, 1]], [[0, 1], [1, 0], [0, 9]]]> : tensor<2x3x2xi64>
  %update = stablehlo.constant dense<1> : tensor<2x3x2x2xi64>
  %result = "stablehlo.scatter"(%input, %scatter_indices, %update) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
    %sum = stablehlo.add %arg0, %arg1 : tensor<i64>
    stablehlo.return %sum : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<2x3x2xi64>, tensor<2x3x2x2xi64>) -> tensor<3x4x2xi64>
  %expected = stablehlo.constant dense<[
    [[1, 2], [5, 6], [7, 8], [7, 8]],
    [[10, 11], [12, 13], [14, 15], [16, 17]],
    [[18, 19], [20, 21], [21, 22], [23, 24]]
  ]> : tensor<3x4x2xi64>
  check.expect_eq %result, %expected : tensor<3x4x2xi64>
  func.return
}

// An update whose index is out of bounds is dropped.
func.func @scatter_replaces_unique() {
  %input = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %scatter_indices = stablehlo.constant dense<[[2], [0], [-1]]> : tensor<3x1xi32>
  %update = stablehlo.constant dense<[-3.0, -1.0, 9.0]> : tensor<3xf64>
  %result = "stablehlo.scatter"(%input, %scatter_indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%arg0: tensor<f64>, %arg1: tensor<f64>):
    stablehlo.return %arg1 : tensor<f64>
  }) : (tensor<3xf64>, tensor<3x1xi32>, tensor<3xf64>) -> tensor<3xf64>
  check.expect_eq_const %result, dense<[-1.0, 2.0, -3.0]> : tensor<3xf64>
  func.return
}

func.func @scatter_two_inputs() {
  %input0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %input1 = stablehlo.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf64>
  %scatter_indices = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi64>
  %update0 = stablehlo.constant dense<[5, 7]> : tensor<2xi64>
  %update1 = stablehlo.constant dense<[0.5, 0.25]> : tensor<2xf64>
  %result:2 = "stablehlo.scatter"(%input0, %input1, %scatter_indices, %update0, %update1) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%old0: tensor<i64>, %old1: tensor<f64>, %new0: tensor<i64>, %new1: tensor<f64>):
    %product = stablehlo.multiply %old0, %new0 : tensor<i64>
    %difference = stablehlo.subtract %old1, %new1 : tensor<f64>
    stablehlo.return %product, %difference : tensor<i64>, tensor<f64>
  }) : (tensor<3xi64>, tensor<3xf64>, tensor<2x1xi64>, tensor<2xi64>, tensor<2xf64>) -> (tensor<3xi64>, tensor<3xf64>)
  check.expect_eq_const %result#0, dense<[1, 10, 21]> : tensor<3xi64>
  check.expect_eq_const %result#1, dense<[10.0, 19.5, 29.75]> : tensor<3xf64>
  func.return
}

func.func @scatter_batching_dimensions() {
  %input = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %scatter_indices = stablehlo.constant dense<[[2, 0], [1, 1]]> : tensor<2x2xi64>
  %update = stablehlo.constant dense<[[10, 20], [30, 40]]> : tensor<2x2xi64>
  %result = "stablehlo.scatter"(%input, %scatter_indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
    %sum = stablehlo.add %arg0, %arg1 : tensor<i64>
    stablehlo.return %sum : tensor<i64>
  }) : (tensor<2x3xi64>, tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x3xi64>
  check.expect_eq_const %result, dense<[[21, 2, 13], [4, 75, 6]]> : tensor<2x3xi64>
  func.return
}

// The specification drops an update element by element; XLA drops the whole window.
func.func @scatter_one_window_partly_outside() {
  %input = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %scatter_indices = stablehlo.constant dense<[3]> : tensor<1xi64>
  %update = stablehlo.constant dense<[10, 20]> : tensor<2xi64>
  %result = "stablehlo.scatter"(%input, %scatter_indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
    %sum = stablehlo.add %arg0, %arg1 : tensor<i64>
    stablehlo.return %sum : tensor<i64>
  }) : (tensor<4xi64>, tensor<1xi64>, tensor<2xi64>) -> tensor<4xi64>
  check.expect_eq_const %result, dense<[1, 2, 3, 14]> : tensor<4xi64>
  func.return
}

func.func @scatter_quantized() {
  %input_stored = stablehlo.constant dense<[1, 3, 5]> : tensor<3xi8>
  %input = stablehlo.bitcast_convert %input_stored : (tensor<3xi8>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %scatter_indices = stablehlo.constant dense<[[1], [1], [7]]> : tensor<3x1xi64>
  %update_stored = stablehlo.constant dense<[3, 5, 7]> : tensor<3xi8>
  %update = stablehlo.bitcast_convert %update_stored : (tensor<3xi8>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %result = "stablehlo.scatter"(%input, %scatter_indices, %update) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
    ^bb0(%lhs: tensor<!quant.uniform<i8:f32, 0.5:1>>, %rhs: tensor<!quant.uniform<i8:f32, 0.5:1>>):
      %sum = stablehlo.add %lhs, %rhs : tensor<!quant.uniform<i8:f32, 0.5:1>>
      stablehlo.return %sum : tensor<!quant.uniform<i8:f32, 0.5:1>>
  }) : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<3x1xi64>, tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[1, 9, 5]> : tensor<3xi8>
  func.return
}
