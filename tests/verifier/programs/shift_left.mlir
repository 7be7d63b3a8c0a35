"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
    // expect: shift_left-C1
    %0 = "stablehlo.shift_left"(%arg0, %arg1) : (tensor<i64>, tensor<i64>) -> tensor<?xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xi1>, tensor<3xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xi1>, %arg1: tensor<3xi1>):
    // expect: shift_left-I1
    %0 = "stablehlo.shift_left"(%arg0, %arg1) : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xi4>, tensor<1xf16>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xi4>, %arg1: tensor<1xf16>):
    // expect: shift_left-I2
    %0 = "stablehlo.shift_left"(%arg0, %arg1) : (tensor<3xi4>, tensor<1xf16>) -> tensor<3xi4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
