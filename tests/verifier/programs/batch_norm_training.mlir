"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xf16>, tensor<2xf16>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<2xf16>, %arg2: tensor<2xf16>):
    // expect: batch_norm_training-C1
    %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) <{epsilon = 0.000000e+00 : f32, feature_index = 2 : i64}> : (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xf16>, tensor<2xf16>) -> (tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:-2>>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xf64>, tensor<2xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<2xf64>, %arg2: tensor<2xf64>):
    // expect: batch_norm_training-C2
    %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:-2>>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x0x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x0x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg2: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>):
    // expect: batch_norm_training-C3
    %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<2x0x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> (tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 1.000000e+00>>, tensor<2x!quant.uniform<i8:f32, 1.000000e+00>>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<0x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg2: tensor<0x!quant.uniform<i8:f32, 5.000000e-01:1>>):
    // expect: batch_norm_training-C4
    %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<0x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> (tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:-2>>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]], [[3.000000e+00, 4.000000e+00], [1.000000e+00, 2.000000e+00]]]> : tensor<2x2x2xf64>}> : () -> tensor<2x2x2xf64>
    %1 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<2xf64>}> : () -> tensor<2xf64>
    %2 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<2xf64>}> : () -> tensor<2xf64>
    // expect: batch_norm_training-C5
    %3:3 = "stablehlo.batch_norm_training"(%0, %1, %2) <{epsilon = 0.000000e+00 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2x2xf64>, tensor<3xf64>, tensor<2xf64>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]], [[3.000000e+00, 4.000000e+00], [1.000000e+00, 2.000000e+00]]]> : tensor<2x2x2xf64>}> : () -> tensor<2x2x2xf64>
    %1 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<2xf64>}> : () -> tensor<2xf64>
    %2 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<2xf64>}> : () -> tensor<2xf64>
    // expect: batch_norm_training-C6
    %3:3 = "stablehlo.batch_norm_training"(%0, %1, %2) <{epsilon = 0.000000e+00 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<0xf64>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]], [[3.000000e+00, 4.000000e+00], [1.000000e+00, 2.000000e+00]]]> : tensor<2x2x2xf64>}> : () -> tensor<2x2x2xf64>
    %1 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<2xf64>}> : () -> tensor<2xf64>
    %2 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<2xf64>}> : () -> tensor<2xf64>
    // expect: batch_norm_training-C7
    %3:3 = "stablehlo.batch_norm_training"(%0, %1, %2) <{epsilon = 0.000000e+00 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xi32>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2xi32>, %arg1: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg2: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>):
    // expect: batch_norm_training-I1
    %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg0, %arg2) <{epsilon = 0.000000e+00 : f32, feature_index = -1 : i64}> : (tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> (tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:-2>>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xi8>, tensor<2xi8>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<2xi8>, %arg2: tensor<2xi8>):
    // expect: batch_norm_training-I2
    %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xi8>, tensor<2xi8>) -> (tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 2.000000e+00:15>>, tensor<2xi1>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xf16>, tensor<2xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<2xf16>, %arg2: tensor<2xi64>):
    // expect: batch_norm_training-I3
    %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xf16>, tensor<2xi64>) -> (tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:-2>>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xi32>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xcomplex<f32>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2xi32>, %arg1: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg2: tensor<2xcomplex<f32>>):
    // expect: batch_norm_training-I4
    %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) <{feature_index = 1 : i64}> : (tensor<2x2xi32>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xcomplex<f32>>) -> (tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2xi4>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]], [[3.000000e+00, 4.000000e+00], [1.000000e+00, 2.000000e+00]]]> : tensor<2x2x2xf64>}> : () -> tensor<2x2x2xf64>
    %1 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<2xf64>}> : () -> tensor<2xf64>
    %2 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<2xf64>}> : () -> tensor<2xf64>
    // expect: batch_norm_training-I5
    %3:3 = "stablehlo.batch_norm_training"(%0, %1, %2) <{epsilon = "x"}> : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
