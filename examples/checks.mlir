// Test programs: `shlo test examples/checks.mlir` runs each function.
func.func @sum_of_squares() {
  %x = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %squares = stablehlo.multiply %x, %x : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  check.expect_almost_eq_const %sum, dense<25.0> : tensor<f32>
  return
}
func.func @bytes_wrap_around() {
  %x = stablehlo.constant dense<[100, -100]> : tensor<2xi8>
  %twice = stablehlo.add %x, %x : tensor<2xi8>
  check.expect_eq_const %twice, dense<[-56, 56]> : tensor<2xi8>
  return
}
