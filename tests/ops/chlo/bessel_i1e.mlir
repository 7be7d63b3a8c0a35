func.func @bessel_i1e_float() {
  %operand = stablehlo.constant dense<[-20.0, -0.5, 0.0, 1.0, 9.0]> : tensor<5xf64>
  %result = chlo.bessel_i1e %operand : tensor<5xf64> -> tensor<5xf64>
  %expected = stablehlo.constant dense<[-0.08750622218328867, -0.1564208031848717, 0.0, 0.20791041534970844, 0.1272249839358912]> : tensor<5xf64>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<5xf64>, tensor<5xf64>
  func.return
}

func.func @bessel_i1e_f32() {
  %operand = stablehlo.constant dense<[-2.0, 0.5, 30.0]> : tensor<3xf32>
  %result = chlo.bessel_i1e %operand : tensor<3xf32> -> tensor<3xf32>
  %expected = stablehlo.constant dense<[-0.21526928, 0.1564208, 0.07191633]> : tensor<3xf32>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<3xf32>, tensor<3xf32>
  func.return
}
