func.func @return_values_of_a_region() {
  %pred = stablehlo.constant dense<true> : tensor<i1>
  %first = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %second = stablehlo.constant dense<3.0> : tensor<f64>
  %result0, %result1 = "stablehlo.if"(%pred) ({
    stablehlo.return %first, %second : tensor<2xi64>, tensor<f64>
  }, {
    %zero = stablehlo.constant dense<0> : tensor<2xi64>
    stablehlo.return %zero, %second : tensor<2xi64>, tensor<f64>
  }) : (tensor<i1>) -> (tensor<2xi64>, tensor<f64>)
  check.expect_eq_const %result0, dense<[1, 2]> : tensor<2xi64>
  check.expect_eq_const %result1, dense<3.0> : tensor<f64>
  func.return
}
