"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[7, -7, -8]> : tensor<3xi4>}> : () -> tensor<3xi4>
    %1 = "stablehlo.constant"() <{value = dense<[2, 2, 3]> : tensor<3xi4>}> : () -> tensor<3xi4>
    // expect: divide-C1
    %2 = "stablehlo.divide"(%0, %1) : (tensor<3xi4>, tensor<3xi4>) -> tensor<i4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<5x!quant.uniform<i8:f32, 2.500000e-01:-2>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, %arg1: tensor<5x!quant.uniform<i8:f32, 2.500000e-01:-2>>):
    // expect: divide-I1
    %0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<5x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<5x!quant.uniform<i8:f32, 2.500000e-01:-2>>) -> tensor<5x!quant.uniform<i8:f32, 1.250000e-01:3>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<0x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<5xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<0x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg1: tensor<5xi1>):
    // expect: divide-I2
    %0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<0x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<5xi1>) -> tensor<5x!quant.uniform<i8:f32, 1.250000e-01:3>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
