"""Programs for grids of processes."""

from __future__ import annotations

SUM = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %id = stablehlo.partition_id : tensor<ui32>
  %own = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
  %wide = stablehlo.broadcast_in_dim %own, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %y = stablehlo.add %x, %wide : tensor<4xf32>
  %sum = "stablehlo.all_reduce"(%y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %both = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %both : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return %sum : tensor<4xf32>
}
"""
"""Each partition has its number; replicas are added up."""

RING = """func.func @main() -> tensor<f32> {
  %before = stablehlo.create_token : !stablehlo.token
  %id = stablehlo.partition_id : tensor<ui32>
  %x = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
  %sent = "stablehlo.send"(%x, %before) {
    channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>,
    source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]> : tensor<3x2xi64>
  } : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  %got:2 = "stablehlo.recv"(%sent) {
    channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>,
    source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]> : tensor<3x2xi64>
  } : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return %got#0 : tensor<f32>
}
"""
"""Three partitions that hand a number on."""

LATE = """func.func @main() -> tensor<f32> {
  %x = stablehlo.constant dense<1.0> : tensor<f32>
  %id = stablehlo.partition_id : tensor<ui32>
  %index = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
  %y = "stablehlo.case"(%index) ({
    %sum = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %both = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %both : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}
      : (tensor<f32>) -> tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %y : tensor<f32>
}
"""
"""One partition takes another branch, and ends while the other one waits for it."""
