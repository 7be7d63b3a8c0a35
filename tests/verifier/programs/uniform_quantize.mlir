"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<f32>):
    // expect: uniform_quantize-C1
    %0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<f32>) -> tensor<3x!quant.uniform<i32:f32, 1.000000e+00>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xf16>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xf16>):
    // expect: uniform_quantize-C2
    %0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<3xf16>) -> tensor<3x!quant.uniform<i32:f32, 1.000000e+00>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<6xi4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<6xi4>):
    // expect: uniform_quantize-I1
    %0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<6xi4>) -> tensor<6xf8E4M3FN>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
