func.func @dot_matrices() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %rhs = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  %result = stablehlo.dot %lhs, %rhs : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[19, 22], [43, 50]]> : tensor<2x2xi64>
  func.return
}

func.func @dot_vectors() {
  %lhs = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %rhs = stablehlo.constant dense<[0.5, -4.0]> : tensor<2xf64>
  %result = stablehlo.dot %lhs, %rhs, precision = [HIGHEST, HIGHEST] : (tensor<2xf64>, tensor<2xf64>) -> tensor<f64>
  check.expect_eq_const %result, dense<-7.5> : tensor<f64>
  func.return
}

func.func @dot_quantized() {
  %lhs_stored = stablehlo.constant dense<[[3, 5], [1, -1]]> : tensor<2x2xi8>
  %lhs = stablehlo.bitcast_convert %lhs_stored : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>
  %rhs_stored = stablehlo.constant dense<[[2, 4], [0, 6]]> : tensor<2x2xi8>
  %rhs = stablehlo.bitcast_convert %rhs_stored : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.dot %lhs, %rhs : (tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.125:3>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x2x!quant.uniform<i8:f32, 0.125:3>>) -> tensor<2x2xi8>
  check.expect_eq_const %stored, dense<[[-1, 55], [7, -17]]> : tensor<2x2xi8>
  func.return
}
