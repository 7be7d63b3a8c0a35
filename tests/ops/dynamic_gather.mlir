// The values are those of the specification's example of gather.
func.func @dynamic_gather_spec_example() {
  %operand = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6], [7, 8]], [[9, 10], [11, 12], [13, 14], [15, 16]], [[17, 18], [19, 20], [21, 22], [23, 24]]]> : tensor<3x4x2xi32>
  %start_indices = stablehlo.constant dense<[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 2]]]> : tensor<2x3x2xi64>
  %slice_sizes = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi64>
  %result = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, indices_are_sorted = false}> : (tensor<3x4x2xi32>, tensor<2x3x2xi64>, tensor<3xi64>) -> tensor<2x3x2x2xi32>
  %expected = stablehlo.constant dense<[
    [[[1, 2], [3, 4]], [[3, 4], [5, 6]], [[13, 14], [15, 16]]],
    [[[9, 10], [11, 12]], [[11, 12], [13, 14]], [[17, 18], [19, 20]]]
  ]> : tensor<2x3x2x2xi32>
  check.expect_eq %result, %expected : tensor<2x3x2x2xi32>
  func.return
}

func.func @dynamic_gather_quantized() {
  %operand_stored = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<2x3xi8>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>
  %start_indices = stablehlo.constant dense<[[1], [0]]> : tensor<2x1xi64>
  %slice_sizes = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %result = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
  }> : (tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x1xi64>, tensor<2xi64>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x3xi8>
  check.expect_eq_const %stored, dense<[[4, 5, 6], [1, 2, 3]]> : tensor<2x3xi8>
  func.return
}
