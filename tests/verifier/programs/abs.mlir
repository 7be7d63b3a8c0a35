"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf8E4M3FN>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xf8E4M3FN>):
    // expect: abs-C1
    %0 = "stablehlo.abs"(%arg0) : (tensor<4xf8E4M3FN>) -> tensor<5xbf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5xi8>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5xi8>):
    // expect: abs-C2
    %0 = "stablehlo.abs"(%arg0) : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 2.500000e-01:-2>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5xi1>):
    // expect: abs-I1
    %0 = "stablehlo.abs"(%arg0) : (tensor<5xi1>) -> tensor<3x5xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
