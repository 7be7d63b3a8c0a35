// The sum of squares, with a tensor in scope of the loop: what tests/dap/test_protocol.py debugs.
func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %row = stablehlo.iota dim = 0 : tensor<4xi32>
  %out:2 = stablehlo.while(%i = %zero, %sum = %zero) : tensor<i32>, tensor<i32>
  cond {
    %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %narrow = stablehlo.convert %i : (tensor<i32>) -> tensor<i8>
    %product = stablehlo.multiply %narrow, %narrow : tensor<i8>
    %square = stablehlo.convert %product : (tensor<i8>) -> tensor<i32>
    %total = stablehlo.add %sum, %square : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %total : tensor<i32>, tensor<i32>
  }
  return %out#1 : tensor<i32>
}
