"""The check of programs of unknown sizes, on a suite of two."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.dynamic import FOLDER, run_dynamic

pytestmark = pytest.mark.slow

ROWS_TWICE = """module @jit_f {
  func.func public @main(%n: tensor<i64>, %x: tensor<?x2xf32> {mhlo.sharding = ""}, %at: tensor<1xi32>) -> tensor<?x2xf32> {
    %i = stablehlo.convert %n : (tensor<i64>) -> tensor<i32>
    %v = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
    %limit = stablehlo.constant dense<LIMIT> : tensor<1xi32>
    %start = stablehlo.concatenate %at, %at, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %end = stablehlo.concatenate %v, %limit, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %ones = stablehlo.constant dense<1> : tensor<2xi32>
    %y = stablehlo.real_dynamic_slice %x, %start, %end, %ones : (tensor<?x2xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x2xf32>
    %z = stablehlo.add %y, %x : tensor<?x2xf32>
    return %z : tensor<?x2xf32>
  }
}
"""


def test_programs_get_sizes_and_indices_that_the_oracle_can_refine(tmp_path: Path) -> None:
    folder = tmp_path / FOLDER
    folder.mkdir(parents=True)
    (folder / "right.mlir").write_text(ROWS_TWICE.replace("LIMIT", "2"))
    (folder / "too_far.mlir").write_text(ROWS_TWICE.replace("LIMIT", "3"))
    right, too_far = run_dynamic(tmp_path, workers=1)
    assert (right.key, right.verdict) == (f"{FOLDER}/right.mlir#0::main", "passed")
    assert too_far.verdict == "error"
    assert run_dynamic(tmp_path, only="nothing", workers=1) == []
