"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i1>):
    // expect: not-C1
    %0 = "stablehlo.not"(%arg0) : (tensor<i1>) -> tensor<2xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
