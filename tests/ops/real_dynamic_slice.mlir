func.func @real_dynamic_slice_bounds_are_operands() {
  %operand = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]> : tensor<3x4xi64>
  %start_indices = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %limit_indices = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
  %strides = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %result = stablehlo.real_dynamic_slice %operand, %start_indices, %limit_indices, %strides : (tensor<3x4xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[5, 8], [9, 12]]> : tensor<2x2xi64>
  func.return
}
