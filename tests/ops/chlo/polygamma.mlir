func.func @polygamma_float() {
  %n = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf64>
  %x = stablehlo.constant dense<[1.5, 2.5, 0.5, 4.0]> : tensor<4xf64>
  %result = chlo.polygamma %n, %x : tensor<4xf64>, tensor<4xf64> -> tensor<4xf64>
  check.expect_almost_eq_const %result, dense<[0.03648997397857652, 0.49035775610023485, -16.82879664423432, 0.04486532819275507]> : tensor<4xf64>, tolerance = 1.0e-13
  func.return
}
