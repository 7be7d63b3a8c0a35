"""Programs with calls between whole tensors and their parts: the grid that they run in, and what one process
does.
"""

from __future__ import annotations

import numpy as np
import pytest

import shlo
from shlo.ir.diagnostics import ExecutionError

X = np.arange(8, dtype=np.float32)

LEGACY = """
module {{
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {{
    %0 = stablehlo.custom_call @Sharding(%x) {{mhlo.sharding = "{{devices=[{count}]<=[{count}]}}"}}
      : (tensor<8xf32>) -> tensor<8xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {{mhlo.sharding = "{{manual}}"}}
      : (tensor<8xf32>) -> tensor<4xf32>
    %2 = stablehlo.partition_id : tensor<ui32>
    %3 = stablehlo.convert %2 : (tensor<ui32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %5 = stablehlo.custom_call @SPMDShardToFullShape(%4) {{mhlo.sharding = "{{devices=[2]<=[2]}}"}}
      : (tensor<4xf32>) -> tensor<8xf32>
    return %5 : tensor<8xf32>
  }}
}}"""

ROUND_TRIP = """
module attributes {{mhlo.frontend_attributes = {{xla.sdy.meshes = "{{mesh = #sdy.mesh<[\\22a\\22=2, \\22b\\22=2]>}}"}}}} {{
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {{
    %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%x) {{mhlo.frontend_attributes = {{
      xla.sdy.in_shardings = "{sharding}", xla.sdy.manual_axes = "#sdy<manual_axes{{\\22a\\22}}>"}}}}
      : (tensor<8xf32>) -> tensor<4xf32>
    %1 = call @xla.sdy.manual_computation_body(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%1) {{mhlo.frontend_attributes = {{
      xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{{\\22a\\22}}]>]>",
      xla.sdy.manual_axes = "#sdy<manual_axes{{\\22a\\22}}>"}}}} : (tensor<4xf32>) -> tensor<8xf32>
    return %2 : tensor<8xf32>
  }}
  func.func private @xla.sdy.manual_computation_body(%x: tensor<4xf32>) -> tensor<4xf32> {{
    %0 = stablehlo.reverse %x, dims = [0] : tensor<4xf32>
    return %0 : tensor<4xf32>
  }}
}}"""
OVER_A = "#sdy.sharding_per_value<[<@mesh, [{\\22a\\22}]>]>"

MARKED = """
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  stablehlo.custom_call @xla.sdy.ShardingGroup(%x) {has_side_effect = true, mhlo.frontend_attributes =
    {xla.sdy.sharding_group_id = "7 : i64"}} : (tensor<8xf32>) -> ()
  %0 = stablehlo.custom_call @xla.sdy.PropagationBarrier(%x) {mhlo.frontend_attributes =
    {xla.sdy.allowed_direction = "0 : i64"}} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%0) {has_side_effect = true} : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}"""


def test_shardings_over_one_number_of_devices_tell_the_grid() -> None:
    (result,) = shlo.run(shlo.parse(LEGACY.format(count=2)), X)
    assert result.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]


def test_shardings_over_several_numbers_of_devices_need_a_grid_that_is_named() -> None:
    with pytest.raises(ExecutionError, match=r"expected a process for each device, got one.*--grid RxP"):
        shlo.run(shlo.parse(LEGACY.format(count=4)), X)


def test_a_manual_computation_as_calls_runs_on_the_devices_of_its_mesh() -> None:
    (result,) = shlo.run(shlo.parse(ROUND_TRIP.format(sharding=OVER_A)), X)
    assert result.tolist() == [3, 2, 1, 0, 7, 6, 5, 4]
    processes = shlo.run_grid(shlo.parse(ROUND_TRIP.format(sharding=OVER_A)), [[X]], partitions=4)
    assert [values[0].tolist() for values in processes] == [result.tolist()] * 4


@pytest.mark.parametrize(
    ("sharding", "message"),
    [
        (OVER_A.replace("@mesh", "@other"), "the program has no mesh @other"),
        (OVER_A.replace("22a", "22b"), "the result is tensor<8xf32>, but the program declares tensor<4xf32>"),
        ("#sdy.sharding_per_value<[]>", "expected a sharding for each of 1 values in in_shardings, got 0"),
        ("<", "expected an attribute of Shardy in xla.sdy.in_shardings, got '<'"),
    ],
)
def test_calls_that_say_something_else_are_errors_with_their_place(sharding: str, message: str) -> None:
    with pytest.raises(ExecutionError, match=message) as caught:
        shlo.run(shlo.parse(ROUND_TRIP.format(sharding=sharding), "p.mlir"), X)
    assert str(caught.value.place).startswith("p.mlir:4:")


def test_marks_for_the_partitioner_change_nothing() -> None:
    assert shlo.run(shlo.parse(MARKED), X)[0].tolist() == X.tolist()


def test_a_manual_computation_without_values_takes_the_mesh_that_has_its_axes() -> None:
    text = """
    sdy.mesh @mesh = <["a"=2]>
    func.func @main() -> tensor<f32> {
      sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"a"} () {
        sdy.return
      } : () -> ()
      %0 = stablehlo.constant dense<1.0> : tensor<f32>
      return %0 : tensor<f32>
    }"""
    assert shlo.run(shlo.parse(text))[0] == 1
