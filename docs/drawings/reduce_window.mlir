func.func @main(%input: tensor<4x4xi32>, %initial: tensor<i32>) -> tensor<2x2xi32> {
  %0 = "stablehlo.reduce_window"(%input, %initial) <{
    window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%sum: tensor<i32>, %element: tensor<i32>):
    %next = stablehlo.add %sum, %element : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }) : (tensor<4x4xi32>, tensor<i32>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}
