func.func @cosine_spec_example() {
  %operand = stablehlo.constant dense<[[0.0, 1.5707964], [3.1415927, 4.712389]]> : tensor<2x2xf32>
  %result = stablehlo.cosine %operand : tensor<2x2xf32>
  check.expect_almost_eq_const %result, dense<[[1.0, 0.0], [-1.0, 0.0]]> : tensor<2x2xf32>
  func.return
}

func.func @cosine_float() {
  %operand = stablehlo.constant dense<[0.5, -2.0, 1000.0]> : tensor<3xf64>
  %result = stablehlo.cosine %operand : tensor<3xf64>
  %expected = stablehlo.constant dense<[0.8775825618903728, -0.4161468365471424, 0.5623790762907029]> : tensor<3xf64>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<3xf64>, tensor<3xf64>
  func.return
}

func.func @cosine_complex() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-2.0, 0.25)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.cosine %operand : tensor<2xcomplex<f64>>
  %expected = stablehlo.constant dense<[(1.3541806567045842, -0.5634214652309818), (-0.42921929868816616, 0.22969972965814134)]> : tensor<2xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 3 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}

func.func @cosine_quantized() {
  %operand_stored = stablehlo.constant dense<[-7, 0, 1, 2, 9]> : tensor<5xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.cosine %operand : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<5x!quant.uniform<i8:f32, 0.25:-2>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[-5, 2, 2, 2, -5]> : tensor<5xi8>
  func.return
}
