// The variance as the mean of squares less the square of the mean: `shlo run --shadow f64` names the subtraction.
func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %count = stablehlo.constant dense<4.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %squares = stablehlo.multiply %x, %x : tensor<4xf32>
  %sum_of_squares = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %mean = stablehlo.divide %sum, %count : tensor<f32>
  %mean_of_squares = stablehlo.divide %sum_of_squares, %count : tensor<f32>
  %square_of_mean = stablehlo.multiply %mean, %mean : tensor<f32>
  %variance = stablehlo.subtract %mean_of_squares, %square_of_mean : tensor<f32>
  return %variance : tensor<f32>
}
