func.func @transpose_spec_example() {
  %operand = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi32>
  %result = stablehlo.transpose %operand, dims = [2, 1, 0] : (tensor<2x3x2xi32>) -> tensor<2x3x2xi32>
  check.expect_eq_const %result, dense<[[[1, 7], [3, 9], [5, 11]], [[2, 8], [4, 10], [6, 12]]]> : tensor<2x3x2xi32>
  func.return
}

func.func @transpose_identity() {
  %operand = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf64>
  %result = stablehlo.transpose %operand, dims = [0, 1] : (tensor<1x2xf64>) -> tensor<1x2xf64>
  check.expect_eq_const %result, dense<[[1.0, 2.0]]> : tensor<1x2xf64>
  func.return
}

func.func @transpose_quantized_along_an_axis() {
  %operand_stored = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<2x3xi8>) -> tensor<2x3x!quant.uniform<i8:f32:1, {0.5:0, 0.25:1, 2.0:-1}>>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3x!quant.uniform<i8:f32:1, {0.5:0, 0.25:1, 2.0:-1}>>) -> tensor<3x2x!quant.uniform<i8:f32:0, {0.5:0, 0.25:1, 2.0:-1}>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x2x!quant.uniform<i8:f32:0, {0.5:0, 0.25:1, 2.0:-1}>>) -> tensor<3x2xi8>
  check.expect_eq_const %stored, dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi8>
  func.return
}
