// Valid programs with what check programs leave out: attributes of collectives, unusual types.
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x8xf32> {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}
// -----
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func @main(%x: tensor<2x4xf32>) -> tensor<4x2xf32> {
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
// -----
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @main(%n: tensor<i32>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.case"(%n) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    stablehlo.return %y : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @main(%p: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    stablehlo.return %y : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @main(%x: tensor<4xf32>, %token: !stablehlo.token) -> !stablehlo.token {
  %0 = "stablehlo.outfeed"(%x, %token) <{outfeed_config = "here"}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return %0 : !stablehlo.token
}
// -----
func.func @main(%token: !stablehlo.token) -> !stablehlo.token {
  %0:2 = "stablehlo.infeed"(%token) <{infeed_config = "here"}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return %0#1 : !stablehlo.token
}
// -----
func.func @main(%x: tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>) -> tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0}>> {
  %0 = stablehlo.add %x, %x : tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>
  return %0 : tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>
}
// -----
func.func @main(%x: tensor<1x2x!quant.uniform<i8:f32:1, {1.0, 2.0}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {1.0, 2.0}>> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<1x2x!quant.uniform<i8:f32:1, {1.0, 2.0}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {1.0, 2.0}>>
  return %0 : tensor<3x2x!quant.uniform<i8:f32:1, {1.0, 2.0}>>
}
// -----
func.func @main(%x: tensor<4x2x!quant.uniform<i8:f32:1, {1.0, 2.0}>>) -> tensor<2x2x2x!quant.uniform<i8:f32:2, {1.0, 2.0}>> {
  %0 = stablehlo.reshape %x : (tensor<4x2x!quant.uniform<i8:f32:1, {1.0, 2.0}>>) -> tensor<2x2x2x!quant.uniform<i8:f32:2, {1.0, 2.0}>>
  return %0 : tensor<2x2x2x!quant.uniform<i8:f32:2, {1.0, 2.0}>>
}
// -----
func.func @main(%x: tensor<2x3x!quant.uniform<i8:f32, 1.0>>, %w: tensor<3x4x!quant.uniform<i8:f32:1, {1.0, 2.0, 3.0, 4.0}>>) -> tensor<2x4x!quant.uniform<i32:f32:1, {1.0, 2.0, 3.0, 4.0}>> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3x!quant.uniform<i8:f32, 1.0>>, tensor<3x4x!quant.uniform<i8:f32:1, {1.0, 2.0, 3.0, 4.0}>>) -> tensor<2x4x!quant.uniform<i32:f32:1, {1.0, 2.0, 3.0, 4.0}>>
  return %0 : tensor<2x4x!quant.uniform<i32:f32:1, {1.0, 2.0, 3.0, 4.0}>>
}
// -----
func.func @main(%x: tensor<1x4x4x4x!quant.uniform<i8:f32, 1.0>>, %k: tensor<2x2x2x4x!quant.uniform<i8:f32:3, {1.0, 1.0, 2.0, 2.0}>>) -> tensor<1x3x3x4x!quant.uniform<i32:f32:3, {1.0, 1.0, 2.0, 2.0}>> {
  %0 = "stablehlo.convolution"(%x, %k) <{window_strides = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<1x4x4x4x!quant.uniform<i8:f32, 1.0>>, tensor<2x2x2x4x!quant.uniform<i8:f32:3, {1.0, 1.0, 2.0, 2.0}>>) -> tensor<1x3x3x4x!quant.uniform<i32:f32:3, {1.0, 1.0, 2.0, 2.0}>>
  return %0 : tensor<1x3x3x4x!quant.uniform<i32:f32:3, {1.0, 1.0, 2.0, 2.0}>>
}
// -----
func.func @main(%x: tensor<2x4x4x2xf32>, %k: tensor<2x2x2x4xf32>) -> tensor<1x3x3x4xf32> {
  %0 = "stablehlo.convolution"(%x, %k) <{window_strides = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x4x2xf32>, tensor<2x2x2x4xf32>) -> tensor<1x3x3x4xf32>
  return %0 : tensor<1x3x3x4xf32>
}
// -----
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "f", has_side_effect = true, backend_config = "", api_version = 2 : i32, called_computations = [@g], output_operand_aliases = []}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @g(tensor<4xf32>) -> tensor<4xf32>
// -----
func.func @main(%token: !stablehlo.token) -> (tensor<4xf32>, !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%token) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return %0#0, %0#1 : tensor<4xf32>, !stablehlo.token
}
// -----
func.func @main(%x: tensor<4xf32>, %token: !stablehlo.token) -> !stablehlo.token {
  %0 = "stablehlo.send"(%x, %token) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return %0 : !stablehlo.token
}
// -----
func.func @main(%x: tensor<4x4xf32>, %zero: tensor<f32>) -> tensor<2x2xf32> {
  %0 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// -----
!T = tensor<2x!quant.uniform<i8:f32:0, {0.5,0.25}>>
func.func @main(%p: tensor<i1>, %n: tensor<i32>, %x: !T) -> !T {
  %0 = "stablehlo.if"(%p) ({ stablehlo.return %x : !T }, { stablehlo.return %x : !T }) : (tensor<i1>) -> !T
  %1 = "stablehlo.case"(%n) ({ stablehlo.return %0 : !T }) : (tensor<i32>) -> !T
  %2 = stablehlo.while(%a = %1) : !T cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %a : !T
  }
  return %2 : !T
}
