"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<f64>):
    // expect: floor-C1
    %0 = "stablehlo.floor"(%arg0) : (tensor<f64>) -> tensor<7xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<7xi4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<7xi4>):
    // expect: floor-I1
    %0 = "stablehlo.floor"(%arg0) : (tensor<7xi4>) -> tensor<7xi4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
