func.func @erfc_float() {
  %operand = stablehlo.constant dense<[-2.0, -0.5, 0.0, 1.0, 10.0]> : tensor<5xf64>
  %result = chlo.erfc %operand : tensor<5xf64> -> tensor<5xf64>
  %expected = stablehlo.constant dense<[1.9953222650189528, 1.5204998778130465, 1.0, 0.15729920705028513, 2.088487583762545e-45]> : tensor<5xf64>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<5xf64>, tensor<5xf64>
  func.return
}

func.func @erfc_f32() {
  %operand = stablehlo.constant dense<[-2.0, 0.25, 5.0]> : tensor<3xf32>
  %result = chlo.erfc %operand : tensor<3xf32> -> tensor<3xf32>
  %expected = stablehlo.constant dense<[1.9953222, 0.7236736, 1.5374598295869735e-12]> : tensor<3xf32>
  check.expect_close %result, %expected, max_ulp_difference = 8 : tensor<3xf32>, tensor<3xf32>
  func.return
}

func.func @erfc_limits() {
  %operand = stablehlo.constant dense<[0xFFF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  %result = chlo.erfc %operand : tensor<3xf64> -> tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[2.0, 0.0, 0x7FF8000000000000]> : tensor<3xf64>
  func.return
}
