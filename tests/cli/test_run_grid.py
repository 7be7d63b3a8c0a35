"""`shlo run --grid`: arguments of all processes, their results, and processes that do not meet."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from .conftest import Shlo

PROGRAM = """func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  %r = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %t = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %t : tensor<i32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
func.func @stage_0(%x: tensor<2xi32>) -> tensor<2xi32> {
  return %x : tensor<2xi32>
}
func.func @stage_1(%x: tensor<2xi32>) -> tensor<2xi32> {
  %r = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %t = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %t : tensor<i32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
"""


@pytest.fixture
def summing(tmp_path: Path) -> Path:
    path = tmp_path / "sum.mlir"
    path.write_text(PROGRAM)
    return path


def test_one_argument_for_all_processes(shlo: Shlo, summing: Path) -> None:
    outcome = shlo("run", summing, "--grid", "2x1", "[1, 2]")
    assert outcome == (0, "all 2 processes\nresult 0: tensor<2xi32>\n[2, 4]\n", "")


def test_a_file_for_each_process(shlo: Shlo, summing: Path, tmp_path: Path) -> None:
    for process in range(4):
        np.save(tmp_path / f"x{process}.npy", np.array([process, 10 * process], np.int32))
    outcome = shlo("run", summing, "--grid", "2x2", tmp_path / "x{process}.npy")
    assert outcome.out.splitlines() == [
        *("process (0, 0)", "result 0: tensor<2xi32>", "[ 2, 20]"),
        *("process (0, 1)", "result 0: tensor<2xi32>", "[ 4, 40]"),
        *("process (1, 0)", "result 0: tensor<2xi32>", "[ 2, 20]"),
        *("process (1, 1)", "result 0: tensor<2xi32>", "[ 4, 40]"),
    ]


def test_one_file_in_parts(shlo: Shlo, summing: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.array([1, 2, 30, 40], np.int32))
    outcome = shlo("run", summing, "--grid", "2x1", tmp_path / "x.npy", "--split", "0:0")
    assert outcome.out.endswith("[31, 42]\n")


def test_results_as_json_and_in_files(shlo: Shlo, summing: Path, tmp_path: Path) -> None:
    pattern = tmp_path / "out{replica}_{partition}.npy"
    outcome = shlo("run", summing, "--grid", "2x1", "[1, 2]", "--format", "json", "--save", pattern)
    data = json.loads(outcome.out)
    assert (data["replicas"], data["partitions"]) == (2, 1)
    result = {"type": "tensor<2xi32>", "name": None, "value": [2, 4]}
    assert data["processes"][1] == {"replica": 1, "partition": 0, "results": [result]}
    assert np.load(tmp_path / "out1_0.npy").tolist() == [2, 4]


def test_processes_that_do_not_meet(shlo: Shlo, summing: Path) -> None:
    outcome = shlo("run", summing, "--grid", "2x1", "[1, 2]", "--entry", "stage_{replica}")
    assert outcome.code == 1
    assert (
        f"{summing}:13:3: error: stablehlo.all_reduce: (0, 0) has ended, but (1, 0) waits for it"
        in outcome.err
    )
    assert (
        f"(1, 0) waits in stablehlo.all_reduce at {summing}:13:3 for (0, 0), which has ended" in outcome.err
    )


def test_a_program_for_each_process(shlo: Shlo, tmp_path: Path) -> None:
    (tmp_path / "p0.mlir").write_text(PROGRAM)
    (tmp_path / "p1.mlir").write_text(PROGRAM.replace("@main", "@other").replace("@stage_1", "@main"))
    outcome = shlo("run", tmp_path / "p{process}.mlir", "--grid", "2x1", "[1, 2]")
    assert outcome == (0, "all 2 processes\nresult 0: tensor<2xi32>\n[2, 4]\n", "")


def test_a_mistake_is_shown_in_the_program_of_its_process(shlo: Shlo, summing: Path, tmp_path: Path) -> None:
    (tmp_path / "p0.mlir").write_text(PROGRAM.replace("@main", "@other").replace("@stage_0", "@main"))
    (tmp_path / "p1.mlir").write_text(f"// moved\n{PROGRAM}")
    outcome = shlo("run", tmp_path / "p{process}.mlir", "--grid", "2x1", "[1, 2]")
    assert f"{tmp_path / 'p1.mlir'}:3:3: error: stablehlo.all_reduce: (0, 0) has ended" in outcome.err
    assert outcome.err.splitlines()[1].strip().startswith('%r = "stablehlo.all_reduce"')
    assert shlo("run", tmp_path / "p{process}.mlir", "--grid", "3x1", "[1, 2]").code == 2


def test_time_of_all_processes(shlo: Shlo, summing: Path) -> None:
    outcome = shlo("run", summing, "--grid", "2x4", "[1, 2]", "--time", "--format", "json")
    costs = {cost["operation"]: cost["count"] for cost in json.loads(outcome.out)["time"]}
    assert costs["stablehlo.all_reduce"] == 8


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--grid", "2"), "expected replicas x partitions, such as 1x2 for 2 partitions, got '2'"),
        (("--grid", "0x2"), "expected replicas x partitions, such as 2x4, got '0x2'"),
        (("--grid", "99999x99999"), "at most 65536 processes"),
        (("--grid", "2x1", "--outfeed", "out.npz"), "put {process}"),
        (("--grid", "2x1", "--infeed", "in.npz"), "the program has no infeed"),
        (("--grid", "2x1", "--infeed", "in.npy"), "give a .npz file"),
        (("--grid", "2x1", "--save", "out.npz"), "put {process}"),
        (("--grid", "2x1", "--split", "3"), "has no argument 3 to split"),
        (("--grid", "2x1", "--split", "0:1"), "no dimension 1 to split along"),
        (("--split", "0"), "--split splits an argument among the processes of a --grid"),
    ],
)
def test_what_cannot_be_is_one_message(
    shlo: Shlo, summing: Path, options: tuple[str, ...], message: str
) -> None:
    outcome = shlo("run", summing, "[1, 2]", *options)
    assert outcome.code == 2
    assert message in outcome.err


def test_time_of_processes_within_a_run(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "sharded.mlir"
    path.write_text("""sdy.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>]
      manual_axes={"x"} (%part: tensor<2xf32>) {
    %sine = stablehlo.sine %part : tensor<2xf32>
    sdy.return %sine : tensor<2xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
""")
    outcome = shlo("run", path, "--zeros", "--time", "--format", "json")
    data = json.loads(outcome.out)
    costs = {cost["operation"]: cost for cost in data["time"]}
    assert (costs["sdy.manual_computation"]["count"], costs["stablehlo.sine"]["count"]) == (1, 4)
    assert sum(cost["seconds"] for cost in costs.values()) <= data["seconds"]
