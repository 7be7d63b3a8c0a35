"""Programs for older versions of StableHLO: the same values, and an artifact of that version holds them."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import shlo
import shlo_bytecode
from shlo.ir.diagnostics import PassError
from shlo.transforms import expand_for_version
from tests.oracle import Oracle
from tests.transforms.programs import assert_same_values, names

TAN = """func.func @main(%x: tensor<3xf64>, %z: tensor<3xcomplex<f64>>) -> (tensor<3xf64>, tensor<3xcomplex<f64>>) {
  %0 = stablehlo.tan %x : tensor<3xf64>
  %1 = stablehlo.tan %z : tensor<3xcomplex<f64>>
  return %0, %1 : tensor<3xf64>, tensor<3xcomplex<f64>>
}"""
GATHER = """func.func @main(%x: tensor<200x4xf32>, %i: tensor<200x2xi8>) -> tensor<200x2xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
      operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1>}> : (tensor<200x4xf32>, tensor<200x2xi8>) -> tensor<200x2xf32>
  return %0 : tensor<200x2xf32>
}"""
SCATTER = """func.func @main(%x: tensor<3x4xf32>, %i: tensor<3x2x1xi32>, %u: tensor<3x2xf32>) -> tensor<3x4xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1],
      input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1],
      index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<3x2x1xi32>, tensor<3x2xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}"""


def arguments(text: str) -> list[np.ndarray]:
    random = np.random.default_rng(3)
    if text is TAN:
        x = np.array([-1.2, 0.4, 2.9])
        return [x, x + 1j * x[::-1]]
    if text is GATHER:
        return [random.standard_normal((200, 4), np.float32), random.integers(0, 4, (200, 2)).astype(np.int8)]
    return [
        random.standard_normal((3, 4), np.float32),
        random.integers(0, 4, (3, 2, 1)).astype(np.int32),
        random.standard_normal((3, 2), np.float32),
    ]


@pytest.mark.parametrize("text", [TAN, GATHER, SCATTER], ids=["tan", "gather", "scatter"])
def test_newer_operations_for_an_older_version(text: str, oracle: Oracle) -> None:
    with pytest.raises(shlo_bytecode.EncodingError):
        shlo_bytecode.write_artifact(shlo.parse(text), "1.0.0")
    old = partial(expand_for_version, target="1.0.0")
    made = assert_same_values(text, old, arguments(text), oracle, 1e-12)
    assert shlo_bytecode.write_artifact(made, "1.0.0")
    module = shlo.parse(text)
    assert expand_for_version(module, target="1.9.0") is module


def test_groups_of_a_mesh_are_listed() -> None:
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = "stablehlo.all_reduce"(%x) <{replica_groups = #stablehlo.replica_group_mesh_axes<
        mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>,
          #stablehlo.mesh_axis<name = "y", size = 3>]>, axes = [#stablehlo.axis_ref<name = "x">]>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %1 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %1 : tensor<f32>
      }) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }"""
    made = expand_for_version(shlo.parse(text), target="1.14.0")
    assert "dense<[[0, 3], [1, 4], [2, 5]]> : tensor<3x2xi64>" in made.to_text()
    assert names(made) == names(shlo.parse(text))


def test_ranges_of_locations_become_places() -> None:
    text = """func.func @main(%x: tensor<f32> loc("f":1:2 to :5)) -> tensor<f32> {
      return %x : tensor<f32> loc(fused["n"("f":3:4 to 6:7), "f":1:1])
    } loc("f":1:1)"""
    made = expand_for_version(shlo.parse(text), target="1.8.0").to_text(locations=True)
    assert " to " not in made
    assert '"f":3:4' in made


def test_what_is_no_version_is_refused() -> None:
    with pytest.raises(PassError, match="expected a version"):
        expand_for_version(shlo.parse(TAN), target="1.x")
