"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>, !stablehlo.token) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xf32>, %arg1: !stablehlo.token):
    // expect: outfeed-I1
    %0 = "stablehlo.outfeed"(%arg1, %arg0) : (!stablehlo.token, tensor<4xf32>) -> !stablehlo.token
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>, !stablehlo.token) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xf32>, %arg1: !stablehlo.token):
    // expect: outfeed-I2
    %0 = "stablehlo.outfeed"(%arg0) : (tensor<4xf32>) -> !stablehlo.token
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xf32>, %arg1: tensor<i64>):
    // expect: outfeed-I3
    %0 = "stablehlo.outfeed"(%arg1) <{outfeed_config = 1 : i32}> : (tensor<i64>) -> tensor<i64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
