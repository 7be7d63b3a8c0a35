func.func @broadcast_complex_vector_and_matrix() {
  %lhs = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf64>
  %rhs = stablehlo.constant dense<[0.5, -0.5]> : tensor<2xf64>
  %result = chlo.broadcast_complex %lhs, %rhs : (tensor<2x1xf64>, tensor<2xf64>) -> tensor<2x2xcomplex<f64>>
  check.expect_eq_const %result, dense<[[(1.0, 0.5), (1.0, -0.5)], [(2.0, 0.5), (2.0, -0.5)]]> : tensor<2x2xcomplex<f64>>
  func.return
}
