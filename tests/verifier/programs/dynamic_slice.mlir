"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf64>}> : () -> tensor<4xf64>
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<ui8>}> : () -> tensor<ui8>
    // expect: dynamic_slice-C1
    %2 = "stablehlo.dynamic_slice"(%1) <{slice_sizes = array<i64>}> : (tensor<ui8>) -> tensor<2xi4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf64>}> : () -> tensor<4xf64>
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<ui8>}> : () -> tensor<ui8>
    // expect: dynamic_slice-C2
    %2 = "stablehlo.dynamic_slice"(%0) <{slice_sizes = array<i64>}> : (tensor<4xf64>) -> tensor<2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf64>}> : () -> tensor<4xf64>
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<ui8>}> : () -> tensor<ui8>
    // expect: dynamic_slice-C4
    %2 = "stablehlo.dynamic_slice"(%0, %1) <{slice_sizes = array<i64: 7>}> : (tensor<4xf64>, tensor<ui8>) -> tensor<f64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf64>}> : () -> tensor<4xf64>
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<ui8>}> : () -> tensor<ui8>
    // expect: dynamic_slice-C5
    %2 = "stablehlo.dynamic_slice"(%0, %1) <{slice_sizes = array<i64: 2>}> : (tensor<4xf64>, tensor<ui8>) -> tensor<f64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    // expect: dynamic_slice-I1
    %2 = "stablehlo.dynamic_slice"(%arg0, %0, %1) <{slice_sizes = array<i64: 2, 1>}> : (tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<i32>, tensor<i32>) -> tensor<2x1x!quant.uniform<i8:f32, 5.000000e-01:1>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf64>}> : () -> tensor<4xf64>
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<ui8>}> : () -> tensor<ui8>
    // expect: dynamic_slice-I2
    %2 = "stablehlo.dynamic_slice"(%1, %0) <{slice_sizes = array<i64>}> : (tensor<ui8>, tensor<4xf64>) -> tensor<2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf64>}> : () -> tensor<4xf64>
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<ui8>}> : () -> tensor<ui8>
    // expect: dynamic_slice-I3
    %2 = "stablehlo.dynamic_slice"(%0, %1) : (tensor<4xf64>, tensor<ui8>) -> tensor<f64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x4xi32>, tensor<i64>, tensor<i8>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x4xi32>, %arg1: tensor<i64>, %arg2: tensor<i8>):
    // expect: dynamic_slice-C3
    %0 = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) <{slice_sizes = array<i64: 2, 2>}> : (tensor<4x4xi32>, tensor<i64>, tensor<i8>) -> tensor<2x2xi32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
