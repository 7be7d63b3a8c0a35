"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[1, 2, 3, 4]> : tensor<4xi64>}> : () -> tensor<4xi64>
    %1 = "stablehlo.constant"() <{value = dense<[-1, -2]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %2 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    // expect: dynamic_update_slice-C1
    %3 = "stablehlo.dynamic_update_slice"(%1, %2) : (tensor<2xi64>, tensor<i32>) -> tensor<i64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[1, 2, 3, 4]> : tensor<4xi64>}> : () -> tensor<4xi64>
    %1 = "stablehlo.constant"() <{value = dense<[-1, -2]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %2 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    // expect: dynamic_update_slice-C2
    %3 = "stablehlo.dynamic_update_slice"(%0, %2) : (tensor<4xi64>, tensor<i32>) -> tensor<4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<1x2x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<1x2x!quant.uniform<i8:f32, 5.000000e-01:1>>):
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    // expect: dynamic_update_slice-C3
    %2 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %0, %1) : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<1x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<i32>, tensor<i32>) -> tensor<3x!quant.uniform<i8:f32, 5.000000e-01:1>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[1, 2, 3, 4]> : tensor<4xi64>}> : () -> tensor<4xi64>
    %1 = "stablehlo.constant"() <{value = dense<[-1, -2]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %2 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    // expect: dynamic_update_slice-C4
    %3 = "stablehlo.dynamic_update_slice"(%0, %1) : (tensor<4xi64>, tensor<2xi64>) -> tensor<4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<1x4x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<1x4x!quant.uniform<i8:f32, 5.000000e-01:1>>):
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    // expect: dynamic_update_slice-C6
    %2 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %0, %1) : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<1x4x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<i32>, tensor<i32>) -> tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:1>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<1x2x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, %arg1: tensor<1x2x!quant.uniform<i8:f32, 5.000000e-01:1>>):
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    // expect: dynamic_update_slice-I1
    %2 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %0, %1) : (tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<1x2x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<i32>, tensor<i32>) -> tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<1x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<1x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    // expect: dynamic_update_slice-I2
    %2 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %0, %1) : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<1x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<i32>, tensor<i32>) -> tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:1>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[1, 2, 3, 4]> : tensor<4xi64>}> : () -> tensor<4xi64>
    %1 = "stablehlo.constant"() <{value = dense<[-1, -2]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %2 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    // expect: dynamic_update_slice-I3
    %3 = "stablehlo.dynamic_update_slice"(%2, %1, %0) : (tensor<i32>, tensor<2xi64>, tensor<4xi64>) -> tensor<4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x4xi32>, tensor<2x2xi32>, tensor<i8>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x4xi32>, %arg1: tensor<2x2xi32>, %arg2: tensor<i8>, %arg3: tensor<i64>):
    // expect: dynamic_update_slice-C5
    %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<4x4xi32>, tensor<2x2xi32>, tensor<i8>, tensor<i64>) -> tensor<4x4xi32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
