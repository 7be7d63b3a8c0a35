func.func @main(%rows: tensor<4x3xi32>, %indices: tensor<2x1xi32>) -> tensor<2x3xi32> {
  %0 = "stablehlo.gather"(%rows, %indices) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0],
      index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xi32>, tensor<2x1xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
