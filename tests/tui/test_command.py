"""`shlo debug` as a command: scripts, exit codes, what it says where there is no terminal."""

from __future__ import annotations

import io

import pytest

from shlo.cli.main import main

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
    code = script("break nan\ncontinue\nprint %11[0, 2, 0, 4]\nback\n", str(DIVERGING[0]))
    output = capsys.readouterr().out
    assert code == 0
    assert "(shlo) break nan" in output
    assert "[715], @closed_call, breakpoint 1" in output
    assert "nan" in output.split("print %11")[1]
    assert "[714]" in output


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
    assert script("break 150\ncontinue\n", str(DIVERGING[0]), "--record", str(path)) == 0
    stopped = capsys.readouterr().out.split("\n[")[1].split("]")[0]
    assert script("where\ninfo breakpoints\n", str(path)) == 0
    output = capsys.readouterr().out
    assert f"[{stopped}]" in output
    assert "1: line 150" in output
    assert script("where\n", str(path), "3") == 2
    assert script("where\n", str(DIVERGING[0]), "--record", str(path)) == 2
    assert "is there already" in capsys.readouterr().err
