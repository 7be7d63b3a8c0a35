// What the specification leaves open: a token out of the vocabulary, and a checksum that wraps.
func.func @main(%tokens: tensor<4xi32>, %table: tensor<6x2xf32>) -> (tensor<4x2xf32>, tensor<i8>) {
  %zero = stablehlo.constant dense<0> : tensor<i8>
  %rows = "stablehlo.gather"(%table, %tokens) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<6x2xf32>, tensor<4xi32>) -> tensor<4x2xf32>
  %small = stablehlo.convert %tokens : (tensor<4xi32>) -> tensor<4xi8>
  %checksum = stablehlo.reduce(%small init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xi8>, tensor<i8>) -> tensor<i8>
  return %rows, %checksum : tensor<4x2xf32>, tensor<i8>
}
