func.func @uniform_quantize_spec_example() {
  %operand = stablehlo.constant dense<[4.0, 15.0]> : tensor<2xf32>
  %result = stablehlo.uniform_quantize %operand : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1:-30, 0.5:-20}>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32:0, {0.1:-30, 0.5:-20}>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[10, 10]> : tensor<2xi8>
  func.return
}

func.func @uniform_quantize_other_scales_spec_example() {
  %operand_stored = stablehlo.constant dense<[10, 10]> : tensor<2xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1:-30, 0.5:-20}>>
  %result = stablehlo.uniform_quantize %operand : (tensor<2x!quant.uniform<i8:f32:0, {0.1:-30, 0.5:-20}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1:-20, 0.2:-30}>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32:0, {0.1:-20, 0.2:-30}>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[20, 45]> : tensor<2xi8>
  func.return
}

// The nearest even integer, before the zero point is added.
func.func @uniform_quantize_rounds_to_even() {
  %operand = stablehlo.constant dense<[1.25, 1.75, -1.25, 0.6, 0.0, -0.5]> : tensor<6xf32>
  %result = stablehlo.uniform_quantize %operand : (tensor<6xf32>) -> tensor<6x!quant.uniform<i8:f32, 0.5:2>>
  %stored = stablehlo.bitcast_convert %result : (tensor<6x!quant.uniform<i8:f32, 0.5:2>>) -> tensor<6xi8>
  check.expect_eq_const %stored, dense<[4, 6, 0, 3, 2, 1]> : tensor<6xi8>
  func.return
}

func.func @uniform_quantize_stays_in_the_range_of_storage() {
  %operand = stablehlo.constant dense<[0x7F800000, 0xFF800000, 1.0e10, -1.0e10, 5.0, 2.0]> : tensor<6xf32>
  %result = stablehlo.uniform_quantize %operand : (tensor<6xf32>) -> tensor<6x!quant.uniform<i8<-4:7>:f32, 1.0:4>>
  %stored = stablehlo.bitcast_convert %result : (tensor<6x!quant.uniform<i8<-4:7>:f32, 1.0:4>>) -> tensor<6xi8>
  check.expect_eq_const %stored, dense<[7, -4, 7, -4, 7, 6]> : tensor<6xi8>
  func.return
}

func.func @uniform_quantize_wide_storage() {
  %operand = stablehlo.constant dense<[1.0e10, -3.0e9, 16777216.0]> : tensor<3xf32>
  %result = stablehlo.uniform_quantize %operand : (tensor<3xf32>) -> tensor<3x!quant.uniform<i32:f32, 1.0:0>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i32:f32, 1.0:0>>) -> tensor<3xi32>
  check.expect_eq_const %stored, dense<[2147483647, -2147483648, 16777216]> : tensor<3xi32>
  func.return
}
