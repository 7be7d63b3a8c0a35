"""A command as an engine: what it is given, what it gives, and how it fails."""

# pyright: reportArgumentType=false, reportCallIssue=false

from __future__ import annotations

import shlex
import sys
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import ml_dtypes
import numpy as np
import pytest

import shlo
from shlo.cli import main
from shlo.engines import EngineError, EngineFailure, engine_of
from shlo.engines.command import case_files
from shlo.engines.command.engine import CommandEngine
from shlo.engines.command.tensor_files import (
    TensorFileError,
    element_types,
    read_folder,
    read_npz,
    write_folder,
    write_npz,
)
from shlo.engines.engine import ANYWHERE
from shlo.interpreter.options import RunOptions
from shlo.ir.dtypes import dtype_of

BACKEND = shlex.join([sys.executable, str(Path(__file__).with_name("backend.py"))])
TEXT = """func.func @main(%a: tensor<3xbf16>) -> tensor<3xbf16> {
  %0 = stablehlo.sine %a : tensor<3xbf16>
  %1 = stablehlo.add %0, %a : tensor<3xbf16>
  return %1 : tensor<3xbf16>
}
"""
ARGUMENT = np.array([0.5, 1, 2], ml_dtypes.bfloat16)
FORMS = ("{program} {arguments} {results}", "{program} {arguments:raw} {results:raw}", "")


@pytest.mark.parametrize("form", FORMS, ids=["npz", "raw", "lines"])
def test_a_command_gives_what_the_program_gives(form: str) -> None:
    engine = engine_of(f"command:{BACKEND} right {form}")
    module = shlo.parse(TEXT)
    expected = shlo.run(module, ARGUMENT)
    for _ in range(2):
        (result,) = shlo.run(module, ARGUMENT, engine=engine)
        assert result.dtype == ml_dtypes.bfloat16
        assert result.tolist() == expected[0].tolist()


@pytest.mark.parametrize(
    ("mode", "outcome", "message"),
    [
        ("refuse", "refused", "sine is not supported"),
        ("crash", "crashed", "SIGABRT"),
        ("count", "wrong results", "expected 1 results, got 2"),
        ("shape", "wrong results", "expected shape 3, got"),
        ("type", "wrong results", "expected elements bfloat16, got float64"),
        ("nothing", "wrong results", "the command wrote none"),
    ],
)
def test_each_way_to_fail_is_an_outcome(mode: str, outcome: str, message: str) -> None:
    engine = engine_of(f"command:{BACKEND} {mode} {FORMS[0]}")
    with pytest.raises(EngineFailure, match=message) as failure:
        shlo.run(shlo.parse(TEXT), ARGUMENT, engine=engine)
    assert failure.value.outcome == outcome


@pytest.mark.parametrize(("mode", "printed"), [("talk", "note: compiled"), ("nest", r"\[\[\[")])
def test_what_a_command_prints_beside_its_answers_is_not_the_answer_to_the_next_program(
    mode: str, printed: str
) -> None:
    engine = engine_of(f"command:{BACKEND} {mode}")
    for _ in range(2):
        with pytest.raises(EngineFailure, match=f"expected an object of JSON on a line, got b'{printed}"):
            shlo.run(shlo.parse(TEXT), ARGUMENT, engine=engine)


@pytest.mark.parametrize("form", [FORMS[0], FORMS[2]], ids=["npz", "lines"])
def test_a_command_that_takes_too_long_is_ended(form: str) -> None:
    engine = CommandEngine(f"{BACKEND} hang {form}", ANYWHERE, timeout_s=3)
    with pytest.raises(EngineFailure, match="longer than 3 s") as failure:
        engine.execute(shlo.parse(TEXT), [ARGUMENT], RunOptions())
    assert failure.value.outcome == "timeout"


@pytest.mark.parametrize("command", ["", "./backend {program}", "'unclosed {program} {results}"])
def test_a_command_without_what_it_needs_is_refused(command: str) -> None:
    with pytest.raises(EngineError, match="expected"):
        engine_of(f"command:{command}")


@pytest.mark.parametrize("form", FORMS[::2], ids=["npz", "lines"])
def test_a_command_that_is_not_there_is_told(form: str) -> None:
    with pytest.raises(EngineError, match=r"cannot start \./no-such-backend"):
        shlo.run(shlo.parse(TEXT), ARGUMENT, engine=f"command:./no-such-backend {form}")


def test_every_element_type_arrives_as_it_was(tmp_path: Path) -> None:
    arrays = [np.array([[1, 0, 1]]).astype(dtype_of(type_)) for type_ in element_types().values()]
    write_npz(tmp_path / "all.npz", arrays)
    write_folder(tmp_path / "all", arrays)
    for again in (read_npz(tmp_path / "all.npz"), read_folder(tmp_path / "all", ())):
        assert [array.dtype for array in again] == [array.dtype for array in arrays]
        assert [array.tobytes() for array in again] == [array.tobytes() for array in arrays]


def test_a_file_of_arguments_goes_into_the_commands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "program.mlir").write_text(TEXT)
    write_npz(tmp_path / "arguments.npz", [ARGUMENT])
    assert main(["run", str(tmp_path / "program.mlir"), str(tmp_path / "arguments.npz")]) == 0
    assert main(["run", str(tmp_path / "program.mlir"), "[0.5, 1, 2]"]) == 0
    first, second = capsys.readouterr().out.strip().split("result 0:")[1:]
    assert first.strip() == second.strip()
    write_npz(tmp_path / "arguments.npz", [ARGUMENT.astype(np.float32)])
    assert main(["run", str(tmp_path / "program.mlir"), str(tmp_path / "arguments.npz")]) == 2
    assert "tensor<3xbf16>" in capsys.readouterr().err


def test_a_file_of_results_cannot_claim_more_than_it_holds(tmp_path: Path) -> None:
    header = BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"shape": (1 << 50,), "fortran_order": False, "descr": "<f4"}
    )
    np.savez(tmp_path / "results.npz", types=np.array(["f32"]))
    with ZipFile(tmp_path / "results.npz", "a") as archive:
        archive.writestr("0.npy", header.getvalue() + bytes(16))
    with pytest.raises(TensorFileError, match="cut short"):
        read_npz(tmp_path / "results.npz")


def test_diff_finds_the_operation_that_a_command_gets_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.mlir"
    path.write_text(TEXT)
    words = ["diff", str(path), "[0.5, 1.0, 2.0]", "--engine-command", f"{BACKEND} cosine"]
    assert main(words) == 1
    assert "stablehlo.sine" in capsys.readouterr().out
    assert main([*words[:-1], f"{BACKEND} right"]) == 0


def test_test_programs_run_on_a_command_and_their_checks_here(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.mlir"
    path.write_text(
        """func.func @sine_of_zero() {
          %0 = stablehlo.constant dense<0.0> : tensor<f32>
          %1 = stablehlo.sine %0 : tensor<f32>
          check.expect_eq_const %1, dense<0.0> : tensor<f32>
          return
        }"""
    )
    words = ["test", str(path), "--engine-command"]
    assert main([*words, f"{BACKEND} right"]) == 0
    assert main([*words, f"{BACKEND} cosine"]) == 1
    assert "1.0" in capsys.readouterr().out
    assert main([*words, f"{BACKEND} refuse {FORMS[0]}"]) == 1
    assert "sine is not supported" in capsys.readouterr().out


def test_a_manifest_that_is_nested_too_deep_is_none_that_shlo_wrote(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("[" * 100_000)
    with pytest.raises(TensorFileError):
        read_folder(tmp_path, ())


def test_a_case_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: Path, arrays: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(case_files, "write_npz", fail)
    with pytest.raises(OSError, match="the disk is full"):
        case_files.write_case(tmp_path / "case", shlo.parse("module {}"), [], [])
    assert list(tmp_path.iterdir()) == []
