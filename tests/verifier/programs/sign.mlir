"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<f64>):
    // expect: sign-C1
    %0 = "stablehlo.sign"(%arg0) : (tensor<f64>) -> tensor<5xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi1>):
    // expect: sign-I1
    %0 = "stablehlo.sign"(%arg0) : (tensor<4xi1>) -> tensor<4xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
