"""Magics, alone and between StableHLO, and what they leave behind."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from shlo_kernel.cells.errors import CellError
from shlo_kernel.magics import MAGICS

from .screens import Notebook

F = """func.func @f(%a: tensor<2xf32>, %b: tensor<f32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""
X = "%x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>"


@pytest.fixture
def notebook() -> Notebook:
    return Notebook()


def failure(notebook: Notebook, cell: str) -> CellError:
    with pytest.raises(CellError) as caught:
        notebook.cell(cell)
    return caught.value


def test_run_takes_values_literals_and_made_up_arguments(notebook: Notebook, tmp_path: Path) -> None:
    notebook.cell(f"{X}\n{F}")
    assert notebook.cell("%run @f(%x, 2.5)").titles == ["%_ : tensor<2xf32>"]
    assert notebook.value("_") == [-1, -2]
    np.save(tmp_path / "x.npy", np.array([5, 6], np.float32))
    notebook.cell(f"%run %r = @f({tmp_path / 'x.npy'}, zeros)")
    assert notebook.value("r") == [-5, -6]
    notebook.cell("%run %a = @f(random, 0)\n%run %b = @f(random 1, 0)\n%run %c = @f(random, 0)")
    assert notebook.value("a") == notebook.value("c") != notebook.value("b")


def test_several_results_are_a_pack(notebook: Notebook, tmp_path: Path) -> None:
    notebook.cell(
        "func.func @two(%a: tensor<i32>) -> (tensor<i32>, tensor<i32>) {\n"
        "  %0 = stablehlo.negate %a : tensor<i32>\n"
        "  return %a, %0 : tensor<i32>, tensor<i32>\n}"
    )
    assert notebook.cell("%run @two(3)").titles == ["%_#0 : tensor<i32>", "%_#1 : tensor<i32>"]
    notebook.cell("%run %p, %q = @two(4)\n%s = stablehlo.add %p, %_#1 : tensor<i32>")
    assert notebook.value("s") == 1
    arrays = tmp_path / "pack.npz"
    notebook.cell(f"%save {arrays} %_\n%reset\n%load {arrays}")
    assert (notebook.value("_#0"), notebook.value("_#1")) == (3, -3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("@f(%x)", "@f takes 2 arguments, 1 given"),
        ("@f(%nope, 1)", "there is no value %nope"),
        ("@f(%s, 1)", "%s is tensor<f32>, but must be tensor<2xf32>"),
        ("@f(x y, 1)", "x y is no value of type tensor<2xf32>"),
        ("@g", "no function @g"),
        ("f", "f is no call"),
        ("%a, %b = @f(%x, 1)", "gives 1 result, 2 names are given"),
    ],
)
def test_a_call_that_cannot_be_made_says_why(notebook: Notebook, call: str, message: str) -> None:
    notebook.cell(f"{X}\n%s = stablehlo.constant dense<1.0> : tensor<f32>\n{F}")
    assert message in failure(notebook, f"%run {call}").message


def test_a_function_that_fails_in_run_names_the_cell(notebook: Notebook) -> None:
    notebook.cell("func.func @f() {\n  stablehlo.custom_call @nobody() : () -> ()\n  return\n}")
    assert "(@f, In[1]:2:3)" in failure(notebook, "%run @f()").message


def test_time_tells_what_the_time_went_into(notebook: Notebook) -> None:
    notebook.cell(f"{X}\n{F}")
    assert "stablehlo.negate" in notebook.cell("%time @f(%x, 1)").text
    assert re.search(r"[\d.]+ ms", notebook.cell("%%time\n%y = stablehlo.negate %x : tensor<2xf32>").text)
    assert notebook.value("y") == [-1, -2]


def test_lines_below_a_magic_have_the_numbers_of_the_cell(notebook: Notebook) -> None:
    text = re.sub(
        "\x1b[^m]*m", "", failure(notebook, "%%time\n\n%y = stablehlo.negate %x : tensor<f32>").text
    )
    assert text.startswith("In[1]:3:23: error: use of undeclared value '%x'")


def test_input_names_a_value(notebook: Notebook, tmp_path: Path) -> None:
    np.save(tmp_path / "m.npy", np.arange(6.0).reshape(2, 3))
    notebook.cell(
        "%input %r = random : tensor<2x3xbf16>\n%input %z = zeros : tensor<2xi32>\n"
        "%input %l = dense<[1, 2]> : tensor<2xui8>\n%input %s = 3 : tensor<2x2xf32>\n"
        f"%input %m = {tmp_path / 'm.npy'}"
    )
    types = {name: str(value.type) for name, value in notebook.session.values.items()}
    assert types == {
        "r": "tensor<2x3xbf16>",
        "z": "tensor<2xi32>",
        "l": "tensor<2xui8>",
        "s": "tensor<2x2xf32>",
        "m": "tensor<2x3xf64>",
    }
    assert "the type of 3 is missing" in failure(notebook, "%input %q = 3").message
    assert "is no type" in failure(notebook, "%input %q = 3 : tensor<2xwhat>").message


def test_magics_stand_between_operations_and_a_failing_cell_undoes_them(notebook: Notebook) -> None:
    cell = "%input %x = 2 : tensor<2xf32>\n%y = stablehlo.add %x, %x : tensor<2xf32>\n%who"
    assert "%y  tensor<2xf32>  8 B" in notebook.cell(cell).text
    notebook.cell("%reset")
    found = failure(notebook, f"{cell}\n\n%z = stablehlo.add %y, %q : tensor<2xf32>")
    assert "In[3]:5:24" in re.sub("\x1b[^m]*m", "", found.text)
    assert not notebook.session.values


def test_a_name_that_a_value_has_is_the_value(notebook: Notebook) -> None:
    notebook.cell("%who = stablehlo.constant dense<1> : tensor<i32>")
    assert notebook.cell("%who").titles == ["%who : tensor<i32>"]
    assert notebook.cell("%reset\n%who\n%who").text == "nothing has been defined yet\n" * 2
    notebook.cell("%who = stablehlo.constant dense<1> : tensor<i32>")
    assert notebook.cell("%time = stablehlo.negate %who : tensor<i32>\n%time").titles == [
        "%time : tensor<i32>"
    ]


@pytest.mark.parametrize(
    ("cell", "near"), [("%loda x", "%load"), ("%whp", "%who"), ("%%pyton\n1", "%%python")]
)
def test_an_unknown_magic_suggests_the_nearest(notebook: Notebook, cell: str, near: str) -> None:
    assert f"did you mean {near}?" in failure(notebook, cell).message


def test_functions_and_values_are_saved_and_loaded(notebook: Notebook, tmp_path: Path) -> None:
    program, arrays = tmp_path / "a program.mlir", tmp_path / "values.npz"
    notebook.cell(f"{X}\n{F}")
    notebook.cell(f"%save {program}\n%save {arrays} %x")
    assert notebook.cell(f"%reset\n%load {program}\n%load {arrays}").text.startswith("@f : ")
    notebook.cell("%run @f(%x, 1)")
    assert notebook.value("_") == [-1, -2]


@pytest.mark.parametrize(
    ("call", "magic"),
    [
        ("{}/p.mlirbc", b"shlo\0"),
        ("'{}/a p.bc'", b"shlo\0"),
        ("--artifact 1.4.0 {}/p.mlirbc", b"StableHLO_v1.4.0\0"),
        ("{}/p.artifact --artifact=1.0.0", b"StableHLO_v1.0.0\0"),
    ],
)
def test_functions_are_saved_as_bytecode_and_artifacts(
    notebook: Notebook, tmp_path: Path, call: str, magic: bytes
) -> None:
    notebook.cell(f"{X}\n{F}\n%save {call.format(tmp_path)}")
    [path] = tmp_path.iterdir()
    assert path.read_bytes()[:4] == b"ML\xefR"
    assert path.read_bytes()[5:].startswith(magic)
    assert notebook.cell(f"%reset\n%load '{path}'\n{X}").text.startswith("@f : ")
    notebook.cell("%run @f(%x, 1)")
    assert notebook.value("_") == [-1, -2]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "%save --artifact 1.3.0 {}/p.bc",
            "artifact for 1.3.0 cannot hold this: .*stablehlo.tan.*; version 1.4.0 can",
        ),
        ("%save --artifact 99.0.0 {}/p.bc", "0.9.0 to"),
        ("%save --artifact {}/p.bc", "write %save --artifact 1.4.0 FILE"),
        ("%save {}/p.bc %x", "values are saved in .npz or .npy files"),
        ("%save --artifact 1.4.0", "the name of a file is missing"),
        ("%save {}/p.xyz", ".mlirbc"),
        ("%load {}/damaged.mlirbc", "damaged.mlirbc: byte [0-9]+: "),
    ],
)
def test_bytecode_that_cannot_be_says_why(
    notebook: Notebook, tmp_path: Path, line: str, message: str
) -> None:
    notebook.cell(f"{X}\n{F.replace('negate', 'tan')}\n%save {tmp_path}/p.mlirbc")
    (tmp_path / "damaged.mlirbc").write_bytes((tmp_path / "p.mlirbc").read_bytes()[:-3])
    before = sorted(tmp_path.iterdir())
    assert re.search(message, failure(notebook, line.format(tmp_path)).message)
    assert sorted(tmp_path.iterdir()) == before


def test_a_loaded_file_is_stablehlo_alone(notebook: Notebook, tmp_path: Path) -> None:
    hostile = tmp_path / "hostile.mlir"
    hostile.write_text(f"%%python\nopen({str(tmp_path / 'written')!r}, 'w')\n")
    assert failure(notebook, f"%load {hostile}").name == "ParseError"
    assert not (tmp_path / "written").exists()


@pytest.mark.parametrize(
    "line", ["%load nowhere.mlir", "%load", "%load x.npy", "%save x.py", "%save x.npz %nope", "%ops nope"]
)
def test_what_cannot_be_done_is_said_with_carets(notebook: Notebook, line: str) -> None:
    text = re.sub("\x1b[^m]*m", "", failure(notebook, f"// first\n{line}").text)
    assert text.startswith("In[1]:2:1: error: ")
    assert text.split("\n")[-1] == "^" + "~" * (len(line) - 1)


def test_tests_of_the_session_are_run(notebook: Notebook) -> None:
    good = "func.func @good() {\n  %0 = stablehlo.constant dense<1> : tensor<i32>\n  check.expect_eq_const %0, dense<1> : tensor<i32>\n  return\n}\n"
    assert "1 passed, 0 failed" in notebook.cell(f"{good}%test").text
    notebook.cell(good.replace("@good", "@bad").replace("%0, dense<1>", "%0, dense<2>"))
    assert "1 of 2 tests failed" in failure(notebook, "%test").message
    assert "failed @bad" in notebook.seen.text


def test_python_shares_values_both_ways(notebook: Notebook) -> None:
    notebook.cell(
        "%x = stablehlo.constant dense<[1, 2]> : tensor<2xui8>\n%0 = stablehlo.negate %x : tensor<2xui8>"
    )
    seen = notebook.cell(
        "%%python\nimport numpy as np\ny = x.astype(np.float32) * 2\nx = x + 1\nz = values['0']\ny"
    )
    assert seen.titles == ["tensor<2xf32>"]
    assert {name: str(value.type) for name, value in notebook.session.values.items()} == {
        "0": "tensor<2xui8>",
        "x": "tensor<2xui8>",
        "y": "tensor<2xf32>",
        "z": "tensor<2xui8>",
    }
    notebook.cell("%%python\ny[0] = 7")
    assert notebook.value("y") == [7, 4]
    notebook.cell("%y = stablehlo.constant dense<0.0> : tensor<f32>")
    assert notebook.cell("%%python\ny").titles == ["tensor<f32>"]


def test_an_error_of_python_changes_no_value_and_shows_its_line(notebook: Notebook) -> None:
    notebook.cell(X)
    found = failure(notebook, "%%python\nx = x + 1\nraise ValueError('\\x1b[31m')")
    assert (found.name, found.message) == ("ValueError", "\\x1b[31m")
    assert "line 3" in found.text
    assert "raise ValueError" in found.text
    assert "\x1b" not in found.text
    assert notebook.value("x") == [1, 2]
    assert failure(notebook, "%%python\nx[0] = 1").name == "ValueError"
    assert failure(notebook, "%%python\n1 +").name == "SyntaxError"


def test_help_lists_every_magic(notebook: Notebook) -> None:
    text = notebook.cell("%help").text
    assert all(f"%{name}" in text for name in MAGICS)
    assert notebook.cell("%help run").text.startswith("%run ")
    assert "dot_general" in notebook.cell("%ops").text
    assert "contracting" in notebook.cell("%ops dot_general").shown[0]["text/markdown"]


def test_the_cell_of_the_readme_runs(notebook: Notebook) -> None:
    readme = Path(__file__).parents[2].joinpath("README.md").read_text("utf-8")
    section = readme[readme.index("## In a notebook") : readme.index("## In scripts")]
    notebook.cell(re.findall(r"```mlir\n(.*?)```", section, re.DOTALL)[0])
    assert notebook.value("y") == [[2, 4, 6], [8, 10, 12]]
    notebook.cell("%run @twice(random)\n%input %x = random : tensor<2x3xf32>\n%x, %y")


def test_semantics_of_cells_and_calls(notebook: Notebook) -> None:
    power = """%x = stablehlo.constant dense<3> : tensor<i32>
    %y = stablehlo.constant dense<65> : tensor<i32>
    %r = stablehlo.power %x, %y : tensor<i32>"""
    notebook.cell("%semantics xla")
    notebook.cell(power)
    assert notebook.value("r") == 3
    notebook.cell("%semantics spec")
    notebook.cell(power)
    assert notebook.value("r") == 3**65 % 2**32
    assert failure(notebook, "%semantics hlo").message == "expected spec or xla, got hlo"
