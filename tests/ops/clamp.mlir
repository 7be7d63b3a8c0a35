func.func @clamp_spec_example() {
  %min = stablehlo.constant dense<[5, 10, 15]> : tensor<3xi32>
  %operand = stablehlo.constant dense<[3, 13, 23]> : tensor<3xi32>
  %max = stablehlo.constant dense<[10, 15, 20]> : tensor<3xi32>
  %result = stablehlo.clamp %min, %operand, %max : tensor<3xi32>
  check.expect_eq_const %result, dense<[5, 13, 20]> : tensor<3xi32>
  func.return
}

func.func @clamp_scalar_bounds() {
  %min = stablehlo.constant dense<-1> : tensor<i64>
  %operand = stablehlo.constant dense<[-5, 0, 9]> : tensor<3xi64>
  %max = stablehlo.constant dense<2> : tensor<i64>
  %result = stablehlo.clamp %min, %operand, %max : (tensor<i64>, tensor<3xi64>, tensor<i64>) -> tensor<3xi64>
  check.expect_eq_const %result, dense<[-1, 0, 2]> : tensor<3xi64>
  func.return
}

func.func @clamp_min_above_max() {
  %min = stablehlo.constant dense<[5, 5]> : tensor<2xi64>
  %operand = stablehlo.constant dense<[0, 9]> : tensor<2xi64>
  %max = stablehlo.constant dense<[3, 3]> : tensor<2xi64>
  %result = stablehlo.clamp %min, %operand, %max : tensor<2xi64>
  check.expect_eq_const %result, dense<[3, 3]> : tensor<2xi64>
  func.return
}

func.func @clamp_boolean() {
  %min = stablehlo.constant dense<[false, true, false]> : tensor<3xi1>
  %operand = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %max = stablehlo.constant dense<[true, true, false]> : tensor<3xi1>
  %result = stablehlo.clamp %min, %operand, %max : tensor<3xi1>
  check.expect_eq_const %result, dense<[true, true, false]> : tensor<3xi1>
  func.return
}

func.func @clamp_complex() {
  %min = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f64>>
  %operand = stablehlo.constant dense<[(-1.0, 5.0), (0.5, 7.0), (2.0, 0.0)]> : tensor<3xcomplex<f64>>
  %max = stablehlo.constant dense<(1.0, -1.0)> : tensor<complex<f64>>
  %result = stablehlo.clamp %min, %operand, %max : (tensor<complex<f64>>, tensor<3xcomplex<f64>>, tensor<complex<f64>>) -> tensor<3xcomplex<f64>>
  check.expect_eq_const %result, dense<[(0.0, 0.0), (0.5, 7.0), (1.0, -1.0)]> : tensor<3xcomplex<f64>>
  func.return
}

func.func @clamp_float() {
  %min = stablehlo.constant dense<0.0> : tensor<f64>
  %operand = stablehlo.constant dense<[-0.5, 0.25, 2.0, 0x7FF0000000000000, 0xFFF0000000000000]> : tensor<5xf64>
  %max = stablehlo.constant dense<1.0> : tensor<f64>
  %result = stablehlo.clamp %min, %operand, %max : (tensor<f64>, tensor<5xf64>, tensor<f64>) -> tensor<5xf64>
  check.expect_eq_const %result, dense<[0.0, 0.25, 1.0, 1.0, 0.0]> : tensor<5xf64>
  func.return
}

func.func @clamp_quantized() {
  %min_stored = stablehlo.constant dense<-1> : tensor<i8>
  %min = stablehlo.bitcast_convert %min_stored : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %operand_stored = stablehlo.constant dense<[-9, 3, 25]> : tensor<3xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<3xi8>) -> tensor<3x!quant.uniform<i8:f32, 0.25:-2>>
  %max_stored = stablehlo.constant dense<5> : tensor<i8>
  %max = stablehlo.bitcast_convert %max_stored : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.clamp %min, %operand, %max : (tensor<!quant.uniform<i8:f32, 0.5:1>>, tensor<3x!quant.uniform<i8:f32, 0.25:-2>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3x!quant.uniform<i8:f32, 0.125:3>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.125:3>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[-5, 13, 19]> : tensor<3xi8>
  func.return
}
