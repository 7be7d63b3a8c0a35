func.func @dynamic_update_slice_spec_example() {
  %operand = stablehlo.constant dense<[[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1], [1, 1, 1, 1]]> : tensor<4x4xi32>
  %update = stablehlo.constant dense<[[1, 1], [1, 1]]> : tensor<2x2xi32>
  %start_indices0 = stablehlo.constant dense<-1> : tensor<i64>
  %start_indices1 = stablehlo.constant dense<3> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start_indices0, %start_indices1 : (tensor<4x4xi32>, tensor<2x2xi32>, tensor<i64>, tensor<i64>) -> tensor<4x4xi32>
  check.expect_eq_const %result, dense<1> : tensor<4x4xi32>
  func.return
}

func.func @dynamic_update_slice_operand_stays() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %update = stablehlo.constant dense<[-1, -2]> : tensor<2xi64>
  %start_indices0 = stablehlo.constant dense<1> : tensor<i32>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start_indices0 : (tensor<4xi64>, tensor<2xi64>, tensor<i32>) -> tensor<4xi64>
  check.expect_eq_const %result, dense<[1, -1, -2, 4]> : tensor<4xi64>
  check.expect_eq_const %operand, dense<[1, 2, 3, 4]> : tensor<4xi64>
  func.return
}

func.func @dynamic_update_slice_quantized() {
  %operand_stored = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<2x3xi8>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>
  %update_stored = stablehlo.constant dense<[[8, 9]]> : tensor<1x2xi8>
  %update = stablehlo.bitcast_convert %update_stored : (tensor<1x2xi8>) -> tensor<1x2x!quant.uniform<i8:f32, 0.5:1>>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %result = stablehlo.dynamic_update_slice %operand, %update, %one, %zero : (tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>, tensor<1x2x!quant.uniform<i8:f32, 0.5:1>>, tensor<i32>, tensor<i32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x3xi8>
  check.expect_eq_const %stored, dense<[[1, 2, 3], [8, 9, 6]]> : tensor<2x3xi8>
  func.return
}
