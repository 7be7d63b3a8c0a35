"""The grid that a program is for, from its meshes and attributes."""

from __future__ import annotations

import pytest

import shlo
from shlo.interpreter.spmd.needed_grid import needed_grid
from tests.debugger.test_mesh_names import ON_MESH

IDS = """module attributes {ATTRIBUTES} { func.func @main() -> tensor<ui32> {
  %0 = stablehlo.partition_id : tensor<ui32>
  return %0 : tensor<ui32> } }"""


def needed(text: str, entry: str = "main") -> str:
    return str(needed_grid(shlo.parse(text), entry))


def test_a_manual_computation_needs_the_devices_of_its_mesh() -> None:
    assert needed(ON_MESH) == "grid 1x8 from mesh @mesh (data=2, model=4)"
    assert needed(ON_MESH.replace("@mesh =", '@other = <["x"=2]>\n sdy.mesh @mesh =')).startswith("grid 1x8")
    called = ON_MESH.replace("@main", "@inner")
    text = (
        called.rstrip().removesuffix("}")
        + """  func.func @main(%x: tensor<8x8xf32>) -> tensor<4x8xf32> {
    %0 = func.call @inner(%x) : (tensor<8x8xf32>) -> tensor<4x8xf32>
    return %0 : tensor<4x8xf32> }
  func.func @plain() { return } }"""
    )
    assert needed(text) == "grid 1x8 from mesh @mesh (data=2, model=4)"
    assert needed(text, "plain") == "None"
    one = ON_MESH.replace('"data"=2, "model"=4', '"data"=1, "model"=1').replace(
        "partitions = 8", "partitions = 1"
    )
    assert needed(one) == "None"


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ("mhlo.num_partitions = 64 : i32, mhlo.num_replicas = 1 : i32", "grid 1x64 from mhlo.num_partitions"),
        (
            "mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 4 : i32",
            "grid 4x2 from mhlo.num_replicas and mhlo.num_partitions",
        ),
        ("mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32", "None"),
        ("mhlo.num_partitions = -3 : i32", "None"),
        ("", "None"),
    ],
)
def test_what_the_module_declares_counts_where_processes_differ(attributes: str, expected: str) -> None:
    text = IDS.replace("ATTRIBUTES", attributes)
    assert needed(text) == expected
    assert needed(text.replace("stablehlo.partition_id", "stablehlo.constant dense<0>")) == "None"
