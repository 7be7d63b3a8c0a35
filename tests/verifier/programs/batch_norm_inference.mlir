"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x1x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x1x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<2xf16>, %arg2: tensor<2xf16>, %arg3: tensor<2xf16>, %arg4: tensor<2xf16>):
    // expect: batch_norm_inference-C1
    %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) <{epsilon = 0.000000e+00 : f32, feature_index = 2 : i64}> : (tensor<2x1x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>) -> tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:-2>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<2xf32>, %arg2: tensor<2xf32>, %arg3: tensor<2xf32>, %arg4: tensor<2xf32>):
    // expect: batch_norm_inference-C2
    %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:-2>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xbf16>}> : () -> tensor<1x2xbf16>
    %1 = "stablehlo.constant"() <{value = dense<[2.000000e+00, 3.000000e+00]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
    %2 = "stablehlo.constant"() <{value = dense<[5.000000e-01, -1.000000e+00]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
    %3 = "stablehlo.constant"() <{value = dense<[0.000000e+00, 4.000000e+00]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
    %4 = "stablehlo.constant"() <{value = dense<[3.000000e+00, 0.000000e+00]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
    // expect: batch_norm_inference-C3
    %5 = "stablehlo.batch_norm_inference"(%0, %1, %2, %3, %3) <{epsilon = 1.000000e+00 : f32, feature_index = 0 : i64}> : (tensor<1x2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>) -> tensor<1xbf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<1x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg2: tensor<1x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg3: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg4: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>):
    // expect: batch_norm_inference-C4
    %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<1x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:-2>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xbf16>}> : () -> tensor<1x2xbf16>
    %1 = "stablehlo.constant"() <{value = dense<[2.000000e+00, 3.000000e+00]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
    %2 = "stablehlo.constant"() <{value = dense<[5.000000e-01, -1.000000e+00]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
    %3 = "stablehlo.constant"() <{value = dense<[0.000000e+00, 4.000000e+00]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
    %4 = "stablehlo.constant"() <{value = dense<[3.000000e+00, 0.000000e+00]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
    // expect: batch_norm_inference-C7
    %5 = "stablehlo.batch_norm_inference"(%0, %1, %2, %3, %4) <{epsilon = 1.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<1x2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xbf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xi4>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg2: tensor<2xi4>, %arg3: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg4: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>):
    // expect: batch_norm_inference-I1
    %0 = "stablehlo.batch_norm_inference"(%arg2, %arg1, %arg0, %arg3, %arg4) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<2xi4>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:-2>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<2xi8>, %arg2: tensor<2xi8>, %arg3: tensor<2xi8>, %arg4: tensor<2xi8>):
    // expect: batch_norm_inference-I2
    %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>) -> tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:-2>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xf16>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<2xf16>, %arg2: tensor<2xi64>, %arg3: tensor<2xi64>, %arg4: tensor<2xi64>):
    // expect: batch_norm_inference-I3
    %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xf16>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:-2>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<2xf16>, %arg2: tensor<2xf16>, %arg3: tensor<2xf16>, %arg4: tensor<2xf16>):
    // expect: batch_norm_inference-I4
    %0 = "stablehlo.batch_norm_inference"(%arg3, %arg1, %arg2, %arg0, %arg4) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xf16>) -> tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:-2>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xbf16>}> : () -> tensor<1x2xbf16>
    %1 = "stablehlo.constant"() <{value = dense<[2.000000e+00, 3.000000e+00]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
    %2 = "stablehlo.constant"() <{value = dense<[5.000000e-01, -1.000000e+00]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
    %3 = "stablehlo.constant"() <{value = dense<[0.000000e+00, 4.000000e+00]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
    %4 = "stablehlo.constant"() <{value = dense<[3.000000e+00, 0.000000e+00]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
    // expect: batch_norm_inference-I5
    %5 = "stablehlo.batch_norm_inference"(%4, %1, %2, %3, %0) <{epsilon = 1.000000e+00 : f32, feature_index = 7 : i64}> : (tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<1x2xbf16>) -> tensor<1x2xbf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<2xui32>, %arg2: tensor<2xui32>, %arg3: tensor<2xui32>, %arg4: tensor<2xui32>):
    // expect: batch_norm_inference-I6
    %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) <{feature_index = 1 : i64}> : (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>) -> tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:-2>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xbf16>}> : () -> tensor<1x2xbf16>
    %1 = "stablehlo.constant"() <{value = dense<[2.000000e+00, 3.000000e+00]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
    %2 = "stablehlo.constant"() <{value = dense<[5.000000e-01, -1.000000e+00]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
    %3 = "stablehlo.constant"() <{value = dense<[0.000000e+00, 4.000000e+00]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
    %4 = "stablehlo.constant"() <{value = dense<[3.000000e+00, 0.000000e+00]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
    // expect: batch_norm_inference-I7
    %5 = "stablehlo.batch_norm_inference"(%0, %1, %2, %3, %4) <{epsilon = 1.000000e+00 : f32}> : (tensor<1x2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>) -> tensor<1xi32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x2xf64>, tensor<?xf64>, tensor<2xf64>, tensor<4xf64>, tensor<2xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x2xf64>, %arg1: tensor<?xf64>, %arg2: tensor<2xf64>, %arg3: tensor<4xf64>, %arg4: tensor<2xf64>):
    // expect: batch_norm_inference-C5
    %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) <{epsilon = 0.000000e+00 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf64>, tensor<?xf64>, tensor<2xf64>, tensor<4xf64>, tensor<2xf64>) -> tensor<1x2x2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x2xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<1xbf16>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x2xbf16>, %arg1: tensor<?xbf16>, %arg2: tensor<?xbf16>, %arg3: tensor<?xbf16>, %arg4: tensor<1xbf16>):
    // expect: batch_norm_inference-C6
    %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) <{epsilon = 1.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<1x2xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<1xbf16>) -> tensor<1x2xbf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
