func.func @logistic_spec_example() {
  %operand = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf64>
  %result = stablehlo.logistic %operand : tensor<2x2xf64>
  %expected = stablehlo.constant dense<[[0.5, 0.7310585786300049], [0.8807970779778824, 0.9525741268224333]]> : tensor<2x2xf64>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<2x2xf64>, tensor<2x2xf64>
  func.return
}

func.func @logistic_extremes() {
  %operand = stablehlo.constant dense<[0xFFF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  %result = stablehlo.logistic %operand : tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[0.0, 1.0, 0x7FF8000000000000]> : tensor<3xf64>
  func.return
}

func.func @logistic_complex() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-2.0, 0.25)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.logistic %operand : tensor<2xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.6562103462512944, 0.252250351349282), (0.11670074733243299, 0.026146512968650146)]> : tensor<2xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}

func.func @logistic_quantized() {
  %operand_stored = stablehlo.constant dense<[-7, 0, 1, 2, 9]> : tensor<5xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.logistic %operand : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<5x!quant.uniform<i8:f32, 0.25:-2>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[-2, 0, 0, 0, 2]> : tensor<5xi8>
  func.return
}
