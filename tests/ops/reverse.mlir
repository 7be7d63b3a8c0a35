func.func @reverse_spec_example() {
  %operand = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %result = stablehlo.reverse %operand, dims = [1] : tensor<3x2xi32>
  check.expect_eq_const %result, dense<[[2, 1], [4, 3], [6, 5]]> : tensor<3x2xi32>
  func.return
}

func.func @reverse_no_and_all_dimensions() {
  %operand = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %result0 = stablehlo.reverse %operand, dims = [] : tensor<2x2xf64>
  check.expect_eq_const %result0, dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %result1 = stablehlo.reverse %operand, dims = [1, 0] : tensor<2x2xf64>
  check.expect_eq_const %result1, dense<[[4.0, 3.0], [2.0, 1.0]]> : tensor<2x2xf64>
  func.return
}

func.func @reverse_quantized() {
  %operand_stored = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<2x3xi8>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.reverse %operand, dims = [1] : tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x3xi8>
  check.expect_eq_const %stored, dense<[[3, 2, 1], [6, 5, 4]]> : tensor<2x3xi8>
  func.return
}
