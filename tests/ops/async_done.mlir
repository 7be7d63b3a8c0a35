// The specification's example: async_start.mlir

func.func @async_done_after_other_operations() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %future = "stablehlo.async_start"(%operand) ({
  ^bb0(%arg0: tensor<3xf64>):
    %sliced = stablehlo.slice %arg0 [1:3] : (tensor<3xf64>) -> tensor<2xf64>
    stablehlo.return %sliced : tensor<2xf64>
  }) : (tensor<3xf64>) -> !stablehlo.future<tensor<2xf64>>
  %other = stablehlo.negate %operand : tensor<3xf64>
  %result = "stablehlo.async_done"(%future) : (!stablehlo.future<tensor<2xf64>>) -> tensor<2xf64>
  check.expect_eq_const %result, dense<[2.0, 3.0]> : tensor<2xf64>
  check.expect_eq_const %other, dense<[-1.0, -2.0, -3.0]> : tensor<3xf64>
  func.return
}
