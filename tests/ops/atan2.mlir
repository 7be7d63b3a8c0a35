func.func @atan2_spec_example() {
  %lhs = stablehlo.constant dense<[0.0, 1.0, -1.0]> : tensor<3xf64>
  %rhs = stablehlo.constant dense<[0.0, 0.0, 0.0]> : tensor<3xf64>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<3xf64>
  %expected = stablehlo.constant dense<[0.0, 1.5707963267948966, -1.5707963267948966]> : tensor<3xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<3xf64>, tensor<3xf64>
  func.return
}

func.func @atan2_quadrants() {
  %lhs = stablehlo.constant dense<[1.0, 1.0, -1.0, -3.0, 0.0]> : tensor<5xf64>
  %rhs = stablehlo.constant dense<[1.0, -1.0, -1.0, 4.0, -2.0]> : tensor<5xf64>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<5xf64>
  %expected = stablehlo.constant dense<[0.7853981633974483, 2.356194490192345, -2.356194490192345, -0.6435011087932844, 3.141592653589793]> : tensor<5xf64>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<5xf64>, tensor<5xf64>
  func.return
}

func.func @atan2_complex() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (0.5, -0.5)]> : tensor<2xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(3.0, -1.0), (2.0, 1.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.19025318855618245, 0.8418239574966185), (0.10933447293697098, -0.3059438579055289)]> : tensor<2xcomplex<f64>>, tolerance = 1.0e-14
  func.return
}

func.func @atan2_quantized() {
  %lhs_stored = stablehlo.constant dense<[-7, 0, 1, 2, 9]> : tensor<5xi8>
  %lhs = stablehlo.bitcast_convert %lhs_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %rhs_stored = stablehlo.constant dense<[2, 6, -6, 0, -4]> : tensor<5xi8>
  %rhs = stablehlo.bitcast_convert %rhs_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.25:-2>>
  %result = stablehlo.atan2 %lhs, %rhs : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>, tensor<5x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<5x!quant.uniform<i8:f32, 0.125:3>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.125:3>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[-8, 1, 28, 9, 17]> : tensor<5xi8>
  func.return
}
