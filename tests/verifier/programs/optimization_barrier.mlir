"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xf64>):
    // expect: optimization_barrier-C1
    %0 = "stablehlo.optimization_barrier"() : () -> tensor<i64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
