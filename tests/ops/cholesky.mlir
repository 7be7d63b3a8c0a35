// The specification gives the result elements of type f64; the operand's are f32.
func.func @cholesky_spec_example() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [2.0, 20.0, 26.0], [3.0, 26.0, 70.0]]> : tensor<3x3xf32>
  %result = stablehlo.cholesky %a, lower = true : tensor<3x3xf32>
  check.expect_almost_eq_const %result, dense<[[1.0, 0.0, 0.0], [2.0, 4.0, 0.0], [3.0, 5.0, 6.0]]> : tensor<3x3xf32>
  func.return
}

func.func @cholesky_upper_batch() {
  %a = stablehlo.constant dense<[[[4.0, 2.0], [2.0, 2.0]], [[9.0, 3.0], [3.0, 5.0]]]> : tensor<2x2x2xf64>
  %result = stablehlo.cholesky %a : tensor<2x2x2xf64>
  %upper = stablehlo.constant dense<[[true, true], [false, true]]> : tensor<2x2xi1>
  %mask = stablehlo.broadcast_in_dim %upper, dims = [1, 2] : (tensor<2x2xi1>) -> tensor<2x2x2xi1>
  %zero = stablehlo.constant dense<0.0> : tensor<2x2x2xf64>
  %triangle = stablehlo.select %mask, %result, %zero : tensor<2x2x2xi1>, tensor<2x2x2xf64>
  check.expect_almost_eq_const %triangle, dense<[[[2.0, 1.0], [0.0, 1.0]], [[3.0, 1.0], [0.0, 2.0]]]> : tensor<2x2x2xf64>
  func.return
}

func.func @cholesky_complex() {
  %a = stablehlo.constant dense<[[(4.0, 0.0), (2.0, 2.0)], [(2.0, -2.0), (11.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  %result = stablehlo.cholesky %a, lower = true : tensor<2x2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[[(2.0, 0.0), (0.0, 0.0)], [(1.0, -1.0), (3.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  func.return
}

func.func @cholesky_quantized() {
  %a_stored = stablehlo.constant dense<[[9, 5], [5, 11]]> : tensor<2x2xi8>
  %a = stablehlo.bitcast_convert %a_stored : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.cholesky %a, lower = true : (tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:-2>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x2x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<2x2xi8>
  check.expect_eq_const %stored, dense<[[6, -2], [2, 6]]> : tensor<2x2xi8>
  func.return
}
