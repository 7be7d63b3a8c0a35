"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i1>, tensor<i1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<i1>):
    // expect: after_all-I1
    %0 = "stablehlo.after_all"(%arg1) : (tensor<i1>) -> tensor<i1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
