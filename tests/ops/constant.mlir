func.func @constant_spec_example() {
  %output = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  check.expect_eq_const %output, dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  func.return
}

func.func @constant_i1() {
  %output = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %number = stablehlo.convert %output : (tensor<2xi1>) -> tensor<2xi32>
  check.expect_eq_const %number, dense<[1, 0]> : tensor<2xi32>
  func.return
}

func.func @constant_i2() {
  %output = stablehlo.constant dense<[-2, 1, 1]> : tensor<3xi2>
  %wide = stablehlo.convert %output : (tensor<3xi2>) -> tensor<3xi64>
  check.expect_eq_const %wide, dense<[-2, 1, 1]> : tensor<3xi64>
  func.return
}

func.func @constant_ui2() {
  %output = stablehlo.constant dense<[0, 1, 3]> : tensor<3xui2>
  %wide = stablehlo.convert %output : (tensor<3xui2>) -> tensor<3xi64>
  check.expect_eq_const %wide, dense<[0, 1, 3]> : tensor<3xi64>
  func.return
}

func.func @constant_i4() {
  %output = stablehlo.constant dense<[-8, 1, 7]> : tensor<3xi4>
  %wide = stablehlo.convert %output : (tensor<3xi4>) -> tensor<3xi64>
  check.expect_eq_const %wide, dense<[-8, 1, 7]> : tensor<3xi64>
  func.return
}

func.func @constant_ui4() {
  %output = stablehlo.constant dense<[0, 1, 15]> : tensor<3xui4>
  %wide = stablehlo.convert %output : (tensor<3xui4>) -> tensor<3xi64>
  check.expect_eq_const %wide, dense<[0, 1, 15]> : tensor<3xi64>
  func.return
}

func.func @constant_i8() {
  %output = stablehlo.constant dense<[-128, 1, 127]> : tensor<3xi8>
  %wide = stablehlo.convert %output : (tensor<3xi8>) -> tensor<3xi64>
  check.expect_eq_const %wide, dense<[-128, 1, 127]> : tensor<3xi64>
  func.return
}

func.func @constant_ui8() {
  %output = stablehlo.constant dense<[0, 1, 255]> : tensor<3xui8>
  %wide = stablehlo.convert %output : (tensor<3xui8>) -> tensor<3xi64>
  check.expect_eq_const %wide, dense<[0, 1, 255]> : tensor<3xi64>
  func.return
}

func.func @constant_i16() {
  %output = stablehlo.constant dense<[-32768, 1, 32767]> : tensor<3xi16>
  %wide = stablehlo.convert %output : (tensor<3xi16>) -> tensor<3xi64>
  check.expect_eq_const %wide, dense<[-32768, 1, 32767]> : tensor<3xi64>
  func.return
}

func.func @constant_ui16() {
  %output = stablehlo.constant dense<[0, 1, 65535]> : tensor<3xui16>
  %wide = stablehlo.convert %output : (tensor<3xui16>) -> tensor<3xi64>
  check.expect_eq_const %wide, dense<[0, 1, 65535]> : tensor<3xi64>
  func.return
}

func.func @constant_i32() {
  %output = stablehlo.constant dense<[-2147483648, 1, 2147483647]> : tensor<3xi32>
  %wide = stablehlo.convert %output : (tensor<3xi32>) -> tensor<3xi64>
  check.expect_eq_const %wide, dense<[-2147483648, 1, 2147483647]> : tensor<3xi64>
  func.return
}

func.func @constant_ui32() {
  %output = stablehlo.constant dense<[0, 1, 4294967295]> : tensor<3xui32>
  %wide = stablehlo.convert %output : (tensor<3xui32>) -> tensor<3xi64>
  check.expect_eq_const %wide, dense<[0, 1, 4294967295]> : tensor<3xi64>
  func.return
}

func.func @constant_i64() {
  %output = stablehlo.constant dense<[-9223372036854775808, 1, 9223372036854775807]> : tensor<3xi64>
  %wide = stablehlo.convert %output : (tensor<3xi64>) -> tensor<3xi64>
  check.expect_eq_const %wide, dense<[-9223372036854775808, 1, 9223372036854775807]> : tensor<3xi64>
  func.return
}

func.func @constant_ui64() {
  %output = stablehlo.constant dense<[0, 1, 18446744073709551615]> : tensor<3xui64>
  %half = stablehlo.constant dense<2> : tensor<3xui64>
  %quotient = stablehlo.divide %output, %half : tensor<3xui64>
  check.expect_eq_const %quotient, dense<[0, 0, 9223372036854775807]> : tensor<3xui64>
  func.return
}

// The greatest number, one that needs a bit of the mantissa, and the least above zero.
func.func @constant_f4E2M1FN() {
  %output = stablehlo.constant dense<[6.0, -1.5, 0.5]> : tensor<3xf4E2M1FN>
  %wide = stablehlo.convert %output : (tensor<3xf4E2M1FN>) -> tensor<3xf64>
  check.expect_eq_const %wide, dense<[6.0, -1.5, 0.5]> : tensor<3xf64>
  func.return
}

func.func @constant_f6E2M3FN() {
  %output = stablehlo.constant dense<[7.5, -1.5, 0.125]> : tensor<3xf6E2M3FN>
  %wide = stablehlo.convert %output : (tensor<3xf6E2M3FN>) -> tensor<3xf64>
  check.expect_eq_const %wide, dense<[7.5, -1.5, 0.125]> : tensor<3xf64>
  func.return
}

func.func @constant_f6E3M2FN() {
  %output = stablehlo.constant dense<[28.0, -1.5, 0.0625]> : tensor<3xf6E3M2FN>
  %wide = stablehlo.convert %output : (tensor<3xf6E3M2FN>) -> tensor<3xf64>
  check.expect_eq_const %wide, dense<[28.0, -1.5, 0.0625]> : tensor<3xf64>
  func.return
}

func.func @constant_f8E3M4() {
  %output = stablehlo.constant dense<[15.5, -1.5, 0.015625]> : tensor<3xf8E3M4>
  %wide = stablehlo.convert %output : (tensor<3xf8E3M4>) -> tensor<3xf64>
  check.expect_eq_const %wide, dense<[15.5, -1.5, 0.015625]> : tensor<3xf64>
  func.return
}

func.func @constant_f8E4M3() {
  %output = stablehlo.constant dense<[240.0, -1.5, 0.001953125]> : tensor<3xf8E4M3>
  %wide = stablehlo.convert %output : (tensor<3xf8E4M3>) -> tensor<3xf64>
  check.expect_eq_const %wide, dense<[240.0, -1.5, 0.001953125]> : tensor<3xf64>
  func.return
}

func.func @constant_f8E4M3FN() {
  %output = stablehlo.constant dense<[448.0, -1.5, 0.001953125]> : tensor<3xf8E4M3FN>
  %wide = stablehlo.convert %output : (tensor<3xf8E4M3FN>) -> tensor<3xf64>
  check.expect_eq_const %wide, dense<[448.0, -1.5, 0.001953125]> : tensor<3xf64>
  func.return
}

func.func @constant_f8E4M3FNUZ() {
  %output = stablehlo.constant dense<[240.0, -1.5, 9.765625E-4]> : tensor<3xf8E4M3FNUZ>
  %wide = stablehlo.convert %output : (tensor<3xf8E4M3FNUZ>) -> tensor<3xf64>
  check.expect_eq_const %wide, dense<[240.0, -1.5, 9.765625E-4]> : tensor<3xf64>
  func.return
}

func.func @constant_f8E4M3B11FNUZ() {
  %output = stablehlo.constant dense<[30.0, -1.5, 1.220703125E-4]> : tensor<3xf8E4M3B11FNUZ>
  %wide = stablehlo.convert %output : (tensor<3xf8E4M3B11FNUZ>) -> tensor<3xf64>
  check.expect_eq_const %wide, dense<[30.0, -1.5, 1.220703125E-4]> : tensor<3xf64>
  func.return
}

func.func @constant_f8E5M2() {
  %output = stablehlo.constant dense<[57344.0, -1.5, 1.52587890625E-5]> : tensor<3xf8E5M2>
  %wide = stablehlo.convert %output : (tensor<3xf8E5M2>) -> tensor<3xf64>
  check.expect_eq_const %wide, dense<[57344.0, -1.5, 1.52587890625E-5]> : tensor<3xf64>
  func.return
}

func.func @constant_f8E5M2FNUZ() {
  %output = stablehlo.constant dense<[57344.0, -1.5, 7.62939453125E-6]> : tensor<3xf8E5M2FNUZ>
  %wide = stablehlo.convert %output : (tensor<3xf8E5M2FNUZ>) -> tensor<3xf64>
  check.expect_eq_const %wide, dense<[57344.0, -1.5, 7.62939453125E-6]> : tensor<3xf64>
  func.return
}

func.func @constant_f8E8M0FNU() {
  %output = stablehlo.constant dense<[1.0, 0.5, 1024.0]> : tensor<3xf8E8M0FNU>
  %wide = stablehlo.convert %output : (tensor<3xf8E8M0FNU>) -> tensor<3xf64>
  check.expect_eq_const %wide, dense<[1.0, 0.5, 1024.0]> : tensor<3xf64>
  func.return
}

func.func @constant_bf16() {
  %output = stablehlo.constant dense<[3.3895313892515355E+38, -1.5, 9.1835496157991212E-41]> : tensor<3xbf16>
  %wide = stablehlo.convert %output : (tensor<3xbf16>) -> tensor<3xf64>
  check.expect_eq_const %wide, dense<[3.3895313892515355E+38, -1.5, 9.1835496157991212E-41]> : tensor<3xf64>
  func.return
}

func.func @constant_f16() {
  %output = stablehlo.constant dense<[65504.0, -1.5, 5.9604644775390625E-8]> : tensor<3xf16>
  %wide = stablehlo.convert %output : (tensor<3xf16>) -> tensor<3xf64>
  check.expect_eq_const %wide, dense<[65504.0, -1.5, 5.9604644775390625E-8]> : tensor<3xf64>
  func.return
}

func.func @constant_f32() {
  %output = stablehlo.constant dense<[3.4028234663852886E+38, -1.5, 1.4012984643248171E-45]> : tensor<3xf32>
  %wide = stablehlo.convert %output : (tensor<3xf32>) -> tensor<3xf64>
  check.expect_eq_const %wide, dense<[3.4028234663852886E+38, -1.5, 1.4012984643248171E-45]> : tensor<3xf64>
  func.return
}

func.func @constant_f64() {
  %output = stablehlo.constant dense<[1.7976931348623157E+308, -1.5, 4.9406564584124654E-324]> : tensor<3xf64>
  %bits = stablehlo.bitcast_convert %output : (tensor<3xf64>) -> tensor<3xui64>
  check.expect_eq_const %bits, dense<[0x7FEFFFFFFFFFFFFF, 0xBFF8000000000000, 1]> : tensor<3xui64>
  func.return
}

func.func @constant_complex_f32() {
  %output = stablehlo.constant dense<[(1.5, -2.0), (0.0, 0.25)]> : tensor<2xcomplex<f32>>
  %real = stablehlo.real %output : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  check.expect_eq_const %real, dense<[1.5, 0.0]> : tensor<2xf32>
  %imag = stablehlo.imag %output : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  check.expect_eq_const %imag, dense<[-2.0, 0.25]> : tensor<2xf32>
  func.return
}

func.func @constant_complex_f64() {
  %output = stablehlo.constant dense<[(1.5, -2.0), (0.0, 0.25)]> : tensor<2xcomplex<f64>>
  %real = stablehlo.real %output : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  check.expect_eq_const %real, dense<[1.5, 0.0]> : tensor<2xf64>
  %imag = stablehlo.imag %output : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  check.expect_eq_const %imag, dense<[-2.0, 0.25]> : tensor<2xf64>
  func.return
}

func.func @constant_splat_of_many() {
  %output = stablehlo.constant dense<7> : tensor<2x3xi32>
  check.expect_eq_const %output, dense<[[7, 7, 7], [7, 7, 7]]> : tensor<2x3xi32>
  func.return
}

func.func @constant_hexadecimal_bytes() {
  %output = stablehlo.constant dense<"0x0000803F000000C0"> : tensor<2xf32>
  check.expect_eq_const %output, dense<[1.0, -2.0]> : tensor<2xf32>
  func.return
}

func.func @constant_empty() {
  %output = stablehlo.constant dense<> : tensor<0x2xf32>
  check.expect_eq_const %output, dense<> : tensor<0x2xf32>
  func.return
}

func.func @constant_quantized() {
  %result = stablehlo.constant() <{value = dense<[-128, 127]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[-128, 127]> : tensor<2xi8>
  func.return
}
