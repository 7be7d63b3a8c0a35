"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xi64>, tensor<6xi64>, tensor<i64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xi64>, %arg1: tensor<6xi64>, %arg2: tensor<i64>, %arg3: tensor<i64>):
    // expect: reduce-C1
    %0:2 = "stablehlo.reduce"(%arg0, %arg1, %arg2, %arg3) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg4: tensor<i64>, %arg5: tensor<i64>, %arg6: tensor<i64>, %arg7: tensor<i64>):
      %1 = "stablehlo.add"(%arg4, %arg6) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %2 = "stablehlo.multiply"(%arg5, %arg7) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1, %2) : (tensor<i64>, tensor<i64>) -> ()
    }) : (tensor<3xi64>, tensor<6xi64>, tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi64>, tensor<i8>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi64>, %arg1: tensor<i8>):
    // expect: reduce-C2
    %0 = "stablehlo.reduce"(%arg0, %arg1) <{dimensions = array<i64>}> ({
    ^bb0(%arg2: tensor<i64>, %arg3: tensor<i64>):
      %1 = "stablehlo.add"(%arg2, %arg3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<2xi64>, tensor<i8>) -> tensor<2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xi1>, tensor<i1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2xi1>, %arg1: tensor<i1>):
    // expect: reduce-C3
    %0 = "stablehlo.reduce"() <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg2: tensor<i1>, %arg3: tensor<i1>):
      %1 = "stablehlo.or"(%arg2, %arg3) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : () -> tensor<i1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi1>, tensor<i1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi1>, %arg1: tensor<i1>):
    // expect: reduce-C4
    %0 = "stablehlo.reduce"(%arg0, %arg1) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg2: tensor<i1>, %arg3: tensor<i1>):
      %1 = "stablehlo.or"(%arg2, %arg3) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xi1>, tensor<i1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2xi1>, %arg1: tensor<i1>):
    // expect: reduce-C5
    %0 = "stablehlo.reduce"(%arg0, %arg1) <{dimensions = array<i64: 0, 0>}> ({
    ^bb0(%arg2: tensor<i1>, %arg3: tensor<i1>):
      %1 = "stablehlo.or"(%arg2, %arg3) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : (tensor<2x2xi1>, tensor<i1>) -> tensor<i1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xi1>, tensor<i8>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2xi1>, %arg1: tensor<i8>):
    // expect: reduce-C6
    %0 = "stablehlo.reduce"(%arg0, %arg1) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg2: tensor<i1>, %arg3: tensor<i1>):
      %1 = "stablehlo.or"(%arg2, %arg3) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : (tensor<2x2xi1>, tensor<i8>) -> tensor<i1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xi1>, tensor<i1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2xi1>, %arg1: tensor<i1>):
    // expect: reduce-C7
    %0 = "stablehlo.reduce"(%arg0, %arg1) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg2: tensor<i1>, %arg3: tensor<i1>):
      %1 = "stablehlo.or"(%arg2, %arg3) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : (tensor<2x2xi1>, tensor<i1>) -> tensor<i1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<?xi4>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<?xi4>, %arg1: tensor<i64>):
    // expect: reduce-C8
    %0 = "stablehlo.reduce"(%arg0, %arg1) <{dimensions = array<i64>}> ({
    ^bb0(%arg2: tensor<i64>, %arg3: tensor<i64>):
      %1 = "stablehlo.add"(%arg2, %arg3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<?xi4>, tensor<i64>) -> tensor<2xi4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, %arg1: tensor<i64>):
    // expect: reduce-I1
    %0 = "stablehlo.reduce"(%arg0, %arg1) <{dimensions = array<i64>}> ({
    ^bb0(%arg2: tensor<i64>, %arg3: tensor<i64>):
      %1 = "stablehlo.add"(%arg2, %arg3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<i64>) -> tensor<2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xi1>, tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2xi1>, %arg1: tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: reduce-I2
    %0 = "stablehlo.reduce"(%arg0, %arg1) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg2: tensor<i1>, %arg3: tensor<i1>):
      %1 = "stablehlo.or"(%arg2, %arg3) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : (tensor<2x2xi1>, tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<i1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xi1>, tensor<i1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2xi1>, %arg1: tensor<i1>):
    // expect: reduce-I3
    %0 = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%arg2: tensor<i1>, %arg3: tensor<i1>):
      %1 = "stablehlo.or"(%arg2, %arg3) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : (tensor<2x2xi1>, tensor<i1>) -> tensor<i1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi64>, %arg1: tensor<i64>):
    // expect: reduce-I4
    %0 = "stablehlo.reduce"(%arg1) <{dimensions = "x"}> : (tensor<i64>) -> tensor<2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
