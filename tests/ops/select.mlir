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

func.func @select_many_elements() {
  %place = stablehlo.iota dim = 0 : tensor<5000xi64>
  %two = stablehlo.constant dense<2> : tensor<5000xi64>
  %rest = stablehlo.remainder %place, %two : tensor<5000xi64>
  %zero = stablehlo.constant dense<0> : tensor<5000xi64>
  %pred = stablehlo.compare EQ, %rest, %zero : (tensor<5000xi64>, tensor<5000xi64>) -> tensor<5000xi1>
  %on_true = stablehlo.constant dense<1.5> : tensor<5000xf64>
  %on_false = stablehlo.constant dense<-0.5> : tensor<5000xf64>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<5000xi1>, tensor<5000xf64>
  %init_value = stablehlo.constant dense<0.0> : tensor<f64>
  %sum = stablehlo.reduce(%result init: %init_value) applies stablehlo.add across dimensions = [0] : (tensor<5000xf64>, tensor<f64>) -> tensor<f64>
  check.expect_eq_const %sum, dense<2500.0> : tensor<f64>
  %first = stablehlo.slice %result [0:3] : (tensor<5000xf64>) -> tensor<3xf64>
  check.expect_eq_const %first, dense<[1.5, -0.5, 1.5]> : tensor<3xf64>
  func.return
}

func.func @select_quantized() {
  %pred = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %on_true_stored = stablehlo.constant dense<[1, 3, 5]> : tensor<3xi8>
  %on_true = stablehlo.bitcast_convert %on_true_stored : (tensor<3xi8>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %on_false_stored = stablehlo.constant dense<[2, 0, 6]> : tensor<3xi8>
  %on_false = stablehlo.bitcast_convert %on_false_stored : (tensor<3xi8>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<3xi1>, tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[1, 0, 5]> : tensor<3xi8>
  func.return
}
