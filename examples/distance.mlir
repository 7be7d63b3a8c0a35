// The distance between two points.
func.func @main(%from: tensor<3xf32>, %to: tensor<3xf32>) -> tensor<f32> {
  %difference = stablehlo.subtract %to, %from : tensor<3xf32>
  %squares = stablehlo.multiply %difference, %difference : tensor<3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // One number: the sum of the squares.
  %sum = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  %distance = stablehlo.sqrt %sum : tensor<f32>
  return %distance : tensor<f32>
}
