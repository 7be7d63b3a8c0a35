"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xi1>, tensor<2x2xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2xi1>, %arg1: tensor<2x2xi1>):
    // expect: add-C1
    %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x2xi1>, tensor<2x2xi1>) -> tensor<1x2x!quant.uniform<i8:f32:1, {2.500000e-01:-1,5.000000e-01:3}>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xi4>, tensor<2x2xi4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2xi4>, %arg1: tensor<2x2xi4>):
    // expect: add-C2
    %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x2xi4>, tensor<2x2xi4>) -> tensor<2x2x!quant.uniform<i8:f32:1, {2.500000e-01:-1,5.000000e-01:3}>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i8:f32, 1.000000e+00>>, tensor<2x2x!quant.uniform<i8:f32, 1.000000e+00>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i8:f32, 1.000000e+00>>, %arg1: tensor<2x2x!quant.uniform<i8:f32, 1.000000e+00>>):
    // expect: add-C5
    %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32, 1.000000e+00>>, tensor<2x2x!quant.uniform<i8:f32, 1.000000e+00>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {2.500000e-01:-1,5.000000e-01:3}>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, %arg1: tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: add-C6
    %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {2.500000e-01:-1,5.000000e-01:3}>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:2}>>, tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:2}>>, %arg1: tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: add-C7
    %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:2}>>, tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {2.500000e-01:-1,5.000000e-01:3}>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:2}>>, tensor<2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:2}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:2}>>, %arg1: tensor<2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:2}>>):
    // expect: add-I1
    %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:2}>>, tensor<2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:2}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {2.500000e-01:-1,5.000000e-01:3}>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:2}>>, tensor<2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:2}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:2}>>, %arg1: tensor<2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:2}>>):
    // expect: add-I2
    %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:2}>>, tensor<2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:2}>>) -> tensor<?x2xbf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x!quant.uniform<i32:f32, 1.000000e+00>>, tensor<2x2x!quant.uniform<i32:f32, 1.000000e+00>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x!quant.uniform<i32:f32, 1.000000e+00>>, %arg1: tensor<2x2x!quant.uniform<i32:f32, 1.000000e+00>>):
    // expect: add-C3
    %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i32:f32, 1.000000e+00>>, tensor<2x2x!quant.uniform<i32:f32, 1.000000e+00>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {2.500000e-01:-1,5.000000e-01:3}>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
func.func @main(%x: tensor<2x!quant.uniform<i8:f32, 1.0>>, %y: tensor<2x!quant.uniform<i8:f64, 1.0>>) {
  // expect: add-C4
  %0 = "stablehlo.add"(%x, %y) : (tensor<2x!quant.uniform<i8:f32, 1.0>>, tensor<2x!quant.uniform<i8:f64, 1.0>>) -> tensor<2x!quant.uniform<i8:f32, 1.0>>
  return
}
