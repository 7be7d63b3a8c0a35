"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5xf64>):
    // expect: cbrt-C1
    %0 = "stablehlo.cbrt"(%arg0) : (tensor<5xf64>) -> tensor<5x!quant.uniform<i8:f32, 2.500000e-01:-2>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5xi4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5xi4>):
    // expect: cbrt-I1
    %0 = "stablehlo.cbrt"(%arg0) : (tensor<5xi4>) -> tensor<5x!quant.uniform<i8:f32, 2.500000e-01:-2>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
