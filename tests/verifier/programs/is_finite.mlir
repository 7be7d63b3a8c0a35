"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<f64>):
    // expect: is_finite-C1
    %0 = "stablehlo.is_finite"(%arg0) : (tensor<f64>) -> tensor<7xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xi8>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xi8>):
    // expect: is_finite-I1
    %0 = "stablehlo.is_finite"(%arg0) : (tensor<3xi8>) -> tensor<3xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
