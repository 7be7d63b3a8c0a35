func.func @main(%image: tensor<1x1x4x4xi32>, %kernel: tensor<1x1x2x2xi32>) -> tensor<1x1x3x3xi32> {
  %0 = stablehlo.convolution(%image, %kernel) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x1x4x4xi32>, tensor<1x1x2x2xi32>) -> tensor<1x1x3x3xi32>
  return %0 : tensor<1x1x3x3xi32>
}
