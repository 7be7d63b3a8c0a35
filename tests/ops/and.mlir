func.func @and_spec_example() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %rhs = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %result = stablehlo.and %lhs, %rhs : tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[1, 2], [3, 0]]> : tensor<2x2xi32>
  func.return
}

func.func @and_integer() {
  %lhs = stablehlo.constant dense<[-1, 255, 0]> : tensor<3xi64>
  %rhs = stablehlo.constant dense<[7, -16, 5]> : tensor<3xi64>
  %result = stablehlo.and %lhs, %rhs : tensor<3xi64>
  check.expect_eq_const %result, dense<[7, 240, 0]> : tensor<3xi64>
  func.return
}

func.func @and_boolean() {
  %lhs = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %rhs = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %result = stablehlo.and %lhs, %rhs : tensor<4xi1>
  check.expect_eq_const %result, dense<[false, false, false, true]> : tensor<4xi1>
  func.return
}
