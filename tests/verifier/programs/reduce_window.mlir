"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x2xi64>, %arg1: tensor<i64>):
    // expect: reduce_window-C10
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 2, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>}> ({
    ^bb0(%arg2: tensor<i64>, %arg3: tensor<i64>):
      %1 = "stablehlo.add"(%arg2, %arg3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x2xi64>, %arg1: tensor<i64>):
    // expect: reduce_window-C11
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 2, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: -1, 1>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>}> ({
    ^bb0(%arg2: tensor<i64>, %arg3: tensor<i64>):
      %1 = "stablehlo.add"(%arg2, %arg3) : (tensor<i64>, tensor<i64>) -> tensor<2xi64>
      "stablehlo.return"(%1) : (tensor<2xi64>) -> ()
    }) : (tensor<3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x2xi64>, %arg1: tensor<i64>):
    // expect: reduce_window-C12
    %0 = "stablehlo.reduce_window"(%arg0, %arg0) <{base_dilations = array<i64: 2, 1>, padding = dense<[[2, 1]]> : tensor<1x2xi64>, window_dilations = array<i64: 3, 1>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>}> ({
    ^bb0(%arg2: tensor<i64>, %arg3: tensor<i64>):
      %1 = "stablehlo.add"(%arg2, %arg3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<3x2xi64>, tensor<3x2xi64>) -> tensor<2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf64>, tensor<f64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf64>, %arg1: tensor<f64>):
    // expect: reduce_window-C13
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 2, 2>}> ({
    ^bb0(%arg2: tensor<f64>, %arg3: tensor<f64>):
      %1 = "stablehlo.maximum"(%arg2) : (tensor<f64>) -> tensor<3xf64>
      "stablehlo.return"(%1) : (tensor<3xf64>) -> ()
    }) : (tensor<2x3xf64>, tensor<f64>) -> tensor<1x2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xi64>, tensor<3xf64>, tensor<i64>, tensor<f64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xi64>, %arg1: tensor<3xf64>, %arg2: tensor<i64>, %arg3: tensor<f64>):
    // expect: reduce_window-C14
    %0:2 = "stablehlo.reduce_window"(%arg0, %arg1, %arg2, %arg3) <{window_dimensions = array<i64: 2>}> ({
    ^bb0(%arg4: tensor<i64>, %arg5: tensor<f64>, %arg6: tensor<i64>, %arg7: tensor<f64>):
      %1 = "stablehlo.add"(%arg4, %arg4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %2 = "stablehlo.multiply"(%arg5, %arg7) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      "stablehlo.return"(%1, %2) : (tensor<i64>, tensor<f64>) -> ()
    }) : (tensor<3xi64>, tensor<3xf64>, tensor<i64>, tensor<f64>) -> (tensor<2xi64>, tensor<3xf64>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi64>, %arg1: tensor<i64>):
    // expect: reduce_window-C15
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 4>}> ({
    ^bb0(%arg2: tensor<i64>, %arg3: tensor<i64>):
      %1 = "stablehlo.add"(%arg2, %arg3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf64>, tensor<f64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf64>, %arg1: tensor<f64>):
    // expect: reduce_window-C16
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 2, 2>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %1 = "stablehlo.maximum"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1) : (tensor<f32>) -> ()
    }) : (tensor<2x3xf64>, tensor<f64>) -> tensor<1x2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xi64>, tensor<3xf64>, tensor<i64>, tensor<f64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xi64>, %arg1: tensor<3xf64>, %arg2: tensor<i64>, %arg3: tensor<f64>):
    // expect: reduce_window-C2
    %0:2 = "stablehlo.reduce_window"(%arg0, %arg2, %arg1, %arg3) <{window_dimensions = array<i64: 2>}> ({
    ^bb0(%arg4: tensor<i64>, %arg5: tensor<f64>, %arg6: tensor<i64>, %arg7: tensor<f64>):
      %1 = "stablehlo.add"(%arg4, %arg6) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %2 = "stablehlo.multiply"(%arg5, %arg7) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      "stablehlo.return"(%1, %2) : (tensor<i64>, tensor<f64>) -> ()
    }) : (tensor<3xi64>, tensor<i64>, tensor<3xf64>, tensor<f64>) -> (tensor<2xi64>, tensor<2xf64>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xui32>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xui32>, %arg1: tensor<i64>):
    // expect: reduce_window-C3
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 4>}> ({
    ^bb0(%arg2: tensor<i64>, %arg3: tensor<i64>):
      %1 = "stablehlo.add"(%arg2, %arg3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<4xui32>, tensor<i64>) -> tensor<4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf64>, tensor<f64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf64>, %arg1: tensor<f64>):
    // expect: reduce_window-C4
    %0 = "stablehlo.reduce_window"(%arg1, %arg1) <{window_dimensions = array<i64: 2, 2>}> ({
    ^bb0(%arg2: tensor<f64>, %arg3: tensor<f64>):
      %1 = "stablehlo.maximum"(%arg2, %arg3) : (tensor<f64>, tensor<f64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<f64>, tensor<f64>) -> tensor<1x2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf64>, tensor<f64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf64>, %arg1: tensor<f64>):
    // expect: reduce_window-C5
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 0, 2>}> ({
    ^bb0(%arg2: tensor<i64>, %arg3: tensor<i64>):
      %1 = "stablehlo.maximum"(%arg2, %arg3) : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : (tensor<2x3xf64>, tensor<f64>) -> tensor<1x2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x2xi64>, %arg1: tensor<i64>):
    // expect: reduce_window-C6
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 2, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 3, 1>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 1, 4, 1>}> ({
    ^bb0(%arg2: tensor<i64>, %arg3: tensor<i64>):
      %1 = "stablehlo.add"(%arg2, %arg3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x2xi64>, %arg1: tensor<i64>):
    // expect: reduce_window-C7
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 2, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 3, 1>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: -1, 1>}> ({
    ^bb0(%arg2: tensor<?xi64>, %arg3: tensor<?xi64>):
      %1 = "stablehlo.add"(%arg2, %arg3) : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
      "stablehlo.return"(%1) : (tensor<?xi64>) -> ()
    }) : (tensor<3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x2xi64>, %arg1: tensor<i64>):
    // expect: reduce_window-C8
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 2, 1, 0>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 3, 1>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>}> ({
    ^bb0(%arg2: tensor<i64>, %arg3: tensor<i64>):
      %1 = "stablehlo.add"(%arg3) : (tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi64>, tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi64>, %arg1: tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: reduce_window-I2
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 4>}> ({
    ^bb0(%arg2: tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, %arg3: tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
      %1 = "stablehlo.add"(%arg2, %arg3) : (tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<4xi64>, tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf64>, tensor<f64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf64>, %arg1: tensor<f64>):
    // expect: reduce_window-I3
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) ({
    ^bb0(%arg2: tensor<f64>, %arg3: tensor<f64>):
      %1 = "stablehlo.maximum"(%arg2, %arg3) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      "stablehlo.return"(%1) : (tensor<f64>) -> ()
    }) : (tensor<2x3xf64>, tensor<f64>) -> tensor<1x2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x2xi64>, %arg1: tensor<i64>):
    // expect: reduce_window-I4
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 2, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 3, 1>, window_dimensions = array<i64: 2, 1>, window_strides = f32}> ({
    ^bb0(%arg2: tensor<i64>, %arg3: tensor<i64>):
      %1 = "stablehlo.add"(%arg2, %arg3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x2xi64>, %arg1: tensor<i64>):
    // expect: reduce_window-I5
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = true, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 3, 1>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>}> ({
    ^bb0(%arg2: tensor<i64>, %arg3: tensor<i64>):
      %1 = "stablehlo.add"(%arg2, %arg3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x2xi64>, %arg1: tensor<i64>):
    // expect: reduce_window-I6
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 2, 1>, padding = dense<[[2, 1], [2, 0]]> : tensor<2x2xi64>, window_dilations = [1], window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>}> ({
    ^bb0(%arg2: tensor<i64>, %arg3: tensor<i64>):
      %1 = "stablehlo.add"(%arg2, %arg3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi64>, %arg1: tensor<i64>):
    // expect: reduce_window-I7
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{padding = [1], window_dimensions = array<i64: 4>}> ({
    ^bb0(%arg2: tensor<i64>, %arg3: tensor<i64>):
      %1 = "stablehlo.add"(%arg2, %arg3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf64>, tensor<f64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf64>, %arg1: tensor<f64>):
    // expect: reduce_window-C1
    "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 2, 2>}> ({
    ^bb0(%arg2: tensor<f64>, %arg3: tensor<f64>):
      %0 = "stablehlo.maximum"(%arg3) : (tensor<f64>) -> tensor<f64>
      "stablehlo.return"(%0) : (tensor<f64>) -> ()
    }) : (tensor<2x3xf64>, tensor<f64>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x4xf32>, tensor<f32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x4xf32>, %arg1: tensor<f32>):
    // expect: reduce_window-C9
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 1, 0>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %1 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1) : (tensor<f32>) -> ()
    }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<2x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<f64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, %arg1: tensor<f64>):
    // expect: reduce_window-I1
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 2, 2>}> ({
    ^bb0(%arg2: tensor<f64>, %arg3: tensor<f64>):
      %1 = "stablehlo.maximum"(%arg2, %arg3) : (tensor<f64>, tensor<f64>) -> tensor<ui32>
      "stablehlo.return"(%1) : (tensor<ui32>) -> ()
    }) : (tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<f64>) -> tensor<1x2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<i8>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf32>, %arg1: tensor<i8>):
    // expect: reduce_window-I8
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 2, 2>}> : (tensor<2x3xf32>, tensor<i8>) -> tensor<0x2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
