func.func @convert_spec_example() {
  %operand = stablehlo.constant dense<[-1, 0, 1]> : tensor<3xi64>
  %result = stablehlo.convert %operand : (tensor<3xi64>) -> tensor<3xcomplex<f64>>
  check.expect_eq_const %result, dense<[(-1.0, 0.0), (0.0, 0.0), (1.0, 0.0)]> : tensor<3xcomplex<f64>>
  func.return
}

func.func @convert_to_boolean() {
  %operand = stablehlo.constant dense<[-2, 0, 1]> : tensor<3xi64>
  %result = stablehlo.convert %operand : (tensor<3xi64>) -> tensor<3xi1>
  check.expect_eq_const %result, dense<[true, false, true]> : tensor<3xi1>
  func.return
}

func.func @convert_float_to_boolean() {
  %operand = stablehlo.constant dense<[0.0, -0.0, 0.25, 0x7FF8000000000000]> : tensor<4xf64>
  %result = stablehlo.convert %operand : (tensor<4xf64>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, false, true, true]> : tensor<4xi1>
  func.return
}

func.func @convert_complex_to_boolean() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (2.0, 0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.convert %operand : (tensor<2xcomplex<f64>>) -> tensor<2xi1>
  check.expect_eq_const %result, dense<[false, true]> : tensor<2xi1>
  func.return
}

func.func @convert_boolean_to_float() {
  %operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %result = stablehlo.convert %operand : (tensor<2xi1>) -> tensor<2xf64>
  check.expect_eq_const %result, dense<[1.0, 0.0]> : tensor<2xf64>
  func.return
}

func.func @convert_signed_to_unsigned() {
  %operand = stablehlo.constant dense<[1, 100]> : tensor<2xi64>
  %result = stablehlo.convert %operand : (tensor<2xi64>) -> tensor<2xui8>
  check.expect_eq_const %result, dense<[1, 100]> : tensor<2xui8>
  func.return
}

func.func @convert_widening() {
  %operand = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %result = stablehlo.convert %operand : (tensor<2xi4>) -> tensor<2xi64>
  check.expect_eq_const %result, dense<[-8, 7]> : tensor<2xi64>
  func.return
}

func.func @convert_narrowing() {
  %operand = stablehlo.constant dense<[-8, 7]> : tensor<2xi64>
  %result = stablehlo.convert %operand : (tensor<2xi64>) -> tensor<2xi4>
  check.expect_eq_const %result, dense<[-8, 7]> : tensor<2xi4>
  func.return
}

// The fraction is dropped.
func.func @convert_float_to_integer() {
  %operand = stablehlo.constant dense<[-1.75, 0.5, 1.75, -0.0]> : tensor<4xf64>
  %result = stablehlo.convert %operand : (tensor<4xf64>) -> tensor<4xi64>
  check.expect_eq_const %result, dense<[-1, 0, 1, 0]> : tensor<4xi64>
  func.return
}

// 2^53 + 1 lies halfway between two numbers of f64; the even one is taken.
func.func @convert_integer_to_float() {
  %operand = stablehlo.constant dense<[9007199254740993, -3]> : tensor<2xi64>
  %result = stablehlo.convert %operand : (tensor<2xi64>) -> tensor<2xf64>
  check.expect_eq_const %result, dense<[9007199254740992.0, -3.0]> : tensor<2xf64>
  func.return
}

// The first two lie halfway between two numbers of bf16; the even one is taken.
func.func @convert_to_narrow_float() {
  %operand = stablehlo.constant dense<[1.00390625, 1.01171875, 448.0]> : tensor<3xf64>
  %result = stablehlo.convert %operand : (tensor<3xf64>) -> tensor<3xbf16>
  check.expect_eq_const %result, dense<[1.0, 1.015625, 448.0]> : tensor<3xbf16>
  func.return
}

// 1.0625 lies halfway between 1.0 and 1.125. The first element, 1.0625 + 2^-40, is above it, though
// not any more once it has been rounded to f32.
func.func @convert_rounds_once() {
  %operand = stablehlo.constant dense<[1.0625000000009095, 1.0625, -1.0]> : tensor<3xf64>
  %result = stablehlo.convert %operand : (tensor<3xf64>) -> tensor<3xf8E4M3FN>
  check.expect_eq_const %result, dense<[1.125, 1.0, -1.0]> : tensor<3xf8E4M3FN>
  func.return
}

func.func @convert_narrow_to_wide_float() {
  %operand = stablehlo.constant dense<[0.5, -448.0]> : tensor<2xf8E4M3FN>
  %result = stablehlo.convert %operand : (tensor<2xf8E4M3FN>) -> tensor<2xf64>
  check.expect_eq_const %result, dense<[0.5, -448.0]> : tensor<2xf64>
  func.return
}

func.func @convert_complex_to_real() {
  %operand = stablehlo.constant dense<[(1.5, 2.0), (-3.0, 1.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.convert %operand : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  check.expect_eq_const %result, dense<[1.5, -3.0]> : tensor<2xf64>
  func.return
}

func.func @convert_complex_to_complex() {
  %operand = stablehlo.constant dense<[(1.5, 2.0)]> : tensor<1xcomplex<f32>>
  %result = stablehlo.convert %operand : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.5, 2.0)]> : tensor<1xcomplex<f64>>
  func.return
}
