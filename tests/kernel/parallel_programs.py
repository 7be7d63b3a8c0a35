"""Programs for grids, as cells define them."""

from __future__ import annotations

SUM = """func.func @sum(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  %z = stablehlo.negate %y : tensor<2xf32>
  return %z : tensor<2xf32>
}
"""
"""Replicas 0 and 1 add up what they have, and so do 2 and 3."""

CROSSED = """func.func @crossed_0(%x: tensor<1xf32>) {
  %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<1xf32>) -> tensor<2xf32>
  return
}
func.func @crossed_1(%x: tensor<1xf32>) {
  %0 = stablehlo.negate %x : tensor<1xf32>
  %1 = "stablehlo.all_gather"(%0) {all_gather_dim = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<1xf32>) -> tensor<2xf32>
  return
}
"""
"""Two replicas that disagree about the order in their group: a deadlock."""
