func.func @dynamic_broadcast_in_dim_spec_example() {
  %operand = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi64>
  %output_dimensions = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %result = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [2, 1] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<1x3xi64>, tensor<3xi64>) -> tensor<2x3x2xi64>
  check.expect_eq_const %result, dense<[[[1, 1], [2, 2], [3, 3]], [[1, 1], [2, 2], [3, 3]]]> : tensor<2x3x2xi64>
  func.return
}

func.func @dynamic_broadcast_in_dim_sizes_are_an_operand() {
  %operand = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi64>
  %output_dimensions = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %result = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [2, 1] : (tensor<1x3xi64>, tensor<3xi64>) -> tensor<2x3x2xi64>
  check.expect_eq_const %result, dense<[[[1, 1], [2, 2], [3, 3]], [[1, 1], [2, 2], [3, 3]]]> : tensor<2x3x2xi64>
  func.return
}

func.func @dynamic_broadcast_in_dim_known_expanding_dimensions() {
  %operand = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf64>
  %output_dimensions = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %result = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [0, 1] {known_expanding_dimensions = array<i64: 1>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<2x1xf64>, tensor<2xi32>) -> tensor<2x2xf64>
  check.expect_eq_const %result, dense<[[1.0, 1.0], [2.0, 2.0]]> : tensor<2x2xf64>
  func.return
}

func.func @dynamic_broadcast_in_dim_quantized() {
  %operand_stored = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %shape = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  %result = stablehlo.dynamic_broadcast_in_dim %operand, %shape, dims = [1] : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2xi32>) -> tensor<3x2x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3x2xi8>
  check.expect_eq_const %stored, dense<[[1, 2], [1, 2], [1, 2]]> : tensor<3x2xi8>
  func.return
}
