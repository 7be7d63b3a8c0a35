func.func @constant_elements() {
  %output = chlo.constant dense<[1, 2]> : tensor<2xi64>
  check.expect_eq_const %output, dense<[1, 2]> : tensor<2xi64>
  func.return
}
