"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<f64>):
    // expect: round_nearest_even-C1
    %0 = "stablehlo.round_nearest_even"(%arg0) : (tensor<f64>) -> tensor<5xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5xi4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5xi4>):
    // expect: round_nearest_even-I1
    %0 = "stablehlo.round_nearest_even"(%arg0) : (tensor<5xi4>) -> tensor<5xi4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
