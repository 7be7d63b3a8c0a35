"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
    // expect: subtract-C1
    %0 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<i64>, tensor<i64>) -> tensor<?xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xi1>, tensor<3xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xi1>, %arg1: tensor<3xi64>):
    // expect: subtract-I1
    %0 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<3xi1>, tensor<3xi64>) -> tensor<3xui32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf32>, %arg1: tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: subtract-I2
    %0 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<2x3xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
