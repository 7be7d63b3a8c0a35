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
