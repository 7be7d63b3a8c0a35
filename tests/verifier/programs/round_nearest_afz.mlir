"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<f64>):
    // expect: round_nearest_afz-C1
    %0 = "stablehlo.round_nearest_afz"(%arg0) : (tensor<f64>) -> tensor<4xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi4>):
    // expect: round_nearest_afz-I1
    %0 = "stablehlo.round_nearest_afz"(%arg0) : (tensor<4xi4>) -> tensor<4xi4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
