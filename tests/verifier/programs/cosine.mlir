"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5xf64>):
    // expect: cosine-C1
    %0 = "stablehlo.cosine"(%arg0) : (tensor<5xf64>) -> tensor<5x!quant.uniform<i8:f32, 2.500000e-01:-2>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5xi64>):
    // expect: cosine-I1
    %0 = "stablehlo.cosine"(%arg0) : (tensor<5xi64>) -> tensor<5xi4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
