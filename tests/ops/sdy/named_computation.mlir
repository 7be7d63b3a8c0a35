func.func @named_computation_gives_what_its_region_returns() {
  %operand = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %result = sdy.named_computation<"twice">(%operand) (%arg: tensor<2xi64>) {
    %sum = stablehlo.add %arg, %arg : tensor<2xi64>
    sdy.return %sum : tensor<2xi64>
  } : (tensor<2xi64>) -> tensor<2xi64>
  check.expect_eq_const %result, dense<[2, 4]> : tensor<2xi64>
  func.return
}
