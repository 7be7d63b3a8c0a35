"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xi32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xi32>):
    %0 = "stablehlo.constant"() <{value = dense<[[1], [0], [5]]> : tensor<3x1xi64>}> : () -> tensor<3x1xi64>
    // expect: gather-C1
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<2x3xi32>, tensor<3x1xi64>) -> tensor<3x3x!quant.uniform<i8:f32, 5.000000e-01:1>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>}> : () -> tensor<2x3xi64>
    %1 = "stablehlo.constant"() <{value = dense<[[2, 0], [1, 1]]> : tensor<2x2xi64>}> : () -> tensor<2x2xi64>
    // expect: gather-C18
    %2 = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x3xi64>, tensor<2x2xi64>) -> tensor<2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xui8>}> : () -> tensor<3x2xui8>
    %1 = "stablehlo.constant"() <{value = dense<[[0, 2]]> : tensor<1x2xui32>}> : () -> tensor<1x2xui32>
    // expect: gather-C19
    %2 = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [-1]>, indices_are_sorted = true, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xui8>, tensor<1x2xui32>) -> tensor<2x2xui8>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xui32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xui32>):
    %0 = "stablehlo.constant"() <{value = dense<[[1], [0], [5]]> : tensor<3x1xi64>}> : () -> tensor<3x1xi64>
    // expect: gather-C2
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 7>, slice_sizes = array<i64: 3, 1>}> : (tensor<2x3xui32>, tensor<3x1xi64>) -> tensor<3x?x!quant.uniform<i8:f32, 5.000000e-01:1>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf32>):
    %0 = "stablehlo.constant"() <{value = dense<[[1], [0], [5]]> : tensor<3x1xi64>}> : () -> tensor<3x1xi64>
    // expect: gather-C20
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 0, 1, 3>}> : (tensor<2x3xf32>, tensor<3x1xi64>) -> tensor<3x3x!quant.uniform<i8:f32, 5.000000e-01:1>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:1>>):
    %0 = "stablehlo.constant"() <{value = dense<[[1], [0], [5]]> : tensor<3x1xi64>}> : () -> tensor<3x1xi64>
    // expect: gather-C21
    %1 = "stablehlo.gather"(%0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<3x1xi64>, tensor<3x1xi64>) -> tensor<3x3xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xi32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xi32>):
    %0 = "stablehlo.constant"() <{value = dense<[[1], [0], [5]]> : tensor<3x1xi64>}> : () -> tensor<3x1xi64>
    // expect: gather-C22
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<2x3xi32>, tensor<3x1xi64>) -> tensor<3x3x3x!quant.uniform<i8:f32, 5.000000e-01:1>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xi4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xi4>):
    %0 = "stablehlo.constant"() <{value = dense<[[1], [0], [5]]> : tensor<3x1xi64>}> : () -> tensor<3x1xi64>
    // expect: gather-C23
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<2x3xi4>, tensor<3x1xi64>) -> tensor<3x3x!quant.uniform<i8:f32, 5.000000e-01:1>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xui8>}> : () -> tensor<3x2xui8>
    %1 = "stablehlo.constant"() <{value = dense<[[0, 2]]> : tensor<1x2xui32>}> : () -> tensor<1x2xui32>
    // expect: gather-C3
    %2 = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0]>, indices_are_sorted = true, slice_sizes = array<i64: 2>}> : (tensor<3x2xui8>, tensor<1x2xui32>) -> tensor<2x1xui8>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[[1, 2], [3, 4], [5, 6], [7, 8]], [[9, 10], [11, 12], [13, 14], [15, 16]], [[17, 18], [19, 20], [21, 22], [23, 24]]]> : tensor<3x4x2xi32>}> : () -> tensor<3x4x2xi32>
    %1 = "stablehlo.constant"() <{value = dense<[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 2]]]> : tensor<2x3x2xi64>}> : () -> tensor<2x3x2xi64>
    // expect: gather-C4
    %2 = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2, 2>}> : (tensor<3x4x2xi32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xi32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xui8>}> : () -> tensor<3x2xui8>
    %1 = "stablehlo.constant"() <{value = dense<[[0, 2]]> : tensor<1x2xui32>}> : () -> tensor<1x2xui32>
    // expect: gather-C5
    %2 = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = true, slice_sizes = array<i64: 1, 7>}> : (tensor<3x2xui8>, tensor<1x2xui32>) -> tensor<2xui8>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xui8>}> : () -> tensor<3x2xui8>
    %1 = "stablehlo.constant"() <{value = dense<[[0, 2]]> : tensor<1x2xui32>}> : () -> tensor<1x2xui32>
    // expect: gather-C8
    %2 = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [2], start_index_map = [0]>, indices_are_sorted = true, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xui8>, tensor<1x2xui32>) -> tensor<2x2xui8>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xui8>}> : () -> tensor<3x2xui8>
    %1 = "stablehlo.constant"() <{value = dense<[[0, 2]]> : tensor<1x2xui32>}> : () -> tensor<1x2xui32>
    // expect: gather-C9
    %2 = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = true, slice_sizes = array<i64: 2>}> : (tensor<3x2xui8>, tensor<1x2xui32>) -> tensor<2x2xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    %0 = "stablehlo.constant"() <{value = dense<[[1], [0], [5]]> : tensor<3x1xi64>}> : () -> tensor<3x1xi64>
    // expect: gather-I1
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<3x1xi64>) -> tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:1>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xcomplex<f64>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xcomplex<f64>>):
    %0 = "stablehlo.constant"() <{value = dense<[[1], [0], [5]]> : tensor<3x1xi64>}> : () -> tensor<3x1xi64>
    // expect: gather-I2
    %1 = "stablehlo.gather"(%0, %arg0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<3x1xi64>, tensor<2x3xcomplex<f64>>) -> tensor<3x3xbf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5xf64>, tensor<3x1xi32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5xf64>, %arg1: tensor<3x1xi32>):
    // expect: gather-I3
    %0 = "stablehlo.gather"(%arg0, %arg1) <{slice_sizes = array<i64: 2>}> : (tensor<5xf64>, tensor<3x1xi32>) -> tensor<3x2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
func.func @main(%x: tensor<3x4x2xf32>, %i: tensor<2x2xi64>) {
  // expect: gather-C7
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1, 0], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 2>, indices_are_sorted = false}> : (tensor<3x4x2xf32>, tensor<2x2xi64>) -> tensor<2x2xf32>
  return
}
