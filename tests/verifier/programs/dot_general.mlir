"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<> : tensor<2x0xf64>}> : () -> tensor<2x0xf64>
    %1 = "stablehlo.constant"() <{value = dense<> : tensor<0x3xf64>}> : () -> tensor<0x3xf64>
    // expect: dot_general-C1
    %2 = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<rhs_batching_dimensions = [0], rhs_contracting_dimensions = [0]>}> : (tensor<2x0xf64>, tensor<0x3xf64>) -> tensor<2x3xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<> : tensor<2x0xf64>}> : () -> tensor<2x0xf64>
    %1 = "stablehlo.constant"() <{value = dense<> : tensor<0x3xf64>}> : () -> tensor<0x3xf64>
    // expect: dot_general-C10
    %2 = "stablehlo.dot_general"(%1, %0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<0x3xf64>, tensor<2x0xf64>) -> tensor<2x3xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>}> : () -> tensor<2x2x2xi64>
    %1 = "stablehlo.constant"() <{value = dense<[[[1, 0], [0, 1]], [[1, 0], [0, 1]]]> : tensor<2x2x2xi64>}> : () -> tensor<2x2x2xi64>
    // expect: dot_general-C11
    %2 = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x2xi64>, tensor<2x2x2xi64>) -> tensor<2x2x2xi4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>}> : () -> tensor<2xf64>
    %1 = "stablehlo.constant"() <{value = dense<[3.000000e+00, 4.000000e+00, 5.000000e+00]> : tensor<3xf64>}> : () -> tensor<3xf64>
    // expect: dot_general-C12
    %2 = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<>}> : (tensor<2xf64>, tensor<3xf64>) -> tensor<3xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xi4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2xi4>):
    %0 = "stablehlo.constant"() <{value = dense<[[1.000000e+00, 2.000000e+00], [0.000000e+00, -1.000000e+00]]> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
    // expect: dot_general-C13
    %1 = "stablehlo.dot_general"(%0, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x2xf32>, tensor<2x2xi4>) -> tensor<2x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>}> : () -> tensor<2xf64>
    %1 = "stablehlo.constant"() <{value = dense<[3.000000e+00, 4.000000e+00, 5.000000e+00]> : tensor<3xf64>}> : () -> tensor<3xf64>
    // expect: dot_general-C14
    %2 = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<>}> : (tensor<2xf64>, tensor<3xf64>) -> tensor<2x3x!quant.uniform<i8:f32, 1.000000e+00>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i8:f32, 2.000000e+00:15>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i8:f32, 2.000000e+00:15>>):
    %0 = "stablehlo.constant"() <{value = dense<[[1.000000e+00, 2.000000e+00], [0.000000e+00, -1.000000e+00]]> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
    // expect: dot_general-C15
    %1 = "stablehlo.dot_general"(%0, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x2xf32>, tensor<2x2x!quant.uniform<i8:f32, 2.000000e+00:15>>) -> tensor<2x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    %0 = "stablehlo.constant"() <{value = dense<[[1.000000e+00, 2.000000e+00], [0.000000e+00, -1.000000e+00]]> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
    // expect: dot_general-C16
    %1 = "stablehlo.dot_general"(%0, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x2xf32>, tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<2x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i32:f32, 1.000000e+00>>, tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i32:f32, 1.000000e+00>>, %arg1: tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>):
    // expect: dot_general-C17
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x2x!quant.uniform<i32:f32, 1.000000e+00>>, tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>) -> tensor<2x2x!quant.uniform<i32:f32:1, {2.500000e-01:1,1.250000e-01}>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i8:f32, 1.000000e+00>>, tensor<2x2x!quant.uniform<i8:f32, 1.000000e+00>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i8:f32, 1.000000e+00>>, %arg1: tensor<2x2x!quant.uniform<i8:f32, 1.000000e+00>>):
    // expect: dot_general-C19
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x2x!quant.uniform<i8:f32, 1.000000e+00>>, tensor<2x2x!quant.uniform<i8:f32, 1.000000e+00>>) -> tensor<2x2x!quant.uniform<i32:f32:1, {2.500000e-01:1,1.250000e-01}>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<> : tensor<2x0xf64>}> : () -> tensor<2x0xf64>
    %1 = "stablehlo.constant"() <{value = dense<> : tensor<0x3xf64>}> : () -> tensor<0x3xf64>
    // expect: dot_general-C2
    %2 = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1]>}> : (tensor<2x0xf64>, tensor<0x3xf64>) -> tensor<3x?xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[true, false], [false, true]]> : tensor<2x2xi1>}> : () -> tensor<2x2xi1>
    %1 = "stablehlo.constant"() <{value = dense<[[false, false], [true, true]]> : tensor<2x2xi1>}> : () -> tensor<2x2xi1>
    // expect: dot_general-C3
    %2 = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 1], rhs_contracting_dimensions = [1, 0]>}> : (tensor<2x2xi1>, tensor<2x2xi1>) -> tensor<i1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[true, false], [false, true]]> : tensor<2x2xi1>}> : () -> tensor<2x2xi1>
    %1 = "stablehlo.constant"() <{value = dense<[[false, false], [true, true]]> : tensor<2x2xi1>}> : () -> tensor<2x2xi1>
    // expect: dot_general-C4
    %2 = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [1, 1]>}> : (tensor<2x2xi1>, tensor<2x2xi1>) -> tensor<i1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>}> : () -> tensor<2xf64>
    %1 = "stablehlo.constant"() <{value = dense<[3.000000e+00, 4.000000e+00, 5.000000e+00]> : tensor<3xf64>}> : () -> tensor<3xf64>
    // expect: dot_general-C5
    %2 = "stablehlo.dot_general"(%1, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [7], rhs_batching_dimensions = [0]>}> : (tensor<3xf64>, tensor<3xf64>) -> tensor<2x4xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<> : tensor<2x0xf64>}> : () -> tensor<2x0xf64>
    %1 = "stablehlo.constant"() <{value = dense<> : tensor<0x3xf64>}> : () -> tensor<0x3xf64>
    // expect: dot_general-C6
    %2 = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<2x0xf64>, tensor<0x3xf64>) -> tensor<2x3xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>}> : () -> tensor<2xf64>
    %1 = "stablehlo.constant"() <{value = dense<[3.000000e+00, 4.000000e+00, 5.000000e+00]> : tensor<3xf64>}> : () -> tensor<3xf64>
    // expect: dot_general-C7
    %2 = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1]>}> : (tensor<2xf64>, tensor<3xf64>) -> tensor<2x3x2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<> : tensor<2x0xf64>}> : () -> tensor<2x0xf64>
    %1 = "stablehlo.constant"() <{value = dense<> : tensor<0x3xf64>}> : () -> tensor<0x3xf64>
    // expect: dot_general-C8
    %2 = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>}> : (tensor<2x0xf64>, tensor<0x3xf64>) -> tensor<3x2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>}> : () -> tensor<2xf64>
    %1 = "stablehlo.constant"() <{value = dense<[3.000000e+00, 4.000000e+00, 5.000000e+00]> : tensor<3xf64>}> : () -> tensor<3xf64>
    // expect: dot_general-C9
    %2 = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0]>}> : (tensor<2xf64>, tensor<3xf64>) -> tensor<2x3xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>):
    %0 = "stablehlo.constant"() <{value = dense<[[1.000000e+00, 2.000000e+00], [0.000000e+00, -1.000000e+00]]> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
    // expect: dot_general-I1
    %1 = "stablehlo.dot_general"(%arg0, %0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [7], rhs_contracting_dimensions = [0]>}> : (tensor<2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>, tensor<2x2xf32>) -> tensor<2x2xf8E4M3FN>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>):
    %0 = "stablehlo.constant"() <{value = dense<[[1.000000e+00, 2.000000e+00], [0.000000e+00, -1.000000e+00]]> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
    // expect: dot_general-I2
    %1 = "stablehlo.dot_general"(%0, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x2xf32>, tensor<2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>) -> tensor<2x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>}> : () -> tensor<2x2x2xi64>
    %1 = "stablehlo.constant"() <{value = dense<[[[1, 0], [0, 1]], [[1, 0], [0, 1]]]> : tensor<2x2x2xi64>}> : () -> tensor<2x2x2xi64>
    // expect: dot_general-I7
    %2 = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = true}> : (tensor<2x2x2xi64>, tensor<2x2x2xi64>) -> tensor<2x2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xi8>, tensor<2xi8>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2xi8>, %arg1: tensor<2xi8>):
    // expect: dot_general-I3
    %0 = "stablehlo.dot_general"(%arg0, %arg1) : (tensor<2x2xi8>, tensor<2xi8>) -> tensor<2xi32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
func.func @main(%x: tensor<2x!quant.uniform<i8:f32, 1.0>>, %y: tensor<2x!quant.uniform<i8:f32, 1.0>>) {
  // expect: dot_general-C18
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<2x!quant.uniform<i8:f32, 1.0>>, tensor<2x!quant.uniform<i8:f32, 1.0>>) -> tensor<!quant.uniform<i32:f64, 1.0>>
  return
}
