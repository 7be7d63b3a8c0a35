// Fits the slope of a line through the origin to four points by gradient descent, until a step is small.
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<f32>, tensor<i32>) {
  %start = stablehlo.constant dense<0.0> : tensor<f32>
  %first = stablehlo.constant dense<1.0> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %fit:3 = stablehlo.while(%w = %start, %change = %first, %round = %zero) : tensor<f32>, tensor<f32>, tensor<i32>
  cond {
    %small = stablehlo.constant dense<1.0e-4> : tensor<f32>
    %last = stablehlo.constant dense<40> : tensor<i32>
    %size = stablehlo.abs %change : tensor<f32>
    %moves = stablehlo.compare GT, %size, %small : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %early = stablehlo.compare LT, %round, %last : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %more = stablehlo.and %moves, %early : tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %slope = stablehlo.broadcast_in_dim %w, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %line = stablehlo.multiply %slope, %x : tensor<4xf32>
    %error = stablehlo.subtract %line, %y : tensor<4xf32>
    %terms = stablehlo.multiply %error, %x : tensor<4xf32>
    %nothing = stablehlo.constant dense<0.0> : tensor<f32>
    %gradient = stablehlo.reduce(%terms init: %nothing) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %rate = stablehlo.constant dense<0.05> : tensor<f32>
    %step = stablehlo.multiply %rate, %gradient : tensor<f32>
    %next = stablehlo.subtract %w, %step : tensor<f32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %after = stablehlo.add %round, %one : tensor<i32>
    stablehlo.return %next, %step, %after : tensor<f32>, tensor<f32>, tensor<i32>
  }
  return %fit#0, %fit#2 : tensor<f32>, tensor<i32>
}
