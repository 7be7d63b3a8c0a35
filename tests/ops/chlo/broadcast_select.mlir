func.func @broadcast_select_scalar_predicate_and_vector() {
  %pred = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %on_true = stablehlo.constant dense<1> : tensor<i64>
  %on_false = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  %result = chlo.broadcast_select %pred, %on_true, %on_false : (tensor<2xi1>, tensor<i64>, tensor<2x2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[1, 6], [1, 8]]> : tensor<2x2xi64>
  func.return
}
