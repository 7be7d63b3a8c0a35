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
