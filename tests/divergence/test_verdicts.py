"""`shlo diff` says what it compared: what could not be is no agreement, and small errors of equal operands count."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shlo.cli import main
from shlo.engines import ENGINES, EngineError
from shlo.interpreter import RunOptions
from shlo.ir.operations import Module

from .faults import FaultyEngine

TANH = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %t = stablehlo.tanh %x : tensor<4xf32>
  return %t : tensor<4xf32>
}
"""
TWO = """func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %t = stablehlo.tanh %x : tensor<4xf32>
  %n = stablehlo.negate %x : tensor<4xf32>
  return %t, %n : tensor<4xf32>, tensor<4xf32>
}
"""
HALF = """func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {
  %t = stablehlo.slice %x [0:2] : (tensor<4xf32>) -> tensor<2xf32>
  return %t : tensor<2xf32>
}
"""
SCALED = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %t = stablehlo.tanh %x : tensor<4xf32>
  %c = stablehlo.constant dense<1.0001> : tensor<4xf32>
  %s = stablehlo.multiply %t, %c : tensor<4xf32>
  return %s : tensor<4xf32>
}
"""
X = np.array([0.5, -0.25, 1.0, 2.0], np.float32)


class Dying(FaultyEngine):
    """An engine whose process ends once it has run some programs."""

    name = "dying"

    def __init__(self, runs: int) -> None:
        super().__init__("", ())
        self._left = runs

    def execute(self, module: Module, arguments: Sequence[Any], options: RunOptions) -> tuple[Any, ...]:
        """Runs a program, as long as it lives."""
        self._left -= 1
        if self._left < 0:
            raise EngineError("its process has ended")
        return super().execute(module, arguments, options)


@pytest.fixture
def diff(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Returns a function that compares programs given as texts, and returns exit code and output; a dict of
    arrays is a folder of them.
    """
    monkeypatch.chdir(tmp_path)
    np.save("x.npy", X)

    def compared(before: str, after: str | dict[str, Any], *options: str) -> tuple[int, str]:
        Path("a.mlir").write_text(before)
        words = ["a.mlir"]
        if isinstance(after, dict):
            Path("values").mkdir(exist_ok=True)
            for name, array in after.items():
                np.save(Path("values", name), array)
            words.append("values")
        elif after:
            Path("b.mlir").write_text(after)
            words.append("b.mlir")
        code = main(["diff", *words, "x.npy", *options])
        return code, capsys.readouterr().out

    return compared


@pytest.mark.parametrize("pair", [(TWO, TANH), (TANH, TWO)])
def test_a_result_that_one_program_lacks_is_a_difference(diff: Any, pair: tuple[str, str]) -> None:
    code, out = diff(*pair)
    assert code == 1
    assert "only tensor<4xf32> in" in out


def test_results_of_other_shapes_are_a_difference(diff: Any) -> None:
    code, out = diff(TANH, HALF)
    assert code == 1
    assert "tensor<4xf32> in a.mlir, tensor<2xf32> in b.mlir" in out


@pytest.mark.parametrize("array", [np.zeros(3, np.float32), np.zeros(4, np.int32)])
def test_a_file_of_another_shape_or_type_is_a_difference(diff: Any, array: Any) -> None:
    code, out = diff(TANH, {"t.npy": array})
    assert code == 1
    assert "tensor<4xf32> in the interpreter" in out
    assert " of 4 elements differ" not in out
    assert diff(TANH, {"t.npy": array}, "--format", "html")[0] == 1


def test_a_folder_of_which_no_file_fits_compares_nothing(diff: Any) -> None:
    code, out = diff(TANH, {"tt.npy": X})
    assert code == 2
    assert "nothing was compared" in out
    assert json.loads(diff(TANH, {"tt.npy": X}, "--format", "json")[1])["compared"] is False


def test_a_file_that_fits_nothing_beside_one_that_is_right_is_not_all_compared(diff: Any) -> None:
    code, out = diff(TANH, {"t.npy": np.tanh(X), "tt.npy": X})
    assert code == 2
    assert "not all could be compared" in out
    assert diff(TANH, {"t.npy": np.tanh(X) + 1, "tt.npy": X})[0] == 1


def test_an_operation_on_equal_operands_is_held_to_its_own_accuracy(diff: Any) -> None:
    wrong = np.tanh(X)
    wrong[0] += np.float32(838 * np.spacing(wrong[0]))
    code, out = diff(TANH, {"t.npy": wrong})
    assert code == 1
    assert "at most 838 ULP" in out
    code, out = diff(TANH, {"t.npy": np.tanh(X) + np.spacing(np.tanh(X))})
    assert code == 0
    assert "largest difference: " in out
    assert "stablehlo.tanh; allowed: " in out


def test_a_program_whose_results_are_a_ten_thousandth_larger_differs(diff: Any) -> None:
    code, out = diff(TANH, SCALED)
    assert code == 1
    assert "result 0" in out
    assert "largest difference: " in out
    assert diff(TANH, SCALED, "--tolerance", "1e-3")[0] == 0
    assert "(--tolerance)" in diff(TANH, SCALED, "--tolerance", "1e-5")[1]


def test_sums_in_another_order_are_no_difference(diff: Any) -> None:
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = stablehlo.constant dense<3.3> : tensor<4xf32>
  %f = stablehlo.exponential %x : tensor<4xf32>
  %a = stablehlo.multiply %f, %k : tensor<4xf32>
  %b = stablehlo.cosine %x : tensor<4xf32>
  %c = stablehlo.logistic %x : tensor<4xf32>
  %d = stablehlo.add %a, %b : tensor<4xf32>
  %e = stablehlo.add %d, %c : tensor<4xf32>
  return %e : tensor<4xf32>
}
"""
    other = text.replace("add %a, %b", "add %b, %c").replace("add %d, %c", "add %a, %d")
    code, out = diff(text, other)
    assert code == 0
    assert "largest difference: " in out


@pytest.mark.parametrize(("runs", "text"), [(0, "nothing was compared"), (1, "not all could be compared")])
def test_an_engine_that_dies_is_no_agreement(
    diff: Any, monkeypatch: pytest.MonkeyPatch, runs: int, text: str
) -> None:
    monkeypatch.setitem(ENGINES, "dying", lambda _: Dying(runs))
    code, out = diff(TANH, "", "--engine", "dying")
    assert code == 2
    assert "not compared: the whole program: its process has ended" in out
    assert text in out
    monkeypatch.setitem(ENGINES, "dying", lambda _: Dying(runs))
    assert json.loads(diff(TANH, "", "--engine", "dying", "--format", "json")[1])["compared"] is False


def test_zero_and_a_half_are_not_counted_in_units_in_the_last_place(diff: Any) -> None:
    wrong = np.tanh(X)
    wrong[0] = 0
    assert "ULP" not in diff(TANH, {"t.npy": wrong})[1]
