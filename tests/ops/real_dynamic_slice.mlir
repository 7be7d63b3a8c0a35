// The specification has no example.

func.func @real_dynamic_slice_bounds_are_operands() {
  %operand = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]> : tensor<3x4xi64>
  %start_indices = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %limit_indices = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
  %strides = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %result = stablehlo.real_dynamic_slice %operand, %start_indices, %limit_indices, %strides : (tensor<3x4xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[5, 8], [9, 12]]> : tensor<2x2xi64>
  func.return
}

func.func @real_dynamic_slice_quantized() {
  %operand_stored = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<4xi8>) -> tensor<4x!quant.uniform<i8:f32, 0.5:1>>
  %start_indices = stablehlo.constant dense<[1]> : tensor<1xi64>
  %limit_indices = stablehlo.constant dense<[4]> : tensor<1xi64>
  %strides = stablehlo.constant dense<[2]> : tensor<1xi64>
  %result = stablehlo.real_dynamic_slice %operand, %start_indices, %limit_indices, %strides : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[2, 4]> : tensor<2xi8>
  func.return
}
