"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi64>, tensor<3xf64>, tensor<2x1xi64>, tensor<2xi64>, tensor<2xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi64>, %arg1: tensor<3xf64>, %arg2: tensor<2x1xi64>, %arg3: tensor<2xi64>, %arg4: tensor<2xf64>):
    // expect: scatter-C1
    %0:2 = "stablehlo.scatter"(%arg0, %arg1, %arg2, %arg3, %arg4) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg5: tensor<i64>, %arg6: tensor<f64>, %arg7: tensor<i64>, %arg8: tensor<f64>):
      %1 = "stablehlo.multiply"(%arg5, %arg5) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %2 = "stablehlo.subtract"(%arg6, %arg8) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      "stablehlo.return"(%1, %2) : (tensor<i64>, tensor<f64>) -> ()
    }) : (tensor<4xi64>, tensor<3xf64>, tensor<2x1xi64>, tensor<2xi64>, tensor<2xf64>) -> (tensor<3xi64>, tensor<3xf64>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xf64>, tensor<3x1xi32>, tensor<3xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xf64>, %arg1: tensor<3x1xi32>, %arg2: tensor<3xf64>):
    // expect: scatter-C11
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<f16>, %arg4: tensor<f16>):
      "stablehlo.return"() : () -> ()
    }) : (tensor<3xf64>, tensor<3x1xi32>, tensor<3xf64>) -> tensor<3xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xf64>, tensor<3x1xi32>, tensor<3xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xf64>, %arg1: tensor<3x1xi32>, %arg2: tensor<3xf64>):
    // expect: scatter-C19
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      "stablehlo.return"(%arg4) : (tensor<f64>) -> ()
    }) : (tensor<3xf64>, tensor<3x1xi32>, tensor<3xf64>) -> tensor<3xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xf64>, tensor<3x1xi32>, tensor<3xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xf64>, %arg1: tensor<3x1xi32>, %arg2: tensor<3xf64>):
    // expect: scatter-C2
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], input_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      "stablehlo.return"() : () -> ()
    }) : (tensor<3xf64>, tensor<3x1xi32>, tensor<3xf64>) -> tensor<3xui8>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x4x2xi64>, tensor<2x3x2xi64>, tensor<2x3x2x2xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x4x2xi64>, %arg1: tensor<2x3x2xi64>, %arg2: tensor<2x3x2x2xi64>):
    // expect: scatter-C20
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<1xi64>, %arg4: tensor<i64>):
      %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<1xi64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<3x4x2xi64>, tensor<2x3x2xi64>, tensor<2x3x2x2xi64>) -> tensor<3x4x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xf64>, tensor<3x1xi32>, tensor<3xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xf64>, %arg1: tensor<3x1xi32>, %arg2: tensor<3xf64>):
    // expect: scatter-C21
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      "stablehlo.return"(%arg4) : (tensor<f64>) -> ()
    }) : (tensor<3xf64>, tensor<3x1xi32>, tensor<3xf64>) -> tensor<3xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xi64>, tensor<2xi64>, tensor<2xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xi64>, %arg1: tensor<2xi64>, %arg2: tensor<2xi64>):
    // expect: scatter-C22
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<i64>):
      %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<2x3xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xf64>, tensor<3x1xi32>, tensor<3xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xf64>, %arg1: tensor<3x1xi32>, %arg2: tensor<3xf64>):
    // expect: scatter-C23
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      "stablehlo.return"() : () -> ()
    }) : (tensor<3xf64>, tensor<3x1xi32>, tensor<3xf64>) -> tensor<3xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1xf64>, tensor<3x1xi32>, tensor<3xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1xf64>, %arg1: tensor<3x1xi32>, %arg2: tensor<3xf64>):
    // expect: scatter-C24
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<2xf64>):
      "stablehlo.return"(%arg4) : (tensor<2xf64>) -> ()
    }) : (tensor<1xf64>, tensor<3x1xi32>, tensor<3xf64>) -> tensor<3xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xf64>, tensor<3x1xi32>, tensor<3xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xf64>, %arg1: tensor<3x1xi32>, %arg2: tensor<3xf64>):
    // expect: scatter-C25
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      "stablehlo.return"(%arg4) : (tensor<f64>) -> ()
    }) : (tensor<3xf64>, tensor<3x1xi32>, tensor<3xf64>) -> tensor<3xi32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xi64>, tensor<3xf64>, tensor<2x1xi64>, tensor<2xi64>, tensor<2xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xi64>, %arg1: tensor<3xf64>, %arg2: tensor<2x1xi64>, %arg3: tensor<2xi64>, %arg4: tensor<2xf64>):
    // expect: scatter-C3
    %0:2 = "stablehlo.scatter"(%arg0, %arg1, %arg2, %arg2, %arg4) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg5: tensor<i64>, %arg6: tensor<f64>, %arg7: tensor<i64>, %arg8: tensor<f64>):
      %1 = "stablehlo.multiply"(%arg5, %arg7) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %2 = "stablehlo.subtract"(%arg6, %arg8) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      "stablehlo.return"(%1, %2) : (tensor<i64>, tensor<f64>) -> ()
    }) : (tensor<3xi64>, tensor<3xf64>, tensor<2x1xi64>, tensor<2x1xi64>, tensor<2xf64>) -> (tensor<3xi64>, tensor<3xf64>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xf64>, tensor<3x1xi32>, tensor<2xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xf64>, %arg1: tensor<3x1xi32>, %arg2: tensor<2xf64>):
    // expect: scatter-C4
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      "stablehlo.return"(%arg4) : (tensor<f64>) -> ()
    }) : (tensor<2xf64>, tensor<3x1xi32>, tensor<2xf64>) -> tensor<2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi64>, tensor<1xi64>, tensor<2xi32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi64>, %arg1: tensor<1xi64>, %arg2: tensor<2xi32>):
    // expect: scatter-C6
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<i64>):
      %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<4xi64>, tensor<1xi64>, tensor<2xi32>) -> tensor<4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x4x2xi64>, tensor<2x3x2xi64>, tensor<2x3x2x2xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x4x2xi64>, %arg1: tensor<2x3x2xi64>, %arg2: tensor<2x3x2x2xi64>):
    // expect: scatter-C7
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<i64>):
      %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<3x4x2xi64>, tensor<2x3x2xi64>, tensor<2x3x2x2xi64>) -> tensor<3x4x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<3x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<3x1xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, %arg1: tensor<3x!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg2: tensor<3x1xi64>):
    // expect: scatter-I1
    %0 = "stablehlo.scatter"(%arg0, %arg2, %arg1) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg3: tensor<!quant.uniform<i8:f32, 5.000000e-01:1>>, %arg4: tensor<!quant.uniform<i8:f32, 5.000000e-01:1>>):
      %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<!quant.uniform<i8:f32, 5.000000e-01:1>>) -> tensor<!quant.uniform<i8:f32, 5.000000e-01:1>>
      "stablehlo.return"(%1) : (tensor<!quant.uniform<i8:f32, 5.000000e-01:1>>) -> ()
    }) : (tensor<3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<3x1xi64>, tensor<3x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> tensor<3x!quant.uniform<i8:f32, 5.000000e-01:1>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x4x2xi1>, tensor<2x3x2xi64>, tensor<2x3x2x2xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x4x2xi1>, %arg1: tensor<2x3x2xi64>, %arg2: tensor<2x3x2x2xi64>):
    // expect: scatter-I10
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg1) <{indices_are_sorted = array<i64: 0, 1>, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<i64>):
      %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i64>, tensor<i64>) -> tensor<1xi64>
      "stablehlo.return"(%1) : (tensor<1xi64>) -> ()
    }) : (tensor<3x4x2xi1>, tensor<2x3x2xi64>, tensor<2x3x2xi64>) -> tensor<3x4x2xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xf64>, tensor<3x1xi32>, tensor<3xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xf64>, %arg1: tensor<3x1xi32>, %arg2: tensor<3xf64>):
    // expect: scatter-I2
    %0 = "stablehlo.scatter"(%arg0, %arg2, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      "stablehlo.return"(%arg4) : (tensor<f64>) -> ()
    }) : (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xf64>, tensor<3x1xi32>, tensor<3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xf64>, %arg1: tensor<3x1xi32>, %arg2: tensor<3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: scatter-I3
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<i8>, %arg4: tensor<i8>):
      "stablehlo.return"(%arg4) : (tensor<i8>) -> ()
    }) : (tensor<3xf64>, tensor<3x1xi32>, tensor<3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<3xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xf64>, tensor<3x1xi32>, tensor<3xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xf64>, %arg1: tensor<3x1xi32>, %arg2: tensor<3xf64>):
    // expect: scatter-I4
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{unique_indices = true}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<?xf64>):
      "stablehlo.return"(%arg4) : (tensor<?xf64>) -> ()
    }) : (tensor<3xf64>, tensor<3x1xi32>, tensor<3xf64>) -> tensor<3xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi64>, tensor<1xi64>, tensor<2xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xi64>, %arg1: tensor<1xi64>, %arg2: tensor<2xi64>):
    // expect: scatter-C5
    %0 = "stablehlo.scatter"(%arg0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
    ^bb0(%arg3: tensor<3xf8E4M3FN>, %arg4: tensor<f8E4M3FN>):
      %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<3xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
      "stablehlo.return"(%1) : (tensor<f8E4M3FN>) -> ()
    }) : (tensor<4xi64>) -> tensor<4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
func.func @main(%x: tensor<3x4x2xf32>, %i: tensor<2x2xi64>, %u: tensor<2x2xf32>) {
  // expect: scatter-C10
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [1, 0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<3x4x2xf32>, tensor<2x2xi64>, tensor<2x2xf32>) -> tensor<3x4x2xf32>
  return
}
// -----
func.func @truths(%x: tensor<3xi32>, %i: tensor<1xi1>, %u: tensor<i32>) {
  // expect: scatter-I2
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<3xi32>, tensor<1xi1>, tensor<i32>) -> tensor<3xi32>
  return
}
