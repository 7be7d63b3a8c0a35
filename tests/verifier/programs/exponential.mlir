"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5xbf16>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5xbf16>):
    // expect: exponential-C1
    %0 = "stablehlo.exponential"(%arg0) : (tensor<5xbf16>) -> tensor<5xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5xi32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5xi32>):
    // expect: exponential-I1
    %0 = "stablehlo.exponential"(%arg0) : (tensor<5xi32>) -> tensor<5xbf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
