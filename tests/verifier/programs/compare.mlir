"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x!quant.uniform<i8:f32, 1.000000e+00>>, tensor<3xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x!quant.uniform<i8:f32, 1.000000e+00>>, %arg1: tensor<3xi64>):
    // expect: compare-C1
    %0 = "stablehlo.compare"(%arg0, %arg1) <{comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<3x!quant.uniform<i8:f32, 1.000000e+00>>, tensor<3xi64>) -> tensor<3xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[18446744073709551615, 0]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<2xui64>}> : () -> tensor<2xui64>
    // expect: compare-C2
    %2 = "stablehlo.compare"(%0, %1) <{comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2xui64>, tensor<2xui64>) -> tensor<3xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[-2, -1, 0]> : tensor<3xi64>}> : () -> tensor<3xi64>
    %1 = "stablehlo.constant"() <{value = dense<-1> : tensor<3xi64>}> : () -> tensor<3xi64>
    // expect: compare-C3
    %2 = "stablehlo.compare"(%0, %1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[-2, -1, 0]> : tensor<3xi64>}> : () -> tensor<3xi64>
    %1 = "stablehlo.constant"() <{value = dense<-1> : tensor<3xi64>}> : () -> tensor<3xi64>
    // expect: compare-I3
    %2 = "stablehlo.compare"(%0, %1) : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[-2, -1, 0]> : tensor<3xi64>}> : () -> tensor<3xi64>
    %1 = "stablehlo.constant"() <{value = dense<-1> : tensor<3xi64>}> : () -> tensor<3xi64>
    // expect: compare-I4
    %2 = "stablehlo.compare"(%0, %1) <{compare_type = 1 : i32, comparison_direction = [1]}> : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<3x!quant.uniform<i8:f32, 2.500000e-01:-2>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, %arg1: tensor<3x!quant.uniform<i8:f32, 2.500000e-01:-2>>):
    // expect: compare-I1
    %0 = "stablehlo.compare"(%arg0, %arg1) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<3x!quant.uniform<i8:f32, 2.500000e-01:-2>>) -> tensor<3xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xf64>, tensor<3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xf64>, %arg1: tensor<3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: compare-I2
    %0 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3xf64>, tensor<3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<3xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
