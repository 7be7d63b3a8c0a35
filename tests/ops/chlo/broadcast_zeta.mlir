func.func @broadcast_zeta_scalar() {
  %lhs = stablehlo.constant dense<2.0> : tensor<f64>
  %rhs = stablehlo.constant dense<[1.0, 2.5]> : tensor<2xf64>
  %result = chlo.broadcast_zeta %lhs, %rhs : (tensor<f64>, tensor<2xf64>) -> tensor<2xf64>
  %expected = stablehlo.constant dense<[1.6449340668482264, 0.49035775610023485]> : tensor<2xf64>
  check.expect_close %result, %expected, max_ulp_difference = 8 : tensor<2xf64>, tensor<2xf64>
  func.return
}
