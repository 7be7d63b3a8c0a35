func.func @next_after_float() {
  %x = stablehlo.constant dense<[1.0, 1.0, 0.0, -0.0, 1.0]> : tensor<5xf64>
  %y = stablehlo.constant dense<[2.0, 0.0, 1.0, -1.0, 1.0]> : tensor<5xf64>
  %result = chlo.next_after %x, %y : tensor<5xf64>, tensor<5xf64> -> tensor<5xf64>
  %expected = stablehlo.constant dense<[1.0000000000000002, 0.9999999999999999, 5.0e-324, -5.0e-324, 1.0]> : tensor<5xf64>
  check.expect_close %result, %expected, max_ulp_difference = 0 : tensor<5xf64>, tensor<5xf64>
  func.return
}

func.func @next_after_half() {
  %x = stablehlo.constant dense<[1.0, 0.0, 2.0]> : tensor<3xf16>
  %y = stablehlo.constant dense<[2.0, 1.0, 2.0]> : tensor<3xf16>
  %result = chlo.next_after %x, %y : tensor<3xf16>, tensor<3xf16> -> tensor<3xf16>
  %expected = stablehlo.constant dense<[1.0009766, 5.960464477539063e-8, 2.0]> : tensor<3xf16>
  check.expect_close %result, %expected, max_ulp_difference = 0 : tensor<3xf16>, tensor<3xf16>
  func.return
}
