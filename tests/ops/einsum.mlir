func.func @einsum_matrices() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %rhs = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  %result = stablehlo.einsum %lhs, %rhs, config = "ab,cb->ca" : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[17, 39], [23, 53]]> : tensor<2x2xi64>
  func.return
}

func.func @einsum_batches() {
  %lhs = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %rhs = stablehlo.constant dense<[[0.5, 1.0], [2.0, -1.0]]> : tensor<2x2xf64>
  %result = stablehlo.einsum %lhs, %rhs, config = "bi,bi->b" : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2xf64>
  check.expect_eq_const %result, dense<[2.5, 2.0]> : tensor<2xf64>
  func.return
}
