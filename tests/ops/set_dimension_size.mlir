func.func @set_dimension_size_smaller() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %size = stablehlo.constant dense<3> : tensor<i32>
  %result = stablehlo.set_dimension_size %operand, %size, dim = 0 : (tensor<4xi64>, tensor<i32>) -> tensor<?xi64, #stablehlo.bounds<4>>
  %length = stablehlo.get_dimension_size %result, dim = 0 : (tensor<?xi64, #stablehlo.bounds<4>>) -> tensor<i32>
  check.expect_eq_const %length, dense<3> : tensor<i32>
  func.return
}

func.func @set_dimension_size_quantized() {
  %operand_stored = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<4xi8>) -> tensor<4x!quant.uniform<i8:f32, 0.5:1>>
  %size = stablehlo.constant dense<3> : tensor<i32>
  %result = stablehlo.set_dimension_size %operand, %size, dim = 0 : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>, tensor<i32>) -> tensor<?x!quant.uniform<i8:f32, 0.5:1>, #stablehlo.bounds<4>>
  %length = stablehlo.get_dimension_size %result, dim = 0 : (tensor<?x!quant.uniform<i8:f32, 0.5:1>, #stablehlo.bounds<4>>) -> tensor<i32>
  check.expect_eq_const %length, dense<3> : tensor<i32>
  func.return
}
