"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi1>, tensor<i1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi1>, %arg1: tensor<i1>):
    // expect: minimum-C1
    %0 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<4xi1>, tensor<i1>) -> tensor<4xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<4xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, %arg1: tensor<4xf64>):
    // expect: minimum-I1
    %0 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<4xf64>) -> tensor<4xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xi32>, tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xi32>, %arg1: tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: minimum-I2
    %0 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<2x3xi32>, tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<2x3xi32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
