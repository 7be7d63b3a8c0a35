"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i32>):
    // expect: negate-C1
    %0 = "stablehlo.negate"(%arg0) : (tensor<i32>) -> tensor<2xi32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi1>):
    // expect: negate-I1
    %0 = "stablehlo.negate"(%arg0) : (tensor<2xi1>) -> tensor<2xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
