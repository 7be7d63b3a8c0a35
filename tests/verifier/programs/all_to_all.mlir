"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi64>):
    // expect: all_to_all-C1
    %0 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = 1 : i64, replica_groups = dense<0> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2xi64>) -> tensor<4x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1xui8>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1xui8>):
    // expect: all_to_all-C2
    %0 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<1xui8>) -> tensor<2xui8>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi64>):
    // expect: all_to_all-C3
    %0 = "stablehlo.all_to_all"() <{concat_dimension = -1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 2 : i64}> : () -> tensor<1x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi64>):
    // expect: all_to_all-C4
    %0 = "stablehlo.all_to_all"() <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 0 : i64, split_dimension = 1 : i64}> : () -> tensor<4x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x3xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x3xi64>):
    // expect: all_to_all-C5
    %0 = "stablehlo.all_to_all"() <{concat_dimension = 0 : i64, replica_groups = dense<0> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 2 : i64}> : () -> tensor<4x3xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi64>):
    // expect: all_to_all-C7
    %0 = "stablehlo.all_to_all"() <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : () -> tensor<4x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi1>):
    // expect: all_to_all-C8
    %0 = "stablehlo.all_to_all"() <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 1 : i64, split_dimension = 0 : i64}> : () -> tensor<0x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi64>):
    // expect: all_to_all-C9
    %0 = "stablehlo.all_to_all"() <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : () -> tensor<4x2xi8>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: all_to_all-I1
    %0 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2x4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<4x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi64>):
    // expect: all_to_all-I2
    %0 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = 0 : i64, split_count = 2 : i64}> : (tensor<2x4xi64>) -> tensor<4x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi8>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi8>):
    // expect: all_to_all-I3
    %0 = "stablehlo.all_to_all"(%arg0) <{split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2x4xi8>) -> tensor<4x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi64>):
    // expect: all_to_all-I4
    %0 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = "x", replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_dimension = 1 : i64}> : (tensor<2x4xi64>) -> tensor<4x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi64>):
    // expect: all_to_all-I5
    %0 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = 1 : i64, split_count = true, split_dimension = 1 : i64}> : (tensor<2x4xi64>) -> tensor<?x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xf32>):
    // expect: all_to_all-I6
    %0 = "stablehlo.all_to_all"(%arg0) <{channel_handle = "x", concat_dimension = 0 : i64, replica_groups = f32, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2x4xf32>) -> tensor<1x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
func.func @main(%x: tensor<2x4xf32>) {
  // expect: all_to_all-C6
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[0, 1]> : tensor<2xi64>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}
