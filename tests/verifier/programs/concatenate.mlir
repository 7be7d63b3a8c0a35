"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xi64>, tensor<1x3x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xi64>, %arg1: tensor<1x3x!quant.uniform<i8:f32, 5.000000e-01:1>>):
    // expect: concatenate-C1
    %0 = "stablehlo.concatenate"(%arg0, %arg1) <{dimension = 1 : i64}> : (tensor<2x3xi64>, tensor<1x3x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> tensor<3x3xui32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>}> : () -> tensor<3x2xi64>
    %1 = "stablehlo.constant"() <{value = dense<[[7, 8]]> : tensor<1x2xi64>}> : () -> tensor<1x2xi64>
    // expect: concatenate-C2
    %2 = "stablehlo.concatenate"(%0, %1) <{dimension = 1 : i64}> : (tensor<3x2xi64>, tensor<1x2xi64>) -> tensor<4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[true, false]> : tensor<2xi1>}> : () -> tensor<2xi1>
    // expect: concatenate-C3
    %1 = "stablehlo.concatenate"() <{dimension = 0 : i64}> : () -> tensor<i1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[true, false]> : tensor<2xi1>}> : () -> tensor<2xi1>
    // expect: concatenate-C4
    %1 = "stablehlo.concatenate"(%0) <{dimension = 7 : i64}> : (tensor<2xi1>) -> tensor<i1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[true, false]> : tensor<2xi1>}> : () -> tensor<2xi1>
    // expect: concatenate-C5
    %1 = "stablehlo.concatenate"(%0) <{dimension = 0 : i64}> : (tensor<2xi1>) -> tensor<f32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[true, false]> : tensor<2xi1>}> : () -> tensor<2xi1>
    // expect: concatenate-C6
    %1 = "stablehlo.concatenate"(%0) <{dimension = 0 : i64}> : (tensor<2xi1>) -> tensor<i1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<1x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<1x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: concatenate-I1
    %0 = "stablehlo.concatenate"(%arg0, %arg1) <{dimension = 0 : i64}> : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<1x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<3x3x!quant.uniform<i8:f32, 5.000000e-01:1>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[true, false]> : tensor<2xi1>}> : () -> tensor<2xi1>
    // expect: concatenate-I2
    %1 = "stablehlo.concatenate"() : () -> tensor<2xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
func.func @per_axis(%x: tensor<2x2x!quant.uniform<i8:f32:0, {0.5,0.25}>>) {
  // expect: concatenate-I1
  %0 = stablehlo.concatenate %x, %x, dim = 1 : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5,0.25}>>, tensor<2x2x!quant.uniform<i8:f32:0, {0.5,0.25}>>) -> tensor<2x4x!quant.uniform<i8:f32:0, {0.5,0.25}>>
  return
}
