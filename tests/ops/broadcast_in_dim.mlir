func.func @broadcast_in_dim_spec_example() {
  %operand = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi32>
  %result = stablehlo.broadcast_in_dim %operand, dims = [2, 1] : (tensor<1x3xi32>) -> tensor<2x3x2xi32>
  check.expect_eq_const %result, dense<[[[1, 1], [2, 2], [3, 3]], [[1, 1], [2, 2], [3, 3]]]> : tensor<2x3x2xi32>
  func.return
}

func.func @broadcast_in_dim_scalar() {
  %operand = stablehlo.constant dense<(1.0, -2.0)> : tensor<complex<f64>>
  %result = stablehlo.broadcast_in_dim %operand, dims = [] : (tensor<complex<f64>>) -> tensor<2x1xcomplex<f64>>
  check.expect_eq_const %result, dense<[[(1.0, -2.0)], [(1.0, -2.0)]]> : tensor<2x1xcomplex<f64>>
  func.return
}

func.func @broadcast_in_dim_exchanged_dimensions() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 0] : (tensor<2x3xi64>) -> tensor<3x2xi64>
  check.expect_eq_const %result, dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi64>
  func.return
}

func.func @broadcast_in_dim_quantized_along_an_axis() {
  %operand_stored = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<2x1xi8>) -> tensor<2x1x!quant.uniform<i8:f32:0, {0.5:0, 0.25:1}>>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 0] : (tensor<2x1x!quant.uniform<i8:f32:0, {0.5:0, 0.25:1}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:1}>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:1}>>) -> tensor<3x2xi8>
  check.expect_eq_const %stored, dense<[[1, 2], [1, 2], [1, 2]]> : tensor<3x2xi8>
  func.return
}
