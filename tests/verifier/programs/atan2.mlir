"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<5xf16>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<5xf16>):
    // expect: atan2-C1
    %0 = "stablehlo.atan2"(%arg0, %arg1) : (tensor<5x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<5xf16>) -> tensor<5xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5xui8>, tensor<5x!quant.uniform<i8:f32, 2.500000e-01:-2>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5xui8>, %arg1: tensor<5x!quant.uniform<i8:f32, 2.500000e-01:-2>>):
    // expect: atan2-I1
    %0 = "stablehlo.atan2"(%arg0, %arg1) : (tensor<5xui8>, tensor<5x!quant.uniform<i8:f32, 2.500000e-01:-2>>) -> tensor<5xi4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<0x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<5xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<0x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<5xi1>):
    // expect: atan2-I2
    %0 = "stablehlo.atan2"(%arg0, %arg1) : (tensor<0x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<5xi1>) -> tensor<5x!quant.uniform<i8:f32, 1.250000e-01:3>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
