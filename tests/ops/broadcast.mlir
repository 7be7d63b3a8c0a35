func.func @broadcast_leading_dimensions() {
  %operand = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %result = stablehlo.broadcast %operand, sizes = [1, 3] : (tensor<2xi64>) -> tensor<1x3x2xi64>
  check.expect_eq_const %result, dense<[[[1, 2], [1, 2], [1, 2]]]> : tensor<1x3x2xi64>
  func.return
}
