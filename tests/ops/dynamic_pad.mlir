func.func @dynamic_pad_spec_example() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %padding_value = stablehlo.constant dense<0> : tensor<i64>
  %low = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %high = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %interior = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %result = stablehlo.dynamic_pad %operand, %padding_value, %low, %high, %interior : (tensor<2x3xi64>, tensor<i64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<5x9xi64>
  check.expect_eq_const %result, dense<[
    [0, 1, 0, 0, 2, 0, 0, 3, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 4, 0, 0, 5, 0, 0, 6, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0]
  ]> : tensor<5x9xi64>
  func.return
}

func.func @dynamic_pad_padding_is_operands() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %padding_value = stablehlo.constant dense<0> : tensor<i64>
  %edge_padding_low = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %edge_padding_high = stablehlo.constant dense<[1, -1]> : tensor<2xi64>
  %interior_padding = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %result = stablehlo.dynamic_pad %operand, %padding_value, %edge_padding_low, %edge_padding_high, %interior_padding : (tensor<2x3xi64>, tensor<i64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x3xi64>
  check.expect_eq_const %result, dense<[[0, 1, 2], [0, 0, 0], [0, 4, 5], [0, 0, 0]]> : tensor<4x3xi64>
  func.return
}

func.func @dynamic_pad_quantized() {
  %operand_stored = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<2x3xi8>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>
  %padding_value_stored = stablehlo.constant dense<9> : tensor<i8>
  %padding_value = stablehlo.bitcast_convert %padding_value_stored : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %low = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %high = stablehlo.constant dense<[0, 0]> : tensor<2xi32>
  %interior = stablehlo.constant dense<[0, 0]> : tensor<2xi32>
  %result = stablehlo.dynamic_pad %operand, %padding_value, %low, %high, %interior : (tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x4x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x4x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x4xi8>
  check.expect_eq_const %stored, dense<[[9, 1, 2, 3], [9, 4, 5, 6]]> : tensor<2x4xi8>
  func.return
}
