"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<f64>):
    // expect: imag-C1
    %0 = "stablehlo.imag"(%arg0) : (tensor<f64>) -> tensor<2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xf16>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xf16>):
    // expect: imag-C2
    %0 = "stablehlo.imag"(%arg0) : (tensor<2xf16>) -> tensor<2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi4>):
    // expect: imag-I1
    %0 = "stablehlo.imag"(%arg0) : (tensor<2xi4>) -> tensor<2xi4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
