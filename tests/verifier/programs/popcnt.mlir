"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i4>):
    // expect: popcnt-C1
    %0 = "stablehlo.popcnt"(%arg0) : (tensor<i4>) -> tensor<3xi4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xi1>):
    // expect: popcnt-I1
    %0 = "stablehlo.popcnt"(%arg0) : (tensor<3xi1>) -> tensor<3xi4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
