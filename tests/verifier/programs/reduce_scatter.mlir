"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi64>):
    // expect: reduce_scatter-C1
    %0 = "stablehlo.reduce_scatter"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
    ^bb0(%arg1: tensor<i64>, %arg2: tensor<i64>):
      %1 = "stablehlo.add"(%arg1, %arg2) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<2x4xi64>) -> tensor<2x3xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi64>):
    // expect: reduce_scatter-C2
    %0 = "stablehlo.reduce_scatter"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 7, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 2 : i64}> ({
    ^bb0(%arg1: tensor<i64>, %arg2: tensor<i64>):
      %1 = "stablehlo.add"() : () -> tensor<?xi64>
      "stablehlo.return"(%1) : (tensor<?xi64>) -> ()
    }) : (tensor<2x4xi64>) -> tensor<2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi64>):
    // expect: reduce_scatter-C3
    %0 = "stablehlo.reduce_scatter"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, replica_groups = dense<1> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
    ^bb0(%arg1: tensor<f16>, %arg2: tensor<i64>):
      %1 = "stablehlo.add"(%arg1, %arg2) : (tensor<f16>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<2x4xi64>) -> tensor<2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi64>):
    // expect: reduce_scatter-C5
    %0 = "stablehlo.reduce_scatter"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, replica_groups = dense<[[2, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
    ^bb0(%arg1: tensor<i64>, %arg2: tensor<i64>):
      %1 = "stablehlo.add"(%arg1) : (tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<2x4xi64>) -> tensor<2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi64>):
    // expect: reduce_scatter-C7
    %0 = "stablehlo.reduce_scatter"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
    ^bb0(%arg1: tensor<i64>, %arg2: tensor<i64>):
      %1 = "stablehlo.add"(%arg1, %arg2) : (tensor<i64>, tensor<i64>) -> tensor<bf16>
      "stablehlo.return"(%1) : (tensor<bf16>) -> ()
    }) : (tensor<2x4xi64>) -> tensor<2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi64>):
    // expect: reduce_scatter-C8
    %0 = "stablehlo.reduce_scatter"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
    ^bb0(%arg1: tensor<i64>, %arg2: tensor<i64>):
      %1 = "stablehlo.add"(%arg1, %arg2) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<2x4xi64>) -> tensor<2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi64>):
    // expect: reduce_scatter-C9
    %0 = "stablehlo.reduce_scatter"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
    ^bb0(%arg1: tensor<i64>, %arg2: tensor<i64>):
      %1 = "stablehlo.add"(%arg1, %arg2) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<2x4xi64>) -> tensor<2x2xi4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: reduce_scatter-I1
    %0 = "stablehlo.reduce_scatter"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
    ^bb0(%arg1: tensor<3xi64>, %arg2: tensor<3xi64>):
      %1 = "stablehlo.add"(%arg1, %arg2) : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
      "stablehlo.return"(%1) : (tensor<3xi64>) -> ()
    }) : (tensor<2x4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi64>):
    // expect: reduce_scatter-I2
    %0 = "stablehlo.reduce_scatter"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%arg1: tensor<i1>, %arg2: tensor<i1>):
      %1 = "stablehlo.add"(%arg1, %arg2) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : (tensor<2x4xi64>) -> tensor<2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi64>):
    // expect: reduce_scatter-I3
    %0 = "stablehlo.reduce_scatter"(%arg0) <{channel_handle = f32, scatter_dimension = 1 : i64}> ({
    ^bb0(%arg1: tensor<i64>, %arg2: tensor<i64>):
      %1 = "stablehlo.add"(%arg1, %arg2) : (tensor<i64>, tensor<i64>) -> tensor<f8E4M3FN>
      "stablehlo.return"(%1) : (tensor<f8E4M3FN>) -> ()
    }) : (tensor<2x4xi64>) -> tensor<2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xf32>):
    // expect: reduce_scatter-C6
    %0 = "stablehlo.reduce_scatter"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>) -> tensor<2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xf32>):
    // expect: reduce_scatter-I5
    %0 = "stablehlo.reduce_scatter"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>) -> tensor<2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi64>):
    // expect: reduce_scatter-I6
    %0 = "stablehlo.reduce_scatter"(%arg0) <{channel_handle = [1], replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 2 : i64}> : (tensor<2x4xi64>) -> tensor<2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi64>):
    // expect: reduce_scatter-I4
    %0 = "stablehlo.reduce_scatter"(%arg0) <{channel_handle = [1], replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
    ^bb0(%arg1: tensor<i64>, %arg2: tensor<i64>):
      %1 = "stablehlo.add"(%arg1, %arg2) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"() : () -> ()
    }) : (tensor<2x4xi64>) -> tensor<2x1xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
func.func @main(%x: tensor<4xf32>) {
  // expect: reduce_scatter-C4
  %0 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[0, 1]> : tensor<2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<2xf32>
  return
}
// -----
func.func @three_for_two(%x: tensor<3xi32>) {
  // expect: reduce_scatter-C1
  %0 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<3xi32>) -> tensor<1xi32>
  return
}
// -----
func.func @part_of_four(%x: tensor<4xi32>) {
  // expect: reduce_scatter-C8
  %0 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<4xi32>) -> tensor<1xi32>
  return
}
