"""`shlo debug` as a command: scripts, exit codes, what it says where there is no terminal."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest

from shlo.cli import main
from tests.debugger.test_mesh_names import ON_MESH

from .conftest import BROKEN, DIVERGING, EXAMPLES


@pytest.fixture
def script(tmp_path):
    """A function that runs commands on a program, and gives the exit code."""

    def run(commands: str, *arguments: str) -> int:
        path = tmp_path / "commands.txt"
        path.write_text(commands)
        return main(["debug", *arguments, "--script", str(path)])

    return run


def test_a_script_prints_what_commands_answer(script, capsys):
    code = script("break nan\ncontinue\nprint %13[0, 0, 0, 3]\nback\n", str(DIVERGING[0]))
    output = capsys.readouterr().out
    assert code == 0
    assert "(shlo) break nan" in output
    assert "[764], @closed_call, breakpoint 1" in output
    assert "nan" in output.split("print %13")[1]
    assert "[763]" in output


def test_only_the_file_is_required(script, capsys):
    assert script("next\n") == 2
    assert capsys.readouterr().err.startswith("error: the following arguments are required: FILE\n")


@pytest.mark.parametrize(
    ("commands", "arguments", "code", "message"),
    [
        ("next\n", ["distance.mlir"], 2, "takes 2 arguments, none given"),
        ("nonsense\n", ["distance.mlir", "--zeros"], 2, "there is no command 'nonsense'"),
        ("next\n", ["broken.mlir"], 1, "%y"),
        ("next\n", ["none.mlir"], 2, "cannot read"),
        ("next\n", ["distance.mlir", "--zeros", "--entry", "f"], 2, "has no function @f"),
        ("continue\n", ["distance.mlir", "--zeros", "--max-steps", "2"], 1, ""),
    ],
)
def test_exit_codes_of_scripts(commands, arguments, code, message, script, capsys):
    assert script(commands, str(EXAMPLES / arguments[0]), *arguments[1:]) == code
    assert message in capsys.readouterr().err


def test_the_grid_is_taken_from_the_mesh(script, capsys, tmp_path, monkeypatch):
    path = tmp_path / "mesh.mlir"
    path.write_text(ON_MESH)
    assert script("step\nprocess 5\n", str(path), "--zeros") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        "grid 1x8 from mesh @mesh (data=2, model=4)",
        "(shlo) step",
        "[1], process (data=0, model=0), @main body #0",
    ]
    assert "[1], process (data=1, model=1), @main" in lines
    assert script("step\nprocess 5\n", str(path), "--zeros", "--grid", "1x1") == 2
    assert "there is one process" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(ON_MESH.encode())))
    assert script("process 5\n", "-", "--zeros", "--split", "0") == 0
    assert "(data=1, model=1)" in capsys.readouterr().out


INVALID = """\
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %a : tensor<4xf32>
  %1 = "stablehlo.add"(%0, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>
  return %0 : tensor<4xf32>
}
"""


def test_an_invalid_program_is_refused_with_the_verifiers_words(script, capsys, tmp_path):
    path = tmp_path / "invalid.mlir"
    path.write_text(INVALID)
    assert script("next\n", str(path), "--zeros") == 1
    debugged = capsys.readouterr().err
    assert "add-C1" in debugged
    assert "^" in debugged
    assert main(["run", str(path), "--zeros"]) == 1
    assert capsys.readouterr().err == debugged


def test_a_script_from_standard_input_ends_at_quit(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"n\nquit\nn\n")))
    assert main(["debug", str(EXAMPLES / "distance.mlir"), "--zeros", "--script", "-"]) == 0
    assert capsys.readouterr().out.count("(shlo)") == 2


def test_without_a_terminal_the_way_to_scripts_is_shown(capsys, monkeypatch):
    monkeypatch.setattr("sys.__stdin__", io.StringIO())
    assert main(["debug", str(BROKEN[0])]) == 2
    message = capsys.readouterr().err
    assert "is no terminal" in message
    assert "--script" in message


def test_a_recording_is_opened_where_it_ended(script, capsys, tmp_path):
    path = tmp_path / "r.shlorec"
    assert script("break 151\ncontinue\n", str(DIVERGING[0]), "--record", str(path)) == 0
    stopped = capsys.readouterr().out.split("\n[")[1].split("]")[0]
    assert script("where\ninfo breakpoints\n", str(path)) == 0
    output = capsys.readouterr().out
    assert f"[{stopped}]" in output
    assert "1: line 151" in output
    assert script("where\n", str(path), "3") == 2
    assert script("where\n", str(DIVERGING[0]), "--record", str(path)) == 2
    assert "is there already" in capsys.readouterr().err


DEADLOCK = (str(EXAMPLES / "deadlock.mlir"), "1.0", "--grid", "2x1", "--entry", "replica_{replica}")


def test_a_script_on_a_grid_ends_with_the_deadlock(script, capsys):
    assert script("sync\nprocess 1\ncontinue\nwaits\n", *DEADLOCK) == 1
    output = capsys.readouterr().out
    assert "deadlock: processes wait for each other, (0, 0) -> (1, 0) -> (0, 0)" in output
    assert script("process 1\nprocesses\n", *DEADLOCK) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--grid", "2x", "1.0"), "expected replicas x partitions, such as 2x4, got '2x'"),
        (("--grid", "8", "1.0"), "expected replicas x partitions, such as 1x8 for 8 partitions, got '8'"),
        (("--grid", "2x1", "--entry", "f{replica}", "1.0"), "has no function @f0"),
        (("--split", "0"), "there is none"),
        (("--grid", "2x1", "--split", "3", "1.0"), "has no argument 3 to split"),
        (("--grid", "2x1", "--infeed", "none.npz", "1.0"), "has no infeed"),
    ],
)
def test_what_a_grid_cannot_be_started_with_is_said(arguments, message, script, capsys):
    entry = () if "--entry" in arguments else ("--entry", "replica_0")
    try:
        code = script("next\n", DEADLOCK[0], *arguments, *entry)
    except SystemExit as error:
        code = error.code
    assert code == 2
    assert message in capsys.readouterr().err


def test_a_recorded_grid_is_opened_by_its_name(script, capsys, tmp_path):
    path = tmp_path / "r.shlorec"
    script("sync\nprocess 1\n", *DEADLOCK, "--record", str(path))
    capsys.readouterr()
    script("where\nwaits\n", str(path))
    assert "process (1, 0)" in capsys.readouterr().out


def test_a_recording_has_its_own_grid(script, capsys, tmp_path):
    path = tmp_path / "r.shlorec"
    assert script("next\n", str(EXAMPLES / "distance.mlir"), "--zeros", "--record", str(path)) == 0
    assert script("next\n", str(path), "--grid", "2x1") == 2
    assert "a recording has its grid in it" in capsys.readouterr().err


def test_an_infeed_is_given_to_one_process_or_to_each(script, capsys, tmp_path):
    program, feed = tmp_path / "fed.mlir", tmp_path / "feed.npz"
    program.write_text("""func.func @main() -> tensor<f32> {
  %before = stablehlo.create_token : !stablehlo.token
  %got:2 = "stablehlo.infeed"(%before) {infeed_config = ""} : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return %got#0 : tensor<f32>
}""")
    np.savez(feed, first=np.float32(7))
    for grid in ((), ("--grid", "1x2")):
        assert script("continue\ninfo results\n", str(program), "--infeed", str(feed), *grid) == 0
        assert "7." in capsys.readouterr().out


def test_an_error_of_a_script_has_the_number_of_its_line(script, capsys, tmp_path):
    assert script("next\n\n# nothing\nnonsense\n", str(EXAMPLES / "distance.mlir"), "--zeros") == 2
    assert f"{tmp_path / 'commands.txt'}:4: error: there is no command" in capsys.readouterr().err


def test_a_missing_script_is_told_before_the_program_is_opened(capsys, tmp_path):
    assert main(["debug", str(EXAMPLES / "distance.mlir"), "--script", str(tmp_path / "none")]) == 2
    message = capsys.readouterr().err
    assert "cannot read" in message
    assert "takes 2 arguments" not in message


def test_without_a_file_no_argument_is_asked_for(capsys):
    assert main(["debug"]) == 2
    assert "required: FILE\n" in capsys.readouterr().err


def test_results_beside_arguments_are_not_read(script, capsys, tmp_path):
    path, program = tmp_path / "x.npz", str(EXAMPLES / "distance.mlir")
    arguments: dict[str, Any] = {name: np.zeros(3, np.float32) for name in ("from", "to")}
    np.savez(path, **arguments, out0=np.zeros(3), result_1=np.zeros(2))
    assert script("next\n", program, str(path)) == 0
    np.savez(path, **arguments, other=np.zeros(3))
    capsys.readouterr()
    assert script("next\n", program, str(path)) == 0
    assert "x.npz: skipped 1 array named after no argument: other" in capsys.readouterr().out
    assert main(["run", program, str(path)]) == 0
    assert "note: " in (err := capsys.readouterr().err)
    assert "skipped 1 array named after no argument: other" in err
    np.savez(path, to=np.zeros(3, np.float32), form=np.zeros(3, np.float32))
    assert script("next\n", program, str(path)) == 2


def test_a_screenshot_is_the_screen_after_a_script(script, capsys, tmp_path):
    picture = tmp_path / "screen.svg"
    code = script("nonfinite nan\nnonsense\n", str(DIVERGING[0]), "--screenshot", str(picture))
    assert code == 2
    text = picture.read_text("utf-8").replace("&#160;", " ")
    assert "made NaN!" in text
    assert "@closed_call" in text
    assert "step 764" in text
    assert "there is no command 'nonsense'" in capsys.readouterr().err
    assert main(["debug", str(BROKEN[0]), "--screenshot", str(picture)]) == 1
    assert "undeclared" in picture.read_text("utf-8")
    assert main(["debug", str(BROKEN[0]), "--screenshot", str(tmp_path / "screen.png")]) == 2


def test_a_screenshot_wants_a_script_that_can_be_read(capsys, tmp_path):
    picture = tmp_path / "screen.svg"
    assert main(["debug", str(BROKEN[0]), "--screenshot", str(picture), "--script", "nowhere.txt"]) == 2
    assert "nowhere.txt" in capsys.readouterr().err
    assert main(["debug", "-", "--screenshot", str(picture), "--script", "-"]) == 2
    assert "standard input cannot hold" in capsys.readouterr().err
    assert not picture.exists()
