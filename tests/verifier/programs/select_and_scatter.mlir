"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x2xi64>, tensor<2x2xi1>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x2xi64>, %arg1: tensor<2x2xi1>, %arg2: tensor<i64>):
    // expect: select_and_scatter-C1
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg5: tensor<i64>, %arg6: tensor<i64>):
      %2 = "stablehlo.compare"(%arg5, %arg6) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<i64>):
      %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<4x2xi64>, tensor<2x2xi1>, tensor<i64>) -> tensor<4x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi64>, tensor<2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi64>, %arg1: tensor<2xi64>, %arg2: tensor<i64>):
    // expect: select_and_scatter-C10
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
    ^bb0(%arg5: tensor<i64>, %arg6: tensor<i64>):
      %2 = "stablehlo.compare"(%arg5, %arg6) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<1xi64>):
      %1 = "stablehlo.add"(%arg4) : (tensor<1xi64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<4xi64>, tensor<2xi64>, tensor<i64>) -> tensor<4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi64>, tensor<2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi64>, %arg1: tensor<2xi64>, %arg2: tensor<i64>):
    // expect: select_and_scatter-C11
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
    ^bb0(%arg5: tensor<i64>, %arg6: tensor<i64>):
      %2 = "stablehlo.compare"(%arg5, %arg6) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<i64>):
      %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<4xi64>, tensor<2xi64>, tensor<i64>) -> tensor<i64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x2xi64>, tensor<2x2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x2xi64>, %arg1: tensor<2x2xi64>, %arg2: tensor<i64>):
    // expect: select_and_scatter-C12
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg5: tensor<i64>, %arg6: tensor<i64>):
      %2 = "stablehlo.compare"(%arg5, %arg6) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<i64>):
      %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<4x2xi64>, tensor<2x2xi64>, tensor<i64>) -> tensor<4x2xi4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi64>, tensor<2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi64>, %arg1: tensor<2xi64>, %arg2: tensor<i64>):
    // expect: select_and_scatter-C2
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 3>}> ({
    ^bb0(%arg5: tensor<i64>, %arg6: tensor<i64>):
      %2 = "stablehlo.compare"(%arg6) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<i64>):
      %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<4xi64>, tensor<2xi64>, tensor<i64>) -> tensor<4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi64>, tensor<2xi64>, tensor<ui8>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi64>, %arg1: tensor<2xi64>, %arg2: tensor<ui8>):
    // expect: select_and_scatter-C3
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
    ^bb0(%arg5: tensor<i64>, %arg6: tensor<i64>):
      %2 = "stablehlo.compare"(%arg5, %arg6) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<i64>):
      %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<4xi64>, tensor<2xi64>, tensor<ui8>) -> tensor<4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi64>, tensor<2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi64>, %arg1: tensor<2xi64>, %arg2: tensor<i64>):
    // expect: select_and_scatter-C4
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{window_strides = array<i64: 2>}> ({
    ^bb0(%arg5: tensor<i64>, %arg6: tensor<i64>):
      %2 = "stablehlo.compare"(%arg5, %arg6) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<i64>):
      %1 = "stablehlo.add"(%arg3, %arg3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<4xi64>, tensor<2xi64>, tensor<i64>) -> tensor<4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi64>, tensor<2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi64>, %arg1: tensor<2xi64>, %arg2: tensor<i64>):
    // expect: select_and_scatter-C6
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg0, %arg2) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 0, 1>}> ({
    ^bb0(%arg5: tensor<i64>, %arg6: tensor<i64>):
      %2 = "stablehlo.compare"(%arg5, %arg6) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<i64>):
      %1 = "stablehlo.add"(%arg3) : (tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<4xi64>, tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi64>, tensor<2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi64>, %arg1: tensor<2xi64>, %arg2: tensor<i64>):
    // expect: select_and_scatter-C7
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 0>}> ({
    ^bb0(%arg5: tensor<i64>, %arg6: tensor<i64>):
      %2 = "stablehlo.compare"(%arg5, %arg6) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<i64>):
      %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<4xi64>, tensor<2xi64>, tensor<i64>) -> tensor<4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x2xi64>, tensor<2x2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x2xi64>, %arg1: tensor<2x2xi64>, %arg2: tensor<i64>):
    // expect: select_and_scatter-C8
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{padding = dense<[[0, 1]]> : tensor<1x2xi64>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg5: tensor<i64>, %arg6: tensor<i64>):
      %2 = "stablehlo.compare"(%arg5, %arg6) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<i64>):
      %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<4x2xi64>, tensor<2x2xi64>, tensor<i64>) -> tensor<4x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi64>, tensor<2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi64>, %arg1: tensor<2xi64>, %arg2: tensor<i64>):
    // expect: select_and_scatter-C9
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
    ^bb0(%arg5: tensor<i64>, %arg6: tensor<i64>):
      %2 = "stablehlo.compare"(%arg5, %arg6) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"() : () -> ()
    }, {
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<i64>):
      %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"() : () -> ()
    }) : (tensor<4xi64>, tensor<2xi64>, tensor<i64>) -> tensor<4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<2x2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, %arg1: tensor<2x2xi64>, %arg2: tensor<i64>):
    // expect: select_and_scatter-I1
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg5: tensor<i64>, %arg6: tensor<i64>):
      %2 = "stablehlo.compare"(%arg5, %arg6) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<i64>):
      %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<4x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<2x2xi64>, tensor<i64>) -> tensor<4x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi64>, tensor<2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi64>, %arg1: tensor<2xi64>, %arg2: tensor<i64>):
    // expect: select_and_scatter-I3
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg1) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg5: tensor<i64>, %arg6: tensor<i64>):
      %2 = "stablehlo.compare"(%arg6) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<i64>):
      %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<4xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi64>, tensor<2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi64>, %arg1: tensor<2xi64>, %arg2: tensor<i64>):
    // expect: select_and_scatter-I4
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{window_dimensions = "x", window_strides = array<i64: 2>}> ({
    ^bb0(%arg5: tensor<i64>, %arg6: tensor<i64>):
      %2 = "stablehlo.compare"(%arg5, %arg6) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<i64>):
      %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<4xi64>, tensor<2xi64>, tensor<i64>) -> tensor<4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi64>, tensor<2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi64>, %arg1: tensor<2xi64>, %arg2: tensor<i64>):
    // expect: select_and_scatter-I5
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{window_strides = array<i32: 0, 1>}> ({
    ^bb0(%arg5: tensor<i64>, %arg6: tensor<i64>):
      %2 = "stablehlo.compare"(%arg5, %arg6) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<i64>):
      %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<4xi64>, tensor<2xi64>, tensor<i64>) -> tensor<4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x2xi64>, tensor<2x2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x2xi64>, %arg1: tensor<2x2xi64>, %arg2: tensor<i64>):
    // expect: select_and_scatter-I6
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{padding = array<i64: 0, 1>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg5: tensor<i64>, %arg6: tensor<i64>):
      %2 = "stablehlo.compare"(%arg5, %arg6) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<i64>):
      %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<4x2xi64>, tensor<2x2xi64>, tensor<i64>) -> tensor<4x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi64>, tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi64>, %arg1: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, %arg2: tensor<i64>):
    // expect: select_and_scatter-I2
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
    ^bb0(%arg5: tensor<i64>, %arg6: tensor<i64>):
      %2 = "stablehlo.compare"(%arg5, %arg6) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<i64>):
      %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<4xi64>, tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<i64>) -> tensor<4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi64>, tensor<2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi64>, %arg1: tensor<2xi64>, %arg2: tensor<i64>):
    // expect: select_and_scatter-I7
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
    }, {
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<i64>):
      %1 = "stablehlo.add"(%arg4) : (tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<4xi64>, tensor<2xi64>, tensor<i64>) -> tensor<4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x2xi64>, tensor<2x2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x2xi64>, %arg1: tensor<2x2xi64>, %arg2: tensor<i64>):
    // expect: select_and_scatter-I8
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<i64>):
      %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<4x2xi64>, tensor<2x2xi64>, tensor<i64>) -> tensor<4x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
