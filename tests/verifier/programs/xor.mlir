"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xi4>, tensor<3xi4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xi4>, %arg1: tensor<3xi4>):
    // expect: xor-C1
    %0 = "stablehlo.xor"(%arg0, %arg1) : (tensor<3xi4>, tensor<3xi4>) -> tensor<i64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xf64>, tensor<3xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xf64>, %arg1: tensor<3xi64>):
    // expect: xor-I1
    %0 = "stablehlo.xor"(%arg0, %arg1) : (tensor<3xf64>, tensor<3xi64>) -> tensor<3xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<?xi64>, tensor<3xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<?xi64>, %arg1: tensor<3xf64>):
    // expect: xor-I2
    %0 = "stablehlo.xor"(%arg0, %arg1) : (tensor<?xi64>, tensor<3xf64>) -> tensor<3xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
