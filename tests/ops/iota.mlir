func.func @iota_spec_example_dimension_0() {
  %output = stablehlo.iota dim = 0 : tensor<4x5xi32>
  check.expect_eq_const %output, dense<[[0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [2, 2, 2, 2, 2], [3, 3, 3, 3, 3]]> : tensor<4x5xi32>
  func.return
}

func.func @iota_spec_example_dimension_1() {
  %output = stablehlo.iota dim = 1 : tensor<4x5xi32>
  check.expect_eq_const %output, dense<[[0, 1, 2, 3, 4], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4]]> : tensor<4x5xi32>
  func.return
}

func.func @iota_float() {
  %output = stablehlo.iota dim = 0 : tensor<3xbf16>
  check.expect_eq_const %output, dense<[0.0, 1.0, 2.0]> : tensor<3xbf16>
  func.return
}

func.func @iota_complex() {
  %output = stablehlo.iota dim = 0 : tensor<3xcomplex<f64>>
  check.expect_eq_const %output, dense<[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)]> : tensor<3xcomplex<f64>>
  func.return
}

func.func @iota_narrow_integer() {
  %output = stablehlo.iota dim = 0 : tensor<8xi4>
  check.expect_eq_const %output, dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi4>
  func.return
}

func.func @iota_quantized() {
  %result = stablehlo.iota dim = 0 : tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[1, 3, 5, 7, 9]> : tensor<5xi8>
  func.return
}
