"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<f64>):
    // expect: log_plus_one-C1
    %0 = "stablehlo.log_plus_one"(%arg0) : (tensor<f64>) -> tensor<5xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xi4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xi4>):
    // expect: log_plus_one-I1
    %0 = "stablehlo.log_plus_one"(%arg0) : (tensor<3xi4>) -> tensor<3xi4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
