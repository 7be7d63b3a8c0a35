func.func @main(%input: tensor<6xi32>, %indices: tensor<3x1xi32>, %updates: tensor<3xi32>) -> tensor<6xi32> {
  %0 = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    %sum = stablehlo.add %old, %update : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<6xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<6xi32>
  return %0 : tensor<6xi32>
}
