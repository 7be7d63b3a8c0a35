func.func @batch_norm_inference_spec_example() {
  %operand = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf64>
  %scale = stablehlo.constant dense<1.0> : tensor<2xf64>
  %offset = stablehlo.constant dense<1.0> : tensor<2xf64>
  %mean = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %variance = stablehlo.constant dense<1.0> : tensor<2xf64>
  %result = "stablehlo.batch_norm_inference"(%operand, %scale, %offset, %mean, %variance) <{epsilon = 0.0 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2x2x2xf64>
  check.expect_almost_eq_const %result, dense<[[[0.0, 0.0], [2.0, 2.0]], [[2.0, 2.0], [0.0, 0.0]]]> : tensor<2x2x2xf64>
  func.return
}

func.func @batch_norm_inference_narrow_float() {
  %operand = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xbf16>
  %scale = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xbf16>
  %offset = stablehlo.constant dense<[0.5, -1.0]> : tensor<2xbf16>
  %mean = stablehlo.constant dense<[0.0, 4.0]> : tensor<2xbf16>
  %variance = stablehlo.constant dense<[3.0, 0.0]> : tensor<2xbf16>
  %result = "stablehlo.batch_norm_inference"(%operand, %scale, %offset, %mean, %variance) <{epsilon = 1.0 : f32, feature_index = 1 : i64}> : (tensor<1x2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>) -> tensor<1x2xbf16>
  check.expect_almost_eq_const %result, dense<[[1.5, -7.0]]> : tensor<1x2xbf16>
  func.return
}

func.func @batch_norm_inference_quantized() {
  %operand_stored = stablehlo.constant dense<[[1, 3], [5, 7]]> : tensor<2x2xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>
  %scale_stored = stablehlo.constant dense<[3, 5]> : tensor<2xi8>
  %scale = stablehlo.bitcast_convert %scale_stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %offset_stored = stablehlo.constant dense<[3, 3]> : tensor<2xi8>
  %offset = stablehlo.bitcast_convert %offset_stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %mean_stored = stablehlo.constant dense<[3, 5]> : tensor<2xi8>
  %mean = stablehlo.bitcast_convert %mean_stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %variance_stored = stablehlo.constant dense<[3, 3]> : tensor<2xi8>
  %variance = stablehlo.bitcast_convert %variance_stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %result = "stablehlo.batch_norm_inference"(%operand, %scale, %offset, %mean, %variance) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:-2>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x2x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<2x2xi8>
  check.expect_eq_const %stored, dense<[[-2, -6], [6, 10]]> : tensor<2x2xi8>
  func.return
}
