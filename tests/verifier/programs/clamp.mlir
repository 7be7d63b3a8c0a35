"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<-1> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.constant"() <{value = dense<[-5, 0, 9]> : tensor<3xi64>}> : () -> tensor<3xi64>
    %2 = "stablehlo.constant"() <{value = dense<2> : tensor<i64>}> : () -> tensor<i64>
    // expect: clamp-C1
    %3 = "stablehlo.clamp"(%1, %0, %2) : (tensor<3xi64>, tensor<i64>, tensor<i64>) -> tensor<i64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<-1> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.constant"() <{value = dense<[-5, 0, 9]> : tensor<3xi64>}> : () -> tensor<3xi64>
    %2 = "stablehlo.constant"() <{value = dense<2> : tensor<i64>}> : () -> tensor<i64>
    // expect: clamp-C2
    %3 = "stablehlo.clamp"(%0, %2, %1) : (tensor<i64>, tensor<i64>, tensor<3xi64>) -> tensor<3xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f64>, tensor<3x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<f64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<f64>, %arg1: tensor<3x!quant.uniform<i8:f32, 2.500000e-01:-2>>, %arg2: tensor<f64>):
    // expect: clamp-C3
    %0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<f64>, tensor<3x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<f64>) -> tensor<3x!quant.uniform<i8:f32, 1.250000e-01:3>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<-1> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.constant"() <{value = dense<[-5, 0, 9]> : tensor<3xi64>}> : () -> tensor<3xi64>
    %2 = "stablehlo.constant"() <{value = dense<2> : tensor<i64>}> : () -> tensor<i64>
    // expect: clamp-C4
    %3 = "stablehlo.clamp"(%0, %1, %2) : (tensor<i64>, tensor<3xi64>, tensor<i64>) -> tensor<i64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<3x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, %arg1: tensor<3x!quant.uniform<i8:f32, 2.500000e-01:-2>>, %arg2: tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: clamp-I1
    %0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<3x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<3x!quant.uniform<i8:f32, 1.250000e-01:3>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<3x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<3x!quant.uniform<i8:f32, 2.500000e-01:-2>>, %arg2: tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: clamp-I3
    %0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<3x!quant.uniform<i8:f32, 2.500000e-01:-2>>, tensor<!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<3x!quant.uniform<i8:f32, 1.250000e-01:3>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<1x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<!quant.uniform<i8:f32, 5.000000e-01:1>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<1x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, %arg2: tensor<!quant.uniform<i8:f32, 5.000000e-01:1>>):
    // expect: clamp-I2
    %0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<1x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<!quant.uniform<i8:f32, 5.000000e-01:1>>) -> tensor<3x!quant.uniform<i8:f32, 1.250000e-01:3>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
