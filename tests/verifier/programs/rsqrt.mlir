"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<f64>):
    // expect: rsqrt-C1
    %0 = "stablehlo.rsqrt"(%arg0) : (tensor<f64>) -> tensor<3xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<0xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<0xi1>):
    // expect: rsqrt-I1
    %0 = "stablehlo.rsqrt"(%arg0) : (tensor<0xi1>) -> tensor<i1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
