func.func @pad_spec_example() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %padding_value = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.pad %operand, %padding_value, low = [0, 1], high = [2, 1], interior = [1, 2] : (tensor<2x3xi32>, tensor<i32>) -> tensor<5x9xi32>
  %expected = stablehlo.constant dense<[
    [0, 1, 0, 0, 2, 0, 0, 3, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 4, 0, 0, 5, 0, 0, 6, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0]
  ]> : tensor<5x9xi32>
  check.expect_eq %result, %expected : tensor<5x9xi32>
  func.return
}

func.func @pad_negative_edges() {
  %operand = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
  %padding_value = stablehlo.constant dense<9.0> : tensor<f64>
  %result = stablehlo.pad %operand, %padding_value, low = [1, -1], high = [-1, 1], interior = [0, 1] : (tensor<2x3xf64>, tensor<f64>) -> tensor<2x5xf64>
  check.expect_eq_const %result, dense<[[9.0, 9.0, 9.0, 9.0, 9.0], [9.0, 2.0, 9.0, 3.0, 9.0]]> : tensor<2x5xf64>
  func.return
}

func.func @pad_nothing_left() {
  %operand = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %padding_value = stablehlo.constant dense<7> : tensor<i64>
  %result = stablehlo.pad %operand, %padding_value, low = [-3], high = [4], interior = [0] : (tensor<2xi64>, tensor<i64>) -> tensor<3xi64>
  check.expect_eq_const %result, dense<7> : tensor<3xi64>
  func.return
}

func.func @pad_quantized() {
  %operand_stored = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<2x3xi8>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>
  %padding_value_stored = stablehlo.constant dense<9> : tensor<i8>
  %padding_value = stablehlo.bitcast_convert %padding_value_stored : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.pad %operand, %padding_value, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x6x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x6x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x6xi8>
  check.expect_eq_const %stored, dense<[[9, 1, 9, 2, 9, 3], [9, 4, 9, 5, 9, 6]]> : tensor<2x6xi8>
  func.return
}
