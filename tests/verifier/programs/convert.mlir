"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[-8, 7]> : tensor<2xi4>}> : () -> tensor<2xi4>
    // expect: convert-C1
    %1 = "stablehlo.convert"(%0) : (tensor<2xi4>) -> tensor<i64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x!quant.uniform<i8:f32, 1.000000e+00>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x!quant.uniform<i8:f32, 1.000000e+00>>):
    // expect: convert-I1
    %0 = "stablehlo.convert"(%arg0) : (tensor<2x!quant.uniform<i8:f32, 1.000000e+00>>) -> tensor<2xi4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
