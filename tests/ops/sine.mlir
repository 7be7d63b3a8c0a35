func.func @sine_spec_example() {
  %operand = stablehlo.constant dense<[[0.0, 1.5707964], [3.1415927, 4.712389]]> : tensor<2x2xf32>
  %result = stablehlo.sine %operand : tensor<2x2xf32>
  check.expect_almost_eq_const %result, dense<[[0.0, 1.0], [0.0, -1.0]]> : tensor<2x2xf32>
  func.return
}

func.func @sine_float() {
  %operand = stablehlo.constant dense<[0.5, -2.0, 1000.0]> : tensor<3xf64>
  %result = stablehlo.sine %operand : tensor<3xf64>
  %expected = stablehlo.constant dense<[0.479425538604203, -0.9092974268256817, 0.8268795405320025]> : tensor<3xf64>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<3xf64>, tensor<3xf64>
  func.return
}

func.func @sine_complex() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-2.0, 0.25)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.sine %operand : tensor<2xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.7397922644560138, 1.0313360742545512), (-0.9378612777147958, -0.10512381651256376)]> : tensor<2xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}

func.func @sine_quantized() {
  %operand_stored = stablehlo.constant dense<[-7, 0, 1, 2, 9]> : tensor<5xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.sine %operand : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<5x!quant.uniform<i8:f32, 0.25:-2>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[1, -4, -2, 0, -5]> : tensor<5xi8>
  func.return
}
