func.func @complex_spec_example() {
  %lhs = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf64>
  %rhs = stablehlo.constant dense<[2.0, 4.0]> : tensor<2xf64>
  %result = stablehlo.complex %lhs, %rhs : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>
  func.return
}

func.func @complex_infinite_imaginary_part() {
  %lhs = stablehlo.constant dense<[1.0]> : tensor<1xf32>
  %rhs = stablehlo.constant dense<[0x7F800000]> : tensor<1xf32>
  %result = stablehlo.complex %lhs, %rhs : tensor<1xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.0, 0x7F800000)]> : tensor<1xcomplex<f32>>
  func.return
}
