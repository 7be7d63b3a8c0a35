// The mean over all replicas: each holds a part of the numbers.
//   shlo run examples/mean.mlir --grid 2x1 '[1, 2, 3, 6]' --split 0
func.func @main(%part: tensor<2xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%part init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %total = "stablehlo.all_reduce"(%sum) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %both = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %both : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<f32>) -> tensor<f32>
  %count = stablehlo.constant dense<4.0> : tensor<f32>
  %mean = stablehlo.divide %total, %count : tensor<f32>
  return %mean : tensor<f32>
}
