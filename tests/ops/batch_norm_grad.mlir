func.func @batch_norm_grad_spec_example() {
  %operand = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf64>
  %scale = stablehlo.constant dense<1.0> : tensor<2xf64>
  %mean = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %variance = stablehlo.constant dense<1.0> : tensor<2xf64>
  %grad_output = stablehlo.constant dense<0.1> : tensor<2x2x2xf64>
  %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%operand, %scale, %mean, %variance, %grad_output) <{epsilon = 0.0 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2x2x2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  check.expect_almost_eq_const %grad_operand, dense<0.0> : tensor<2x2x2xf64>
  check.expect_almost_eq_const %grad_scale, dense<0.0> : tensor<2xf64>
  check.expect_almost_eq_const %grad_offset, dense<0.4> : tensor<2xf64>
  func.return
}

func.func @batch_norm_grad_feature_first_and_epsilon() {
  %operand = stablehlo.constant dense<[[1.0, 3.0]]> : tensor<1x2xf64>
  %scale = stablehlo.constant dense<2.0> : tensor<1xf64>
  %mean = stablehlo.constant dense<2.0> : tensor<1xf64>
  %variance = stablehlo.constant dense<3.0> : tensor<1xf64>
  %grad_output = stablehlo.constant dense<[[1.0, 0.0]]> : tensor<1x2xf64>
  %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%operand, %scale, %mean, %variance, %grad_output) <{epsilon = 1.0 : f32, feature_index = 0 : i64}> : (tensor<1x2xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1x2xf64>) -> (tensor<1x2xf64>, tensor<1xf64>, tensor<1xf64>)
  check.expect_almost_eq_const %grad_operand, dense<[[0.375, -0.375]]> : tensor<1x2xf64>
  check.expect_almost_eq_const %grad_scale, dense<-0.5> : tensor<1xf64>
  check.expect_almost_eq_const %grad_offset, dense<1.0> : tensor<1xf64>
  func.return
}

func.func @batch_norm_grad_quantized() {
  %operand_stored = stablehlo.constant dense<[[1, 3], [5, 7]]> : tensor<2x2xi8>
  %operand = stablehlo.bitcast_convert %operand_stored : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>
  %scale_stored = stablehlo.constant dense<[3, 5]> : tensor<2xi8>
  %scale = stablehlo.bitcast_convert %scale_stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %mean_stored = stablehlo.constant dense<[3, 5]> : tensor<2xi8>
  %mean = stablehlo.bitcast_convert %mean_stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %variance_stored = stablehlo.constant dense<[3, 3]> : tensor<2xi8>
  %variance = stablehlo.bitcast_convert %variance_stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %grad_output_stored = stablehlo.constant dense<[[3, 5], [1, 3]]> : tensor<2x2xi8>
  %grad_output = stablehlo.bitcast_convert %grad_output_stored : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>
  %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%operand, %scale, %mean, %variance, %grad_output) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>) -> (tensor<2x2x!quant.uniform<i8:f32, 0.25:-2>>, tensor<2x!quant.uniform<i8:f32, 0.25:-2>>, tensor<2x!quant.uniform<i8:f32, 0.25:-2>>)
  %stored = stablehlo.bitcast_convert %grad_operand : (tensor<2x2x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<2x2xi8>
  check.expect_eq_const %stored, dense<[[-2, -2], [-2, -2]]> : tensor<2x2xi8>
  %stored_scale = stablehlo.bitcast_convert %grad_scale : (tensor<2x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<2xi8>
  check.expect_eq_const %stored_scale, dense<[-6, -6]> : tensor<2xi8>
  %stored_offset = stablehlo.bitcast_convert %grad_offset : (tensor<2x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<2xi8>
  check.expect_eq_const %stored_offset, dense<[2, 10]> : tensor<2xi8>
  func.return
}
