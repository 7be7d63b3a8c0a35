func.func @print_leaves_its_operand() {
  %operand = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  interpreter.print %operand : tensor<2xi64>
  check.expect_eq_const %operand, dense<[1, 2]> : tensor<2xi64>
  func.return
}
