func.func @tan_float() {
  %operand = stablehlo.constant dense<[-2.0, 0.0, 0.5, 100.0]> : tensor<4xf64>
  %result = chlo.tan %operand : tensor<4xf64> -> tensor<4xf64>
  %expected = stablehlo.constant dense<[2.185039863261519, 0.0, 0.5463024898437905, -0.5872139151569291]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<4xf64>, tensor<4xf64>
  func.return
}

func.func @tan_complex() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-2.0, 0.25), (3.0, -4.0)]> : tensor<3xcomplex<f64>>
  %result = chlo.tan %operand : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.195577310065934, 0.8429662048457832), (1.5966892107707558, 1.099398135211779), (-0.00018734620462947842, -0.9993559873814731)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  func.return
}
