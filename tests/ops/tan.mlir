// The specification states the tangents of the numbers of f64 nearest to 0, pi/2, pi and 3pi/2, in place of
// the numbers of eight decimals that it gives; that of the third is -1.22e-16.
func.func @tan_spec_example() {
  %operand = stablehlo.constant dense<[[0.0, 1.5707963267948966], [3.141592653589793, 4.71238898038469]]> : tensor<2x2xf64>
  %result = stablehlo.tan %operand : tensor<2x2xf64>
  %expected = stablehlo.constant dense<[[0.0, 1.633123935319537e+16], [-1.2246467991473532e-16, 5.443746451065123e+15]]> : tensor<2x2xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<2x2xf64>, tensor<2x2xf64>
  func.return
}

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
