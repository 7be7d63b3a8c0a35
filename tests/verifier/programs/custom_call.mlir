"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>}> : () -> tensor<2xf64>
    %1 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>}> : () -> tensor<2xf64>
    // expect: custom_call-I2
    "stablehlo.custom_call"(%0, %1) : (tensor<2xf64>, tensor<2xf64>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>}> : () -> tensor<2xf64>
    %1 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>}> : () -> tensor<2xf64>
    // expect: custom_call-I3
    "stablehlo.custom_call"(%1) <{call_target_name = "x", has_side_effect = "x"}> : (tensor<2xf64>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<4xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, %arg1: tensor<4xf64>):
    // expect: custom_call-I1
    "stablehlo.custom_call"(%arg0, %arg1) <{call_target_name = "check.expect_eq", has_side_effect = false}> : (tensor<4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<4xf64>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xf32>):
    // expect: custom_call-I5
    "stablehlo.custom_call"(%arg0) <{api_version = "x", backend_config = "", call_target_name = "", called_computations = [@g, @g], has_side_effect = false, output_operand_aliases = []}> : (tensor<3xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<0xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<0xf32>):
    // expect: custom_call-I6
    "stablehlo.custom_call"() <{api_version = 2 : i32, backend_config = "", call_target_name = "x!", called_computations = [1], has_side_effect = true, output_operand_aliases = []}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expect: custom_call-I5
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "f", api_version = 1 : i64}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expect: custom_call-I6
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "f", called_computations = ["g"]}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expect: custom_call-A3
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "f", backend_config = {}}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
