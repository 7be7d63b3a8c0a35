"builtin.module"() ({
  "func.func"() <{function_type = (tensor<!quant.uniform<u4:f32, 2.500000e-01:8>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<!quant.uniform<u4:f32, 2.500000e-01:8>>):
    // expect: uniform_dequantize-C1
    %0 = "stablehlo.uniform_dequantize"(%arg0) : (tensor<!quant.uniform<u4:f32, 2.500000e-01:8>>) -> tensor<2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x!quant.uniform<u4:f32, 2.500000e-01:8>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x!quant.uniform<u4:f32, 2.500000e-01:8>>):
    // expect: uniform_dequantize-C2
    %0 = "stablehlo.uniform_dequantize"(%arg0) : (tensor<2x!quant.uniform<u4:f32, 2.500000e-01:8>>) -> tensor<2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xi8>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xi8>):
    // expect: uniform_dequantize-I1
    %0 = "stablehlo.uniform_dequantize"(%arg0) : (tensor<3xi8>) -> tensor<2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
