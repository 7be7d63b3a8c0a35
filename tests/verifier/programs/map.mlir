"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i64>):
    // expect: map-C1
    %0 = "stablehlo.map"(%arg0) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<i32>):
      %1 = "stablehlo.constant"() <{value = dense<7> : tensor<i64>}> : () -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<i64>) -> tensor<3xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xi64>):
    // expect: map-C2
    %0 = "stablehlo.map"() <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<i64>):
      %1 = "stablehlo.constant"() <{value = dense<7> : tensor<i64>}> : () -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : () -> tensor<3xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xi64>):
    // expect: map-C3
    %0 = "stablehlo.map"(%arg0) <{dimensions = array<i64>}> ({
    ^bb0(%arg1: tensor<i64>):
      %1 = "stablehlo.constant"() <{value = dense<7> : tensor<i64>}> : () -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<3xi64>) -> tensor<3xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xi64>):
    // expect: map-C4
    %0 = "stablehlo.map"(%arg0) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<i64>):
      %1 = "stablehlo.constant"() <{value = dense<7> : tensor<i64>}> : () -> tensor<i64>
      "stablehlo.return"() : () -> ()
    }) : (tensor<3xi64>) -> tensor<3xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: map-I1
    %0 = "stablehlo.map"(%arg0) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<f64>):
      %1 = "stablehlo.multiply"(%arg1, %arg1) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      %2 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f64>}> : () -> tensor<f64>
      %3 = "stablehlo.compare"(%1, %2) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f64>, tensor<f64>) -> tensor<i1>
      "stablehlo.return"(%3) : (tensor<i1>) -> ()
    }) : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<2xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xi64>):
    // expect: map-I2
    %0 = "stablehlo.map"(%arg0) ({
    ^bb0(%arg1: tensor<i64>):
      %1 = "stablehlo.constant"() <{value = dense<7> : tensor<i64>}> : () -> tensor<f32>
      "stablehlo.return"(%1) : (tensor<f32>) -> ()
    }) : (tensor<3xi64>) -> tensor<3xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<6xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<6xi64>):
    // expect: map-I3
    "stablehlo.map"(%arg0) <{dimensions = array<i64: 7>}> : (tensor<6xi64>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
