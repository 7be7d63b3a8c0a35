func.func @dynamic_conv_padding_is_an_operand() {
  %lhs = stablehlo.constant dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf64>
  %rhs = stablehlo.constant dense<[[[1.0, 10.0]]]> : tensor<1x1x2xf64>
  %padding = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  %result = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64}> : (tensor<1x1x3xf64>, tensor<1x1x2xf64>, tensor<1x2xi64>) -> tensor<1x1x3xf64>
  check.expect_eq_const %result, dense<[[[10.0, 21.0, 32.0]]]> : tensor<1x1x3xf64>
  func.return
}
