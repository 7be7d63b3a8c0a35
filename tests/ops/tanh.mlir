func.func @tanh_spec_example() {
  %operand = stablehlo.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %result = stablehlo.tanh %operand : tensor<3xf32>
  check.expect_almost_eq_const %result, dense<[-0.7615942, 0.0, 0.7615942]> : tensor<3xf32>
  func.return
}

func.func @tanh_float() {
  %operand = stablehlo.constant dense<[-0.25, 1.0e-300, 3.0, 800.0, 0xFFF0000000000000]> : tensor<5xf64>
  %result = stablehlo.tanh %operand : tensor<5xf64>
  %expected = stablehlo.constant dense<[-0.24491866240370913, 1.0e-300, 0.9950547536867305, 1.0, -1.0]> : tensor<5xf64>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<5xf64>, tensor<5xf64>
  func.return
}

func.func @tanh_complex() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-2.0, 0.25)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.tanh %operand : tensor<2xcomplex<f64>>
  %expected = stablehlo.constant dense<[(1.0428307283443612, 0.806877412163085), (-0.968214572183509, 0.017009461384601497)]> : tensor<2xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}

func.func @tanh_quantized() {
  %operand_stored = stablehlo.constant dense<[-7, 0, 1, 2, 9]> : tensor<5xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.tanh %operand : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<5x!quant.uniform<i8:f32, 0.25:-2>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[-6, -4, -2, 0, 2]> : tensor<5xi8>
  func.return
}
