func.func @cosh_float() {
  %operand = stablehlo.constant dense<[-2.0, 0.0, 10.0]> : tensor<3xf64>
  %result = chlo.cosh %operand : tensor<3xf64> -> tensor<3xf64>
  %expected = stablehlo.constant dense<[3.7621956910836314, 1.0, 11013.232920103323]> : tensor<3xf64>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<3xf64>, tensor<3xf64>
  func.return
}

func.func @cosh_limits() {
  %operand = stablehlo.constant dense<[0xFFF0000000000000, 1000.0]> : tensor<2xf64>
  %result = chlo.cosh %operand : tensor<2xf64> -> tensor<2xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF0000000000000, 0x7FF0000000000000]> : tensor<2xf64>
  func.return
}

func.func @cosh_complex() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-2.0, 0.25), (3.0, -4.0)]> : tensor<3xcomplex<f64>>
  %result = chlo.cosh %operand : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.6092589091577942, 0.43848657989259526), (3.645238137997194, -0.8972996245648263), (-6.580663040551157, 7.581552742746545)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  func.return
}
