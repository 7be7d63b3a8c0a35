func.func @xor_spec_example() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %rhs = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %result = stablehlo.xor %lhs, %rhs : tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[4, 4], [4, 12]]> : tensor<2x2xi32>
  func.return
}

func.func @xor_spec_example_boolean() {
  %lhs = stablehlo.constant dense<[[false, false], [true, true]]> : tensor<2x2xi1>
  %rhs = stablehlo.constant dense<[[false, true], [false, true]]> : tensor<2x2xi1>
  %result = stablehlo.xor %lhs, %rhs : tensor<2x2xi1>
  check.expect_eq_const %result, dense<[[false, true], [true, false]]> : tensor<2x2xi1>
  func.return
}

func.func @xor_integer() {
  %lhs = stablehlo.constant dense<[-1, 240, 5]> : tensor<3xi64>
  %rhs = stablehlo.constant dense<[7, 255, 5]> : tensor<3xi64>
  %result = stablehlo.xor %lhs, %rhs : tensor<3xi64>
  check.expect_eq_const %result, dense<[-8, 15, 0]> : tensor<3xi64>
  func.return
}
