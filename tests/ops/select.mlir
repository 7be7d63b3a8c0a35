func.func @select_spec_example() {
  %pred = stablehlo.constant dense<[[false, true], [true, false]]> : tensor<2x2xi1>
  %on_true = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %on_false = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<2x2xi1>, tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[5, 2], [3, 8]]> : tensor<2x2xi32>
  func.return
}

func.func @select_scalar_predicate() {
  %pred = stablehlo.constant dense<false> : tensor<i1>
  %on_true = stablehlo.constant dense<[1.5, 2.5]> : tensor<2xf64>
  %on_false = stablehlo.constant dense<[3.5, 4.5]> : tensor<2xf64>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<i1>, tensor<2xf64>
  check.expect_eq_const %result, dense<[3.5, 4.5]> : tensor<2xf64>
  func.return
}

func.func @select_complex() {
  %pred = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %on_true = stablehlo.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>
  %on_false = stablehlo.constant dense<(0.0, -1.0)> : tensor<2xcomplex<f64>>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<2xi1>, tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f64>>
  func.return
}
