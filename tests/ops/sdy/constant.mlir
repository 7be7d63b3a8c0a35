func.func @constant_is_its_elements() {
  %result = sdy.constant dense<[1.5, -2.0]> : tensor<2xf32>
  check.expect_eq_const %result, dense<[1.5, -2.0]> : tensor<2xf32>
  func.return
}
