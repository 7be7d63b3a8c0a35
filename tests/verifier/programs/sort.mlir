"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf64>):
    // expect: sort-C1
    %0 = "stablehlo.sort"() ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %1 = "stablehlo.compare"(%arg1, %arg2) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f64>, tensor<f64>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : () -> tensor<2x3xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf64>):
    // expect: sort-C2
    %0 = "stablehlo.sort"(%arg0) ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %1 = "stablehlo.compare"(%arg1, %arg2) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f64>, tensor<f64>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : (tensor<2x3xf64>) -> tensor<2x4xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1xf64>):
    // expect: sort-C4
    %0 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %1 = "stablehlo.compare"(%arg1, %arg1) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f64>, tensor<f64>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : (tensor<1xf64>) -> tensor<1xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf64>):
    // expect: sort-C5
    %0 = "stablehlo.sort"(%arg0) ({
    ^bb0(%arg1: tensor<1xf64>, %arg2: tensor<f64>):
      %1 = "stablehlo.compare"(%arg1, %arg2) <{comparison_direction = false}> : (tensor<1xf64>, tensor<f64>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : (tensor<2x3xf64>) -> tensor<2x3xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: sort-I1
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64}> ({
    ^bb0(%arg1: tensor<!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg2: tensor<!quant.uniform<i8:f32, 5.000000e-01:1>>):
      %1 = "stablehlo.compare"(%arg1, %arg2) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<!quant.uniform<i8:f32, 5.000000e-01:1>>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : (tensor<4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xf64>):
    // expect: sort-I2
    %0 = "stablehlo.sort"(%arg0) <{dimension = "x", is_stable = true}> ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %1 = "stablehlo.compare"(%arg1, %arg2) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<f64>, tensor<f64>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : (tensor<4xf64>) -> tensor<4xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xf64>):
    // expect: sort-I3
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = [1]}> ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %1 = "stablehlo.compare"(%arg1, %arg2) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f64>, tensor<f64>) -> tensor<f64>
      "stablehlo.return"(%1) : (tensor<f64>) -> ()
    }) : (tensor<4xf64>) -> tensor<4xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf64>):
    // expect: sort-I4
    %0 = "stablehlo.sort"() : () -> tensor<2x3xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
func.func @main(%x: tensor<4xf32>, %y: tensor<3xf32>) {
  // expect: sort-C3
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<4xf32>, tensor<3xf32>) -> (tensor<4xf32>, tensor<3xf32>)
  return
}
