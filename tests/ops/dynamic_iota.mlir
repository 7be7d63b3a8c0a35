func.func @dynamic_iota_spec_example() {
  %output_shape = stablehlo.constant dense<[4, 5]> : tensor<2xi64>
  %result = stablehlo.dynamic_iota %output_shape, dim = 0 : (tensor<2xi64>) -> tensor<4x5xi64>
  check.expect_eq_const %result, dense<[[0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [2, 2, 2, 2, 2], [3, 3, 3, 3, 3]]> : tensor<4x5xi64>
  func.return
}

func.func @dynamic_iota_sizes_are_an_operand() {
  %output_shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %result = stablehlo.dynamic_iota %output_shape, dim = 1 : (tensor<2xi64>) -> tensor<2x3xi64>
  check.expect_eq_const %result, dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi64>
  func.return
}

func.func @dynamic_iota_quantized() {
  %shape = stablehlo.constant dense<[5]> : tensor<1xi32>
  %result = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<1xi32>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[1, 3, 5, 7, 9]> : tensor<5xi8>
  func.return
}
