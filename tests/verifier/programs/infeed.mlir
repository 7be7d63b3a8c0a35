"builtin.module"() ({
  "func.func"() <{function_type = (!stablehlo.token) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: !stablehlo.token):
    // expect: infeed-C3
    %0:2 = "stablehlo.infeed"(%arg0) : (!stablehlo.token) -> (tensor<2x2xi64>, tensor<i4>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i64>):
    // expect: infeed-I1
    %0:2 = "stablehlo.infeed"(%arg0) : (tensor<i64>) -> (tensor<2x2xi8>, tensor<i64>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i1>):
    // expect: infeed-I2
    %0:2 = "stablehlo.infeed"(%arg0) <{infeed_config = 1 : i32}> : (tensor<i1>) -> (tensor<2x2xi64>, tensor<i1>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (!stablehlo.token) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: !stablehlo.token):
    // expect: infeed-C1
    "stablehlo.infeed"(%arg0) <{infeed_config = ""}> : (!stablehlo.token) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
func.func @main(%token: !stablehlo.token) {
  // expect: infeed-C2
  %0:2 = "stablehlo.infeed"(%token) : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}
