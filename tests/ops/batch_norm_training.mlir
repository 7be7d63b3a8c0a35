func.func @batch_norm_training_spec_example() {
  %operand = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf64>
  %scale = stablehlo.constant dense<1.0> : tensor<2xf64>
  %offset = stablehlo.constant dense<1.0> : tensor<2xf64>
  %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%operand, %scale, %offset) <{epsilon = 0.0 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  check.expect_almost_eq_const %output, dense<[[[0.0, 0.0], [2.0, 2.0]], [[2.0, 2.0], [0.0, 0.0]]]> : tensor<2x2x2xf64>
  check.expect_almost_eq_const %batch_mean, dense<[2.0, 3.0]> : tensor<2xf64>
  check.expect_almost_eq_const %batch_var, dense<[1.0, 1.0]> : tensor<2xf64>
  func.return
}

func.func @batch_norm_training_quantized() {
  %operand_stored = stablehlo.constant dense<[[1, 3], [5, 7]]> : tensor<2x2xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>
  %scale_stored = stablehlo.constant dense<[3, 5]> : tensor<2xi8>
  %scale = stablehlo.bitcast_convert %scale_stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %offset_stored = stablehlo.constant dense<[3, 3]> : tensor<2xi8>
  %offset = stablehlo.bitcast_convert %offset_stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%operand, %scale, %offset) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> (tensor<2x2x!quant.uniform<i8:f32, 0.25:-2>>, tensor<2x!quant.uniform<i8:f32, 0.25:-2>>, tensor<2x!quant.uniform<i8:f32, 0.25:-2>>)
  %stored = stablehlo.bitcast_convert %output : (tensor<2x2x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<2x2xi8>
  check.expect_eq_const %stored, dense<[[-2, -6], [6, 10]]> : tensor<2x2xi8>
  %stored_mean = stablehlo.bitcast_convert %batch_mean : (tensor<2x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<2xi8>
  check.expect_eq_const %stored_mean, dense<[2, 6]> : tensor<2xi8>
  %stored_var = stablehlo.bitcast_convert %batch_var : (tensor<2x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<2xi8>
  check.expect_eq_const %stored_var, dense<[2, 2]> : tensor<2xi8>
  func.return
}
