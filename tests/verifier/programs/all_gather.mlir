"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1xi32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1xi32>):
    // expect: all_gather-C1
    %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<1xi32>) -> tensor<4xi32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1xi32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1xi32>):
    // expect: all_gather-C2
    %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, replica_groups = dense<1> : tensor<1x2xi64>}> : (tensor<1xi32>) -> tensor<4xi32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2xi64>):
    // expect: all_gather-C4
    %0 = "stablehlo.all_gather"() <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, -1]]> : tensor<1x2xi64>}> : () -> tensor<2x4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1xi32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1xi32>):
    // expect: all_gather-C6
    %0 = "stablehlo.all_gather"() <{all_gather_dim = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : () -> tensor<4xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x1x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x1x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: all_gather-I1
    %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 2 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<2x1x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<2x1xui8>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x1xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x1xi1>):
    // expect: all_gather-I2
    %0 = "stablehlo.all_gather"(%arg0) <{replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<2x1xi1>) -> tensor<2x1xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1xi32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1xi32>):
    // expect: all_gather-I3
    %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, replica_groups = [1]}> : (tensor<1xi32>) -> tensor<4xi32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xf32>):
    // expect: all_gather-C5
    %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = -1, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xf32>):
    // expect: all_gather-I5
    %0 = "stablehlo.all_gather"() <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids = [1]}> : () -> tensor<2x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2xi64>):
    // expect: all_gather-I4
    %0 = "stablehlo.all_gather"() <{all_gather_dim = 1 : i64, channel_handle = 0 : i64, replica_groups = f32}> : () -> tensor<2x0xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
func.func @main(%x: tensor<2x4xf32>) {
  // expect: all_gather-C3
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[0, 1]> : tensor<2xi64>}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}
// -----
func.func @without_channel(%x: tensor<2x2xi64>) {
  // expect: all_gather-C5
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<2x2xi64>) -> tensor<2x4xi64>
  return
}
// -----
func.func @result_of_three(%x: tensor<2x2xi64>) {
  // expect: all_gather-C6
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x2xi64>) -> tensor<2x6xi64>
  return
}
