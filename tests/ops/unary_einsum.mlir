func.func @unary_einsum_sum_and_transpose() {
  %operand = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]]]> : tensor<1x2x2xf64>
  %result = stablehlo.unary_einsum %operand, config = "abc->ca" : (tensor<1x2x2xf64>) -> tensor<2x1xf64>
  check.expect_eq_const %result, dense<[[4.0], [6.0]]> : tensor<2x1xf64>
  func.return
}
