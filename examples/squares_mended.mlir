// The sum of the squares of 0 to n-1: squares.mlir with its mistake mended.
func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %out:2 = stablehlo.while(%i = %zero, %sum = %zero) : tensor<i32>, tensor<i32>
  cond {
    %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %square = stablehlo.multiply %i, %i : tensor<i32>
    %total = stablehlo.add %sum, %square : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %total : tensor<i32>, tensor<i32>
  }
  return %out#1 : tensor<i32>
}
