"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
    // expect: power-C1
    %0 = "stablehlo.power"(%arg0, %arg1) : (tensor<i64>, tensor<i64>) -> tensor<?xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<6xi1>, tensor<6xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<6xi1>, %arg1: tensor<6xi1>):
    // expect: power-I1
    %0 = "stablehlo.power"(%arg0, %arg1) : (tensor<6xi1>, tensor<6xi1>) -> tensor<6xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<7xf64>, tensor<6x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<7xf64>, %arg1: tensor<6x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: power-I2
    %0 = "stablehlo.power"(%arg0, %arg1) : (tensor<7xf64>, tensor<6x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<7xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
