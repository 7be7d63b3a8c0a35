func.func @dynamic_slice_spec_example() {
  %operand = stablehlo.constant dense<[[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0]]> : tensor<4x4xi32>
  %start_indices0 = stablehlo.constant dense<-1> : tensor<i64>
  %start_indices1 = stablehlo.constant dense<3> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start_indices0, %start_indices1, sizes = [2, 2] : (tensor<4x4xi32>, tensor<i64>, tensor<i64>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[1, 1], [1, 1]]> : tensor<2x2xi32>
  func.return
}

func.func @dynamic_slice_inside() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %start_indices0 = stablehlo.constant dense<1> : tensor<ui8>
  %result = stablehlo.dynamic_slice %operand, %start_indices0, sizes = [2] : (tensor<4xf64>, tensor<ui8>) -> tensor<2xf64>
  check.expect_eq_const %result, dense<[2.0, 3.0]> : tensor<2xf64>
  func.return
}

func.func @dynamic_slice_quantized() {
  %operand_stored = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<2x3xi8>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %result = stablehlo.dynamic_slice %operand, %zero, %one, sizes = [2, 1] : (tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>, tensor<i32>, tensor<i32>) -> tensor<2x1x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x1x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x1xi8>
  check.expect_eq_const %stored, dense<[[2], [5]]> : tensor<2x1xi8>
  func.return
}
