"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x1xi4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x1xi4>):
    // expect: reshape-C1
    %0 = "stablehlo.reshape"(%arg0) : (tensor<1x1xi4>) -> tensor<f64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xi64>):
    // expect: reshape-C2
    %0 = "stablehlo.reshape"(%arg0) : (tensor<3xi64>) -> tensor<6xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: reshape-I1
    %0 = "stablehlo.reshape"(%arg0) : (tensor<3x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<12xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x2x!quant.uniform<i8:f32:1, {1.000000e+00,2.000000e+00}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x2x!quant.uniform<i8:f32:1, {1.000000e+00,2.000000e+00}>>):
    // expect: reshape-C3
    %0 = "stablehlo.reshape"(%arg0) : (tensor<4x2x!quant.uniform<i8:f32:1, {1.000000e+00,2.000000e+00}>>) -> tensor<1x2x2x2x!quant.uniform<i8:f32:2, {1.000000e+00,2.000000e+00}>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
