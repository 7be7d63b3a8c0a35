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
