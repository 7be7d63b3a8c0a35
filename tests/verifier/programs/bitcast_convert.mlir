"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f16>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<f16>):
    // expect: bitcast_convert-C1
    %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<f16>) -> tensor<4xui16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<3.5127005640885037E-303> : tensor<f64>}> : () -> tensor<f64>
    // expect: bitcast_convert-C2
    %1 = "stablehlo.bitcast_convert"(%0) : (tensor<f64>) -> tensor<4xcomplex<f32>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: bitcast_convert-I1
    %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<4xui16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
