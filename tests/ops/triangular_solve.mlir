func.func @triangular_solve_spec_example() {
  %a = stablehlo.constant dense<[[1.0, 0.0, 0.0], [2.0, 4.0, 0.0], [3.0, 5.0, 6.0]]> : tensor<3x3xf32>
  %b = stablehlo.constant dense<[[2.0, 0.0, 0.0], [4.0, 8.0, 0.0], [6.0, 10.0, 12.0]]> : tensor<3x3xf32>
  %result = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  check.expect_almost_eq_const %result, dense<[[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]> : tensor<3x3xf32>
  func.return
}

// The 99 lies in the triangle that is not read.
func.func @triangular_solve_right_side_upper() {
  %a = stablehlo.constant dense<[[2.0, 1.0], [99.0, 4.0]]> : tensor<2x2xf64>
  %b = stablehlo.constant dense<[[2.0, 9.0]]> : tensor<1x2xf64>
  %result = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf64>, tensor<1x2xf64>) -> tensor<1x2xf64>
  check.expect_almost_eq_const %result, dense<[[1.0, 2.0]]> : tensor<1x2xf64>
  func.return
}

func.func @triangular_solve_transposed_unit_diagonal() {
  %a = stablehlo.constant dense<[[1.0, 0.0], [3.0, 1.0]]> : tensor<2x2xf64>
  %b = stablehlo.constant dense<[[17.0], [5.0]]> : tensor<2x1xf64>
  %result = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<2x2xf64>, tensor<2x1xf64>) -> tensor<2x1xf64>
  check.expect_almost_eq_const %result, dense<[[2.0], [5.0]]> : tensor<2x1xf64>
  func.return
}

func.func @triangular_solve_adjoint_batch() {
  %a = stablehlo.constant dense<[[[(2.0, 0.0), (0.0, 0.0)], [(0.0, 1.0), (1.0, 0.0)]]]> : tensor<1x2x2xcomplex<f64>>
  %b = stablehlo.constant dense<[[[(3.0, 0.0)], [(0.0, 1.0)]]]> : tensor<1x2x1xcomplex<f64>>
  %result = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<1x2x2xcomplex<f64>>, tensor<1x2x1xcomplex<f64>>) -> tensor<1x2x1xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[[[(1.0, 0.0)], [(0.0, 1.0)]]]> : tensor<1x2x1xcomplex<f64>>
  func.return
}
