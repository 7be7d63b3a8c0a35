func.func @is_finite_spec_example() {
  %x = stablehlo.constant dense<[0xFFF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000, -10.0, -0.0, 0.0, 10.0]> : tensor<7xf64>
  %result = stablehlo.is_finite %x : (tensor<7xf64>) -> tensor<7xi1>
  check.expect_eq_const %result, dense<[false, false, false, true, true, true, true]> : tensor<7xi1>
  func.return
}

func.func @is_finite_quantized() {
  %x_stored = stablehlo.constant dense<[-128, 0, 127]> : tensor<3xi8>
  %x = stablehlo.bitcast_convert %x_stored : (tensor<3xi8>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.is_finite %x : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3xi1>
  check.expect_eq_const %result, dense<[true, true, true]> : tensor<3xi1>
  func.return
}
