func.func @torch_index_select_rows() {
  %operand = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %index = stablehlo.constant dense<[2, 0, 2]> : tensor<3xi64>
  %result = "stablehlo.torch_index_select"(%operand, %index) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<3x2xi64>, tensor<3xi64>) -> tensor<3x2xi64>
  check.expect_eq_const %result, dense<[[5, 6], [1, 2], [5, 6]]> : tensor<3x2xi64>
  func.return
}

func.func @torch_index_select_batches() {
  %operand = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
  %index = stablehlo.constant dense<[[2, 0], [1, 1]]> : tensor<2x2xi32>
  %result = "stablehlo.torch_index_select"(%operand, %index) <{batch_dims = 1 : i64, dim = 1 : i64}> : (tensor<2x3xf64>, tensor<2x2xi32>) -> tensor<2x2xf64>
  check.expect_eq_const %result, dense<[[3.0, 1.0], [5.0, 5.0]]> : tensor<2x2xf64>
  func.return
}
