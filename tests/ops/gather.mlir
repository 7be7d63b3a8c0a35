func.func @gather_spec_example() {
  %operand = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6], [7, 8]], [[9, 10], [11, 12], [13, 14], [15, 16]], [[17, 18], [19, 20], [21, 22], [23, 24]]]> : tensor<3x4x2xi32>
  %start_indices = stablehlo.constant dense<[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 2]]]> : tensor<2x3x2xi64>
  %result = "stablehlo.gather"(%operand, %start_indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2, 2>}> : (tensor<3x4x2xi32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xi32>
  %expected = stablehlo.constant dense<[
    [[[1, 2], [3, 4]], [[3, 4], [5, 6]], [[13, 14], [15, 16]]],
    [[[9, 10], [11, 12]], [[11, 12], [13, 14]], [[17, 18], [19, 20]]]
  ]> : tensor<2x3x2x2xi32>
  check.expect_eq %result, %expected : tensor<2x3x2x2xi32>
  func.return
}

func.func @gather_out_of_bounds_indices_move_inside() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf64>
  %start_indices = stablehlo.constant dense<[[-3], [9], [1]]> : tensor<3x1xi32>
  %result = "stablehlo.gather"(%operand, %start_indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2>}> : (tensor<5xf64>, tensor<3x1xi32>) -> tensor<3x2xf64>
  check.expect_eq_const %result, dense<[[1.0, 2.0], [4.0, 5.0], [2.0, 3.0]]> : tensor<3x2xf64>
  func.return
}

func.func @gather_batching_dimensions() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %start_indices = stablehlo.constant dense<[[2, 0], [1, 1]]> : tensor<2x2xi64>
  %result = "stablehlo.gather"(%operand, %start_indices) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x3xi64>, tensor<2x2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[3, 1], [5, 5]]> : tensor<2x2xi64>
  func.return
}

func.func @gather_sorted_rows_index_vector_first() {
  %operand = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xui8>
  %start_indices = stablehlo.constant dense<[[0, 2]]> : tensor<1x2xui32>
  %result = "stablehlo.gather"(%operand, %start_indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>, indices_are_sorted = true, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xui8>, tensor<1x2xui32>) -> tensor<2x2xui8>
  check.expect_eq_const %result, dense<[[1, 2], [5, 6]]> : tensor<2x2xui8>
  func.return
}

func.func @gather_quantized() {
  %operand_stored = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<2x3xi8>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>
  %start_indices = stablehlo.constant dense<[[1], [0], [5]]> : tensor<3x1xi64>
  %result = "stablehlo.gather"(%operand, %start_indices) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 3>
  }> : (tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>, tensor<3x1xi64>) -> tensor<3x3x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3x3xi8>
  check.expect_eq_const %stored, dense<[[4, 5, 6], [1, 2, 3], [4, 5, 6]]> : tensor<3x3xi8>
  func.return
}
