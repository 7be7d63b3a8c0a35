"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<2xf32>, %arg2: tensor<2xf32>, %arg3: tensor<2xf32>, %arg4: tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>):
    // expect: batch_norm_grad-C1
    %0:3 = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg2, %arg3, %arg4) <{epsilon = 0.000000e+00 : f32, feature_index = 7 : i64}> : (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> (tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:-2>>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x1x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<2xf32>, %arg2: tensor<2xf32>, %arg3: tensor<2xf32>, %arg4: tensor<2x1x!quant.uniform<i8:f32, 5.000000e-01:1>>):
    // expect: batch_norm_grad-C2
    %0:3 = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg2, %arg3, %arg4) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x1x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> (tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:-2>>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[1.000000e+00, 3.000000e+00]]> : tensor<1x2xf64>}> : () -> tensor<1x2xf64>
    %1 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<1xf64>}> : () -> tensor<1xf64>
    %2 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<1xf64>}> : () -> tensor<1xf64>
    %3 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<1xf64>}> : () -> tensor<1xf64>
    %4 = "stablehlo.constant"() <{value = dense<[[1.000000e+00, 0.000000e+00]]> : tensor<1x2xf64>}> : () -> tensor<1x2xf64>
    // expect: batch_norm_grad-C3
    %5:3 = "stablehlo.batch_norm_grad"(%0, %1, %2, %3, %3) <{epsilon = 1.000000e+00 : f32, feature_index = 0 : i64}> : (tensor<1x2xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>) -> (tensor<1xf64>, tensor<0xf64>, tensor<1xf64>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[1.000000e+00, 3.000000e+00]]> : tensor<1x2xf64>}> : () -> tensor<1x2xf64>
    %1 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<1xf64>}> : () -> tensor<1xf64>
    %2 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<1xf64>}> : () -> tensor<1xf64>
    %3 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<1xf64>}> : () -> tensor<1xf64>
    %4 = "stablehlo.constant"() <{value = dense<[[1.000000e+00, 0.000000e+00]]> : tensor<1x2xf64>}> : () -> tensor<1x2xf64>
    // expect: batch_norm_grad-C4
    %5:3 = "stablehlo.batch_norm_grad"(%0, %1, %2, %3, %4) <{epsilon = 1.000000e+00 : f32, feature_index = 0 : i64}> : (tensor<1x2xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1x2xf64>) -> (tensor<1x2xf64>, tensor<2xf64>, tensor<1xf64>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[1.000000e+00, 3.000000e+00]]> : tensor<1x2xf64>}> : () -> tensor<1x2xf64>
    %1 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<1xf64>}> : () -> tensor<1xf64>
    %2 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<1xf64>}> : () -> tensor<1xf64>
    %3 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<1xf64>}> : () -> tensor<1xf64>
    %4 = "stablehlo.constant"() <{value = dense<[[1.000000e+00, 0.000000e+00]]> : tensor<1x2xf64>}> : () -> tensor<1x2xf64>
    // expect: batch_norm_grad-C5
    %5:3 = "stablehlo.batch_norm_grad"(%0, %1, %2, %3, %4) <{epsilon = 1.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<1x2xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1x2xf64>) -> (tensor<1x2xf64>, tensor<1xf64>, tensor<1xf64>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xi4>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x2xi4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2xi4>, %arg1: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg2: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg3: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg4: tensor<2x2xi4>):
    // expect: batch_norm_grad-I1
    %0:3 = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg2, %arg3, %arg4) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<2x2xi4>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x2xi4>) -> (tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:-2>>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xi4>, tensor<2xi4>, tensor<2xi4>, tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<2xi4>, %arg2: tensor<2xi4>, %arg3: tensor<2xi4>, %arg4: tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>):
    // expect: batch_norm_grad-I2
    %0:3 = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg2, %arg3, %arg4) <{epsilon = 0.000000e+00 : f32, feature_index = 2 : i64}> : (tensor<1x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2xi4>, tensor<2xi4>, tensor<2xi4>, tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> (tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:-2>>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[1.000000e+00, 3.000000e+00]]> : tensor<1x2xf64>}> : () -> tensor<1x2xf64>
    %1 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<1xf64>}> : () -> tensor<1xf64>
    %2 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<1xf64>}> : () -> tensor<1xf64>
    %3 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<1xf64>}> : () -> tensor<1xf64>
    %4 = "stablehlo.constant"() <{value = dense<[[1.000000e+00, 0.000000e+00]]> : tensor<1x2xf64>}> : () -> tensor<1x2xf64>
    // expect: batch_norm_grad-I3
    %5:3 = "stablehlo.batch_norm_grad"(%0, %1, %4, %3, %2) <{epsilon = 1.000000e+00 : f32, feature_index = 0 : i64}> : (tensor<1x2xf64>, tensor<1xf64>, tensor<1x2xf64>, tensor<1xf64>, tensor<1xf64>) -> (tensor<2xf64>, tensor<1xf64>, tensor<0xf64>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[1.000000e+00, 3.000000e+00]]> : tensor<1x2xf64>}> : () -> tensor<1x2xf64>
    %1 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<1xf64>}> : () -> tensor<1xf64>
    %2 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<1xf64>}> : () -> tensor<1xf64>
    %3 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<1xf64>}> : () -> tensor<1xf64>
    %4 = "stablehlo.constant"() <{value = dense<[[1.000000e+00, 0.000000e+00]]> : tensor<1x2xf64>}> : () -> tensor<1x2xf64>
    // expect: batch_norm_grad-I4
    %5:3 = "stablehlo.batch_norm_grad"(%3, %1, %2, %0, %4) <{epsilon = 1.000000e+00 : f32, feature_index = 0 : i64}> : (tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1x2xf64>, tensor<1x2xf64>) -> (tensor<1x2xf64>, tensor<1xf64>, tensor<1xf64>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x2xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg2: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg3: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg4: tensor<2x2xi1>):
    // expect: batch_norm_grad-I5
    %0:3 = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg2, %arg3, %arg4) <{epsilon = 0.000000e+00 : f32, feature_index = 2 : i64}> : (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x2xi1>) -> (tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:-2>>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[1.000000e+00, 3.000000e+00]]> : tensor<1x2xf64>}> : () -> tensor<1x2xf64>
    %1 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<1xf64>}> : () -> tensor<1xf64>
    %2 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<1xf64>}> : () -> tensor<1xf64>
    %3 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<1xf64>}> : () -> tensor<1xf64>
    %4 = "stablehlo.constant"() <{value = dense<[[1.000000e+00, 0.000000e+00]]> : tensor<1x2xf64>}> : () -> tensor<1x2xf64>
    // expect: batch_norm_grad-I6
    %5:3 = "stablehlo.batch_norm_grad"(%0, %1, %2, %3, %4) <{feature_index = "x"}> : (tensor<1x2xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1x2xf64>) -> (tensor<1x2xf64>, tensor<1xf64>, tensor<1xf64>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xi4>, tensor<2xui8>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x2xi4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2xi4>, %arg1: tensor<2xui8>, %arg2: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg3: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg4: tensor<2x2xi4>):
    // expect: batch_norm_grad-I7
    %0:3 = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg2, %arg3, %arg4) <{epsilon = 0.000000e+00 : f32, feature_index = [1]}> : (tensor<2x2xi4>, tensor<2xui8>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x2xi4>) -> (tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:-2>>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
