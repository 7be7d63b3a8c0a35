func.func @main(%left: tensor<2x3xi32>, %right: tensor<3x2xi32>) -> tensor<2x2xi32> {
  %0 = stablehlo.dot_general %left, %right, contracting_dims = [1] x [0] : (tensor<2x3xi32>, tensor<3x2xi32>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}
