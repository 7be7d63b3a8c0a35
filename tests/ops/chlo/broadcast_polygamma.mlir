func.func @broadcast_polygamma_scalar() {
  %lhs = stablehlo.constant dense<1.0> : tensor<f64>
  %rhs = stablehlo.constant dense<[1.5, 2.5]> : tensor<2xf64>
  %result = chlo.broadcast_polygamma %lhs, %rhs : (tensor<f64>, tensor<2xf64>) -> tensor<2xf64>
  check.expect_almost_eq_const %result, dense<[0.9348022005446793, 0.49035775610023485]> : tensor<2xf64>, tolerance = 1.0e-13
  func.return
}
