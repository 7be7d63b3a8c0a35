func.func @bitcast_convert_spec_example() {
  %operand = stablehlo.constant dense<0x0123456789ABCDEF> : tensor<f64>
  %result = stablehlo.bitcast_convert %operand : (tensor<f64>) -> tensor<4xf16>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf16>) -> tensor<4xui16>
  check.expect_eq_const %bits, dense<[0xCDEF, 0x89AB, 0x4567, 0x0123]> : tensor<4xui16>
  func.return
}

func.func @bitcast_convert_same_width() {
  %operand = stablehlo.constant dense<[1.0, -0.0]> : tensor<2xf32>
  %result = stablehlo.bitcast_convert %operand : (tensor<2xf32>) -> tensor<2xui32>
  check.expect_eq_const %result, dense<[0x3F800000, 0x80000000]> : tensor<2xui32>
  func.return
}

func.func @bitcast_convert_to_larger() {
  %operand = stablehlo.constant dense<[[0x00, 0x00, 0x80, 0x3F], [0x00, 0x00, 0x00, 0xC0]]> : tensor<2x4xui8>
  %result = stablehlo.bitcast_convert %operand : (tensor<2x4xui8>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[1.0, -2.0]> : tensor<2xf32>
  func.return
}

func.func @bitcast_convert_narrow_to_larger() {
  %operand = stablehlo.constant dense<[[2, 1], [-1, 0]]> : tensor<2x2xi4>
  %result = stablehlo.bitcast_convert %operand : (tensor<2x2xi4>) -> tensor<2xui8>
  check.expect_eq_const %result, dense<[0x12, 0x0F]> : tensor<2xui8>
  func.return
}

func.func @bitcast_convert_to_narrow() {
  %operand = stablehlo.constant dense<[0x12, 0xF8]> : tensor<2xui8>
  %result = stablehlo.bitcast_convert %operand : (tensor<2xui8>) -> tensor<2x2xi4>
  check.expect_eq_const %result, dense<[[2, 1], [-8, -1]]> : tensor<2x2xi4>
  func.return
}

// The bits stay, and stand for other numbers.
func.func @bitcast_convert_quantized() {
  %operand = stablehlo.constant dense<[-7, 9]> : tensor<2xi8>
  %quantized = stablehlo.bitcast_convert %operand : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %other = stablehlo.bitcast_convert %quantized : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i8:f32, 0.25:0>>
  %result = stablehlo.uniform_dequantize %other : (tensor<2x!quant.uniform<i8:f32, 0.25:0>>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[-1.75, 2.25]> : tensor<2xf32>
  func.return
}
