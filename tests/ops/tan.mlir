func.func @tan_float() {
  %operand = stablehlo.constant dense<[0.0, 0.5, -2.0, 100.0]> : tensor<4xf64>
  %result = stablehlo.tan %operand : tensor<4xf64>
  %expected = stablehlo.constant dense<[0.0, 0.5463024898437905, 2.185039863261519, -0.5872139151569291]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<4xf64>, tensor<4xf64>
  func.return
}

func.func @tan_complex() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-2.0, 0.25)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.tan %operand : tensor<2xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.195577310065934, 0.8429662048457832), (1.5966892107707558, 1.099398135211779)]> : tensor<2xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}

func.func @tan_quantized() {
  %operand_stored = stablehlo.constant dense<[-7, 0, 1, 2, 9]> : tensor<5xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.tan %operand : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<5x!quant.uniform<i8:f32, 0.25:-2>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[-7, -4, -2, 0, 3]> : tensor<5xi8>
  func.return
}
