func.func @constant_like_float() {
  %operand = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
  %result = "chlo.constant_like"(%operand) <{value = 3.25 : f64}> : (tensor<1x2xi64>) -> tensor<1x2xf64>
  check.expect_eq_const %result, dense<3.25> : tensor<1x2xf64>
  func.return
}

func.func @constant_like_integer() {
  %operand = stablehlo.constant dense<1.0> : tensor<f64>
  %result = "chlo.constant_like"(%operand) <{value = -7 : i64}> : (tensor<f64>) -> tensor<i64>
  check.expect_eq_const %result, dense<-7> : tensor<i64>
  func.return
}
