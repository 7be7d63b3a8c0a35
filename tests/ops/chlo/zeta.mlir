func.func @zeta_float() {
  %x = stablehlo.constant dense<[2.0, 3.5, 10.0]> : tensor<3xf64>
  %q = stablehlo.constant dense<[1.0, 2.5, 0.5]> : tensor<3xf64>
  %result = chlo.zeta %x, %q : tensor<3xf64>, tensor<3xf64> -> tensor<3xf64>
  %expected = stablehlo.constant dense<[1.6449340668482264, 0.06517125158965971, 1024.017450355758]> : tensor<3xf64>
  check.expect_close %result, %expected, max_ulp_difference = 8 : tensor<3xf64>, tensor<3xf64>
  func.return
}
