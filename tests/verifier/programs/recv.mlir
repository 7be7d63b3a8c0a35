"builtin.module"() ({
  "func.func"() <{function_type = (!stablehlo.token) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: !stablehlo.token):
    // expect: recv-A4
    %0:2 = "stablehlo.recv"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false, source_target_pairs = dense<0> : tensor<1x2xi64>}> : (!stablehlo.token) -> (tensor<0xi8>, tensor<ui32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (!stablehlo.token) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: !stablehlo.token):
    // expect: recv-C5
    %0:2 = "stablehlo.recv"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<2xi8>, !stablehlo.token)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<ui8>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<ui8>):
    // expect: recv-I1
    %0:2 = "stablehlo.recv"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false}> : (tensor<ui8>) -> (tensor<2xi8>, tensor<ui8>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (!stablehlo.token) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: !stablehlo.token):
    // expect: recv-I2
    %0:2 = "stablehlo.recv"(%arg0) <{is_host_transfer = true, source_target_pairs = [1, 1]}> : (!stablehlo.token) -> (tensor<2xi8>, !stablehlo.token)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<f32>):
    // expect: recv-I4
    %0:2 = "stablehlo.recv"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = 1 : i32, source_target_pairs = #stablehlo<precision HIGH>}> : (tensor<f32>) -> (tensor<2xi8>, tensor<f32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (!stablehlo.token) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: !stablehlo.token):
    // expect: recv-A2
    "stablehlo.recv"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
func.func @main(%token: !stablehlo.token) {
  // expect: recv-A3
  %0:2 = "stablehlo.recv"(%token) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}
