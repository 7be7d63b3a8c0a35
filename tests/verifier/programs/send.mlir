"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i8>, !stablehlo.token) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i8>, %arg1: !stablehlo.token):
    // expect: send-C5
    %0 = "stablehlo.send"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 7, type = 2>}> : (!stablehlo.token) -> !stablehlo.token
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i8>, !stablehlo.token) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i8>, %arg1: !stablehlo.token):
    // expect: send-I1
    %0 = "stablehlo.send"(%arg1, %arg0) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 2>}> : (!stablehlo.token, tensor<i8>) -> !stablehlo.token
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i8>, !stablehlo.token) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i8>, %arg1: !stablehlo.token):
    // expect: send-I2
    %0 = "stablehlo.send"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 2>}> : (tensor<i8>) -> !stablehlo.token
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i8>, !stablehlo.token) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i8>, %arg1: !stablehlo.token):
    // expect: send-I3
    %0 = "stablehlo.send"(%arg0, %arg1) : (tensor<i8>, !stablehlo.token) -> !stablehlo.token
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i8>, tensor<i1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i8>, %arg1: tensor<i1>):
    // expect: send-I5
    %0 = "stablehlo.send"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 2>, is_host_transfer = array<i64: 1, 0>}> : (tensor<i1>) -> tensor<i1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
