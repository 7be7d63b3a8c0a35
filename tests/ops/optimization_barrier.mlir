func.func @optimization_barrier_spec_example() {
  %operand0 = stablehlo.constant dense<0.0> : tensor<f32>
  %operand1 = stablehlo.constant dense<1.0> : tensor<f32>
  %result0, %result1 = stablehlo.optimization_barrier %operand0, %operand1 : tensor<f32>, tensor<f32>
  check.expect_eq_const %result0, dense<0.0> : tensor<f32>
  check.expect_eq_const %result1, dense<1.0> : tensor<f32>
  func.return
}

func.func @optimization_barrier_one_operand() {
  %operand = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %result = stablehlo.optimization_barrier %operand : tensor<2xi64>
  check.expect_eq_const %result, dense<[1, 2]> : tensor<2xi64>
  func.return
}

func.func @optimization_barrier_quantized() {
  %operand_stored = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<2x3xi8>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.optimization_barrier %operand : tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x3xi8>
  check.expect_eq_const %stored, dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  func.return
}
