"""`shlo run --infeed --outfeed`: queues from files and into files."""

from __future__ import annotations

import json
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from .conftest import Shlo

PROGRAM = """func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  %t = stablehlo.create_token : !stablehlo.token
  %a:2 = "stablehlo.infeed"(%t) {infeed_config = ""} : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  %b:3 = "stablehlo.infeed"(%a#1) {infeed_config = ""}
    : (!stablehlo.token) -> (tensor<bf16>, tensor<2xi32>, !stablehlo.token)
  %sum = stablehlo.add %a#0, %b#1 : tensor<2xi32>
  %c = "stablehlo.outfeed"(%sum, %b#2) {outfeed_config = ""} : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  %d = "stablehlo.outfeed"(%b#0, %x, %c) {outfeed_config = ""}
    : (tensor<bf16>, tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  return %sum : tensor<2xi32>
}
"""
PRINTED = """result 0: tensor<2xi32>
[4, 6]
outfeed 0: tensor<2xi32>
[4, 6]
outfeed 1, part 0: tensor<bf16>
1.5
outfeed 1, part 1: tensor<2xi32>
[7, 7]
"""


@pytest.fixture
def feeding(tmp_path: Path) -> Path:
    path = tmp_path / "feeding.mlir"
    path.write_text(PROGRAM)
    _write(tmp_path / "in.npz", 0)
    return path


def _write(path: Path, process: int) -> None:
    np.savez(
        path,
        **{
            "first": np.array([1 + process, 2], np.int32),
            "second.0": np.array(1.5, ml_dtypes.bfloat16),
            "second.1": np.array([3, 4], np.int32),
        },
    )


def test_an_infeed_from_a_file(shlo: Shlo, feeding: Path, tmp_path: Path) -> None:
    assert shlo("run", feeding, "[7, 7]", "--infeed", tmp_path / "in.npz") == (0, PRINTED, "")
    outcome = shlo("run", feeding, "[7, 7]", "--infeed", tmp_path / "in.npz", "--format", "json")
    assert json.loads(outcome.out)["outfeed"] == [[[4, 6]], [1.5, [7, 7]]]


def test_an_outfeed_is_the_infeed_of_another_run(shlo: Shlo, feeding: Path, tmp_path: Path) -> None:
    saved = tmp_path / "out.npz"
    assert shlo("run", feeding, "[7, 7]", "--infeed", tmp_path / "in.npz", "--outfeed", saved).code == 0
    outcome = shlo("run", feeding, "[0, 0]", "--infeed", saved)
    assert outcome.out.startswith("result 0: tensor<2xi32>\n[11, 13]\n")


def test_queues_of_each_process(shlo: Shlo, feeding: Path, tmp_path: Path) -> None:
    for process in range(2):
        _write(tmp_path / f"in{process}.npz", process)
    files = ("--infeed", tmp_path / "in{process}.npz", "--outfeed", tmp_path / "out{process}.npz")
    outcome = shlo("run", feeding, "[7, 7]", "--grid", "1x2", *files)
    assert outcome.out.splitlines()[::3] == ["process (0, 0)", "process (0, 1)"]
    assert np.load(tmp_path / "out1.npz")["item_0"].tolist() == [5, 6]


def test_an_infeed_that_ends_early(shlo: Shlo, feeding: Path) -> None:
    outcome = shlo("run", feeding, "[7, 7]")
    assert outcome.code == 1
    assert f"{feeding}:3:3: error: stablehlo.infeed: the infeed is empty" in outcome.err
    assert outcome.err.endswith("hint: --infeed FILE.npz says what the infeed gives\n")


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros((3,), np.int32), "in.npz[x] holds int32 of shape (3,), but the program's infeeds read"),
        (np.zeros((2,), np.float32), "in.npz[x] holds float32 of shape (2,)"),
    ],
)
def test_an_item_that_no_infeed_reads(
    shlo: Shlo, feeding: Path, tmp_path: Path, array: np.ndarray, message: str
) -> None:
    np.savez(tmp_path / "in.npz", x=array)
    outcome = shlo("run", feeding, "[7, 7]", "--infeed", tmp_path / "in.npz")
    assert outcome.code == 2
    assert message in outcome.err
