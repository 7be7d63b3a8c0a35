func.func @sign_spec_example() {
  %operand = stablehlo.constant dense<[0x7FFFFFFFFFFFFFFF, -1.0, -0.0, 0.0, 1.0]> : tensor<5xf64>
  %result = stablehlo.sign %operand : tensor<5xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<5xf64>) -> tensor<5xui64>
  check.expect_eq_const %bits, dense<[0x7FFFFFFFFFFFFFFF, 0xBFF0000000000000, 0x8000000000000000, 0, 0x3FF0000000000000]> : tensor<5xui64>
  func.return
}

func.func @sign_float() {
  %operand = stablehlo.constant dense<[0xFFF0000000000000, -2.5, 3.0e-300, 0x7FF0000000000000]> : tensor<4xf64>
  %result = stablehlo.sign %operand : tensor<4xf64>
  check.expect_eq_const %result, dense<[-1.0, -1.0, 1.0, 1.0]> : tensor<4xf64>
  func.return
}

func.func @sign_integer() {
  %operand = stablehlo.constant dense<[-7, 0, 9223372036854775807]> : tensor<3xi64>
  %result = stablehlo.sign %operand : tensor<3xi64>
  check.expect_eq_const %result, dense<[-1, 0, 1]> : tensor<3xi64>
  func.return
}

func.func @sign_complex() {
  %operand = stablehlo.constant dense<[(3.0, -4.0), (0.0, 0.0), (-2.0, 0.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.sign %operand : tensor<3xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.6, -0.8), (0.0, 0.0), (-1.0, 0.0)]> : tensor<3xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>
  func.return
}

func.func @sign_complex_infinite() {
  %operand = stablehlo.constant dense<[(0.0, 0xFF800000), (0x7F800000, 1.0), (3.0, 4.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.sign %operand : tensor<3xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.0, 0x7FC00000), (0x7FC00000, 0.0), (0.6, 0.8)]> : tensor<3xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>
  func.return
}

func.func @sign_quantized() {
  %operand_stored = stablehlo.constant dense<[-7, 0, 1, 2, 9]> : tensor<5xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.sign %operand : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<5x!quant.uniform<i8:f32, 0.25:-2>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[-6, -6, -2, 2, 2]> : tensor<5xi8>
  func.return
}
