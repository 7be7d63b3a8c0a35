"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x1xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x1xi1>):
    %0 = "stablehlo.constant"() <{value = dense<[[[0.000000e+00], [5.000000e-01], [1.000000e+00], [1.500000e+00]]]> : tensor<1x4x1xf32>}> : () -> tensor<1x4x1xf32>
    // expect: convolution-C1
    %1 = "stablehlo.convolution"(%0, %arg0) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<1x4x1xf32>, tensor<2x1xi1>) -> tensor<0x3x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x1x2xf16>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x1x2xf16>):
    %0 = "stablehlo.constant"() <{value = dense<[[[0.000000e+00], [5.000000e-01], [1.000000e+00], [1.500000e+00]]]> : tensor<1x4x1xf32>}> : () -> tensor<1x4x1xf32>
    // expect: convolution-C10
    %1 = "stablehlo.convolution"(%0, %arg0) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<1x4x1xf32>, tensor<2x1x2xf16>) -> tensor<1x3x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi64>}> : () -> tensor<2x1x2xi64>
    %1 = "stablehlo.constant"() <{value = dense<[[[10]], [[100]]]> : tensor<2x1x1xi64>}> : () -> tensor<2x1x1xi64>
    // expect: convolution-C11
    %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 7 : i64}> : (tensor<2x1x2xi64>, tensor<2x1x1xi64>) -> tensor<2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi64>}> : () -> tensor<2x1x2xi64>
    %1 = "stablehlo.constant"() <{value = dense<[[[10]], [[100]]]> : tensor<2x1x1xi64>}> : () -> tensor<2x1x1xi64>
    // expect: convolution-C12
    %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, f]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64}> : (tensor<2x1x2xi64>, tensor<2x1x1xi64>) -> tensor<1x2x2x!quant.uniform<i32:f32, 1.000000e+00>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi64>}> : () -> tensor<2x1x2xi64>
    %1 = "stablehlo.constant"() <{value = dense<[[[10]], [[100]]]> : tensor<2x1x1xi64>}> : () -> tensor<2x1x1xi64>
    // expect: convolution-C14
    %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 0 : i64}> : (tensor<2x1x2xi64>, tensor<2x1x1xi64>) -> tensor<1x2x2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[(1.000000e+00,0.000000e+00), (2.000000e+00,0.000000e+00), (3.000000e+00,1.000000e+00), (4.000000e+00,0.000000e+00)]]]> : tensor<1x1x4xcomplex<f64>>}> : () -> tensor<1x1x4xcomplex<f64>>
    %1 = "stablehlo.constant"() <{value = dense<[[[(1.000000e+00,0.000000e+00), (0.000000e+00,1.000000e+00)]]]> : tensor<1x1x2xcomplex<f64>>}> : () -> tensor<1x1x2xcomplex<f64>>
    // expect: convolution-C15
    %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[f, 0, b]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64, rhs_dilation = array<i64: 2>}> : (tensor<1x1x4xcomplex<f64>>, tensor<1x1x2xcomplex<f64>>) -> tensor<2x1x2xcomplex<f64>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi64>}> : () -> tensor<2x1x2xi64>
    %1 = "stablehlo.constant"() <{value = dense<[[[10]], [[100]]]> : tensor<2x1x1xi64>}> : () -> tensor<2x1x1xi64>
    // expect: convolution-C17
    %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i]->[b, f, 0]>, feature_group_count = 1 : i64}> : (tensor<2x1x2xi64>, tensor<2x1x1xi64>) -> tensor<1x2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00]]]> : tensor<1x1x3xf64>}> : () -> tensor<1x1x3xf64>
    %1 = "stablehlo.constant"() <{value = dense<[[[1.000000e+00, 1.000000e+01]]]> : tensor<1x1x2xf64>}> : () -> tensor<1x1x2xf64>
    // expect: convolution-C19
    %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f]>, feature_group_count = 1 : i64, padding = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<1x1x3xf64>, tensor<1x1x2xf64>) -> tensor<1x1x3xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[[1], [2], [5], [6]], [[3], [4], [7], [8]], [[10], [11], [14], [15]], [[12], [13], [16], [17]]]]> : tensor<1x4x4x1xi64>}> : () -> tensor<1x4x4x1xi64>
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<3x3x1x1xi64>}> : () -> tensor<3x3x1x1xi64>
    // expect: convolution-C2
    %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 4>}> : (tensor<1x4x4x1xi64>, tensor<3x3x1x1xi64>) -> tensor<1x2x2x1xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi64>}> : () -> tensor<2x1x2xi64>
    %1 = "stablehlo.constant"() <{value = dense<[[[10]], [[100]]]> : tensor<2x1x1xi64>}> : () -> tensor<2x1x1xi64>
    // expect: convolution-C22
    %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = 0 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64}> : (tensor<2x1x2xi64>, tensor<2x1x1xi64>) -> tensor<1x2x2xi8>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[[1], [2], [5], [6]], [[3], [4], [7], [8]], [[10], [11], [14], [15]], [[12], [13], [16], [17]]]]> : tensor<1x4x4x1xi64>}> : () -> tensor<1x4x4x1xi64>
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<3x3x1x1xi64>}> : () -> tensor<3x3x1x1xi64>
    // expect: convolution-C24
    %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 4, 4>}> : (tensor<1x4x4x1xi64>, tensor<3x3x1x1xi64>) -> tensor<1x2x2x1xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x1x2xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x1x2xi1>):
    %0 = "stablehlo.constant"() <{value = dense<[[[0.000000e+00], [5.000000e-01], [1.000000e+00], [1.500000e+00]]]> : tensor<1x4x1xf32>}> : () -> tensor<1x4x1xf32>
    // expect: convolution-C25
    %1 = "stablehlo.convolution"(%0, %arg0) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, f, 0]>, feature_group_count = 1 : i64}> : (tensor<1x4x1xf32>, tensor<1x1x2xi1>) -> tensor<1x3x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x1x2xi4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x1x2xi4>):
    %0 = "stablehlo.constant"() <{value = dense<[[[0.000000e+00], [5.000000e-01], [1.000000e+00], [1.500000e+00]]]> : tensor<1x4x1xf32>}> : () -> tensor<1x4x1xf32>
    // expect: convolution-C27
    %1 = "stablehlo.convolution"(%0, %arg0) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<1x4x1xf32>, tensor<2x1x2xi4>) -> tensor<1x3x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x4x1x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x1x2xi4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x4x1x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<2x1x2xi4>):
    // expect: convolution-C28
    %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<1x4x1x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x1x2xi4>) -> tensor<1x3x2x!quant.uniform<i32:f32:2, {2.500000e-01,1.250000e-01:1}>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x1x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x1x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    %0 = "stablehlo.constant"() <{value = dense<[[[0.000000e+00], [5.000000e-01], [1.000000e+00], [1.500000e+00]]]> : tensor<1x4x1xf32>}> : () -> tensor<1x4x1xf32>
    // expect: convolution-C29
    %1 = "stablehlo.convolution"(%0, %arg0) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<1x4x1xf32>, tensor<2x1x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<1x3x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[[1], [2], [5], [6]], [[3], [4], [7], [8]], [[10], [11], [14], [15]], [[12], [13], [16], [17]]]]> : tensor<1x4x4x1xi64>}> : () -> tensor<1x4x4x1xi64>
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<3x3x1x1xi64>}> : () -> tensor<3x3x1x1xi64>
    // expect: convolution-C3
    %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 0, 1>}> : (tensor<1x4x4x1xi64>, tensor<3x3x1x1xi64>) -> tensor<1x2x2x1xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x4x1x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x1x2x!quant.uniform<i32:f32, 1.000000e+00>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x4x1x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<2x1x2x!quant.uniform<i32:f32, 1.000000e+00>>):
    // expect: convolution-C31
    %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<1x4x1x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x1x2x!quant.uniform<i32:f32, 1.000000e+00>>) -> tensor<1x3x2x!quant.uniform<i32:f32:2, {2.500000e-01,1.250000e-01:1}>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x4x1xui8>, tensor<2x1x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01:2}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x4x1xui8>, %arg1: tensor<2x1x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01:2}>>):
    // expect: convolution-C34
    %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<1x4x1xui8>, tensor<2x1x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01:2}>>) -> tensor<1x3x2xi4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[[1], [2], [5], [6]], [[3], [4], [7], [8]], [[10], [11], [14], [15]], [[12], [13], [16], [17]]]]> : tensor<1x4x4x1xi64>}> : () -> tensor<1x4x4x1xi64>
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<3x3x1x1xi64>}> : () -> tensor<3x3x1x1xi64>
    // expect: convolution-C4
    %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2, 2>, padding = dense<0> : tensor<1x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>, window_strides = array<i64: 4, 4>}> : (tensor<1x4x4x1xi64>, tensor<3x3x1x1xi64>) -> tensor<1x2x2x0xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[[1], [2], [5], [6]], [[3], [4], [7], [8]], [[10], [11], [14], [15]], [[12], [13], [16], [17]]]]> : tensor<1x4x4x1xi64>}> : () -> tensor<1x4x4x1xi64>
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<3x3x1x1xi64>}> : () -> tensor<3x3x1x1xi64>
    // expect: convolution-C5
    %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2>, padding = dense<0> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 4, 4>}> : (tensor<1x4x4x1xi64>, tensor<3x3x1x1xi64>) -> tensor<1x2x2x1xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[[1], [2], [5], [6]], [[3], [4], [7], [8]], [[10], [11], [14], [15]], [[12], [13], [16], [17]]]]> : tensor<1x4x4x1xi64>}> : () -> tensor<1x4x4x1xi64>
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<3x3x1x1xi64>}> : () -> tensor<3x3x1x1xi64>
    // expect: convolution-C6
    %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = -1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 0, 1>, padding = dense<0> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 4, 4>}> : (tensor<1x4x4x1xi64>, tensor<3x3x1x1xi64>) -> tensor<1x2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[(1.000000e+00,0.000000e+00), (2.000000e+00,0.000000e+00), (3.000000e+00,1.000000e+00), (4.000000e+00,0.000000e+00)]]]> : tensor<1x1x4xcomplex<f64>>}> : () -> tensor<1x1x4xcomplex<f64>>
    %1 = "stablehlo.constant"() <{value = dense<[[[(1.000000e+00,0.000000e+00), (0.000000e+00,1.000000e+00)]]]> : tensor<1x1x2xcomplex<f64>>}> : () -> tensor<1x1x2xcomplex<f64>>
    // expect: convolution-C7
    %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64, rhs_dilation = array<i64: 0, 1>}> : (tensor<1x1x4xcomplex<f64>>, tensor<1x1x2xcomplex<f64>>) -> tensor<1x1x2xbf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[(1.000000e+00,0.000000e+00), (2.000000e+00,0.000000e+00), (3.000000e+00,1.000000e+00), (4.000000e+00,0.000000e+00)]]]> : tensor<1x1x4xcomplex<f64>>}> : () -> tensor<1x1x4xcomplex<f64>>
    %1 = "stablehlo.constant"() <{value = dense<[[[(1.000000e+00,0.000000e+00), (0.000000e+00,1.000000e+00)]]]> : tensor<1x1x2xcomplex<f64>>}> : () -> tensor<1x1x2xcomplex<f64>>
    // expect: convolution-C8
    %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64, rhs_dilation = array<i64: 0>}> : (tensor<1x1x4xcomplex<f64>>, tensor<1x1x2xcomplex<f64>>) -> tensor<?x1x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00]]]> : tensor<1x1x3xf64>}> : () -> tensor<1x1x3xf64>
    %1 = "stablehlo.constant"() <{value = dense<[[[1.000000e+00, 1.000000e+01]]]> : tensor<1x1x2xf64>}> : () -> tensor<1x1x2xf64>
    // expect: convolution-C9
    %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64, padding = dense<[[1, -1]]> : tensor<1x2xi64>, window_reversal = array<i1: true, true>}> : (tensor<1x1x3xf64>, tensor<1x1x2xf64>) -> tensor<1x1x2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x4x1xi32>, tensor<2x1x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01:2}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x4x1xi32>, %arg1: tensor<2x1x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01:2}>>):
    // expect: convolution-I1
    %0 = "stablehlo.convolution"(%arg1, %arg0) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<2x1x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01:2}>>, tensor<1x4x1xi32>) -> tensor<1x3x2x!quant.uniform<i32:f32:2, {2.500000e-01,1.250000e-01:1}>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi64>}> : () -> tensor<2x1x2xi64>
    %1 = "stablehlo.constant"() <{value = dense<[[[10]], [[100]]]> : tensor<2x1x1xi64>}> : () -> tensor<2x1x1xi64>
    // expect: convolution-I17
    %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = 7 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>}> : (tensor<2x1x2xi64>, tensor<2x1x1xi64>) -> tensor<1x2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi64>}> : () -> tensor<2x1x2xi64>
    %1 = "stablehlo.constant"() <{value = dense<[[[10]], [[100]]]> : tensor<2x1x1xi64>}> : () -> tensor<2x1x1xi64>
    // expect: convolution-I18
    %2 = "stablehlo.convolution"(%0, %1) <{dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64}> : (tensor<2x1x2xi64>, tensor<2x1x1xi64>) -> tensor<1x2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[[1], [2], [5], [6]], [[3], [4], [7], [8]], [[10], [11], [14], [15]], [[12], [13], [16], [17]]]]> : tensor<1x4x4x1xi64>}> : () -> tensor<1x4x4x1xi64>
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<3x3x1x1xi64>}> : () -> tensor<3x3x1x1xi64>
    // expect: convolution-I19
    %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 0 : i64, lhs_dilation = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>, precision_config = #stablehlo<precision HIGH>, rhs_dilation = array<i64: 1, 2>, window_strides = array<i64: 4, 4>}> : (tensor<1x4x4x1xi64>, tensor<3x3x1x1xi64>) -> tensor<1x2x2x1xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01:2}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01:2}>>):
    %0 = "stablehlo.constant"() <{value = dense<[[[0.000000e+00], [5.000000e-01], [1.000000e+00], [1.500000e+00]]]> : tensor<1x4x1xf32>}> : () -> tensor<1x4x1xf32>
    // expect: convolution-I2
    %1 = "stablehlo.convolution"(%0, %arg0) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<1x4x1xf32>, tensor<1x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01:2}>>) -> tensor<1x3x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[[1], [2], [5], [6]], [[3], [4], [7], [8]], [[10], [11], [14], [15]], [[12], [13], [16], [17]]]]> : tensor<1x4x4x1xi64>}> : () -> tensor<1x4x4x1xi64>
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<3x3x1x1xi64>}> : () -> tensor<3x3x1x1xi64>
    // expect: convolution-I3
    %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = 1 : i32}> : (tensor<1x4x4x1xi64>, tensor<3x3x1x1xi64>) -> tensor<1x2x2x1xi8>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00]]]> : tensor<1x1x3xf64>}> : () -> tensor<1x1x3xf64>
    %1 = "stablehlo.constant"() <{value = dense<[[[1.000000e+00, 1.000000e+01]]]> : tensor<1x1x2xf64>}> : () -> tensor<1x1x2xf64>
    // expect: convolution-I4
    %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64, padding = [1]}> : (tensor<1x1x3xf64>, tensor<1x1x2xf64>) -> tensor<1x1x3xi4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[[1], [2], [5], [6]], [[3], [4], [7], [8]], [[10], [11], [14], [15]], [[12], [13], [16], [17]]]]> : tensor<1x4x4x1xi64>}> : () -> tensor<1x4x4x1xi64>
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<3x3x1x1xi64>}> : () -> tensor<3x3x1x1xi64>
    // expect: convolution-I5
    %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = false, padding = dense<0> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 4, 4>}> : (tensor<1x4x4x1xi64>, tensor<3x3x1x1xi64>) -> tensor<1x2x2x1xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[(1.000000e+00,0.000000e+00), (2.000000e+00,0.000000e+00), (3.000000e+00,1.000000e+00), (4.000000e+00,0.000000e+00)]]]> : tensor<1x1x4xcomplex<f64>>}> : () -> tensor<1x1x4xcomplex<f64>>
    %1 = "stablehlo.constant"() <{value = dense<[[[(1.000000e+00,0.000000e+00), (0.000000e+00,1.000000e+00)]]]> : tensor<1x1x2xcomplex<f64>>}> : () -> tensor<1x1x2xcomplex<f64>>
    // expect: convolution-I6
    %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64, rhs_dilation = 1 : i64}> : (tensor<1x1x4xcomplex<f64>>, tensor<1x1x2xcomplex<f64>>) -> tensor<1x1x2xf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00]]]> : tensor<1x1x3xf64>}> : () -> tensor<1x1x3xf64>
    %1 = "stablehlo.constant"() <{value = dense<[[[1.000000e+00, 1.000000e+01]]]> : tensor<1x1x2xf64>}> : () -> tensor<1x1x2xf64>
    // expect: convolution-I7
    %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64, padding = dense<[[1, -1]]> : tensor<1x2xi64>, window_reversal = f32}> : (tensor<1x1x3xf64>, tensor<1x1x2xf64>) -> tensor<1x1x2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x?x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01:2}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x?x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01:2}>>):
    %0 = "stablehlo.constant"() <{value = dense<[[[0.000000e+00], [5.000000e-01], [1.000000e+00], [1.500000e+00]]]> : tensor<1x4x1xf32>}> : () -> tensor<1x4x1xf32>
    // expect: convolution-C21
    %1 = "stablehlo.convolution"(%0, %arg0) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 0 : i64}> : (tensor<1x4x1xf32>, tensor<2x?x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01:2}>>) -> tensor<1x3x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x2x2xf32>, tensor<1x1x1xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x2x2xf32>, %arg1: tensor<1x1x1xf32>):
    // expect: convolution-C16
    %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 2 : i64}> : (tensor<1x2x2xf32>, tensor<1x1x1xf32>) -> tensor<1x2x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x1xf32>, tensor<2x1x1x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x1xf32>, %arg1: tensor<2x1x1x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: convolution-C23
    %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 2 : i64}> : (tensor<2x2x1xf32>, tensor<2x1x1x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<1x2x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x4x1x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x1x2x!quant.uniform<i8:f32, 2.000000e+00:15>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x4x1x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<2x1x2x!quant.uniform<i8:f32, 2.000000e+00:15>>):
    // expect: convolution-C33
    %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<1x4x1x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x1x2x!quant.uniform<i8:f32, 2.000000e+00:15>>) -> tensor<1x3x2x!quant.uniform<i32:f32:2, {2.500000e-01,1.250000e-01:1}>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x1x2xi64>, tensor<2x1x1xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x1x2xi64>, %arg1: tensor<2x1x1xi64>):
    // expect: convolution-I8
    %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 2 : i64, feature_group_count = 1 : i64}> : (tensor<2x1x2xi64>, tensor<2x1x1xi64>) -> tensor<1x2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
func.func @main(%x: tensor<1x4x4x2x!quant.uniform<i8:f32, 1.0>>, %k: tensor<2x2x2x4x!quant.uniform<i8:f32:3, {1.0, 1.0, 2.0, 2.0}>>) {
  // expect: convolution-C30
  %0 = "stablehlo.convolution"(%x, %k) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<1x4x4x2x!quant.uniform<i8:f32, 1.0>>, tensor<2x2x2x4x!quant.uniform<i8:f32:3, {1.0, 1.0, 2.0, 2.0}>>) -> tensor<1x3x3x4x!quant.uniform<i32:f32:1, {1.0, 1.0, 2.0}>>
  return
}
// -----
func.func @main(%x: tensor<1x4x4x2x!quant.uniform<i8:f32, 1.0>>, %k: tensor<2x2x2x4x!quant.uniform<i8:f32, 1.0>>) {
  // expect: convolution-C32
  %0 = "stablehlo.convolution"(%x, %k) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<1x4x4x2x!quant.uniform<i8:f32, 1.0>>, tensor<2x2x2x4x!quant.uniform<i8:f32, 1.0>>) -> tensor<1x3x3x4x!quant.uniform<i32:f64, 1.0>>
  return
}
