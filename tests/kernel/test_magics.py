"""Magics, alone and between StableHLO, and what they leave behind."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

from shlo_kernel.cells.session import RunProgress
from shlo_kernel.magics import MAGICS

from .screens import Notebook

F = """func.func @f(%a: tensor<2xf32>, %b: tensor<f32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""
X = "%x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>"


def test_run_takes_values_literals_and_made_up_arguments(notebook: Notebook, tmp_path: Path) -> None:
    notebook.cell(f"{X}\n{F}")
    assert notebook.cell("%run @f(%x, 2.5)").titles == ["%_ : tensor<2xf32>"]
    assert notebook.value("_") == [-1, -2]
    np.save(tmp_path / "x.npy", np.array([5, 6], np.float32))
    notebook.cell(f"%run %r = @f({tmp_path / 'x.npy'}, zeros)")
    assert notebook.value("r") == [-5, -6]
    notebook.cell("%run %a = @f(random, 0)\n%run %b = @f(random 1, 0)\n%run %c = @f(random, 0)")
    assert notebook.value("a") == notebook.value("c") != notebook.value("b")


@pytest.mark.oracle
def test_run_chooses_an_engine(notebook: Notebook) -> None:
    notebook.cell(f"{X}\n{F}")
    assert notebook.cell("%run --engine xla --platform cpu %y = @f(%x, 2.5)").titles == ["%y : tensor<2xf32>"]
    assert notebook.value("y") == [-1, -2]
    notebook.cell("%grid --engine xla --platform cpu 1x1 @f(%x, 2.5)")
    assert notebook.value("_#0") == [-1, -2]
    assert "there is no engine 'xlaa'" in notebook.failure("%run --engine xlaa @f(%x, 2.5)").message
    assert (
        "without a limit of operations"
        in notebook.failure("%run --engine xla --max-steps 9 @f(%x, 2.5)").message
    )


def test_run_takes_a_command_as_the_engine(notebook: Notebook) -> None:
    backend = Path(__file__).parents[1] / "engines" / "backend.py"
    command = f"{sys.executable} {backend} right {{program}} {{arguments}} {{results}}"
    notebook.cell(f"{X}\n{F.replace('@f', '@main')}")
    assert notebook.cell(f"%run --engine-command '{command}' %y = @main(%x, 2.5)").titles == [
        "%y : tensor<2xf32>"
    ]
    assert notebook.value("y") == [-1, -2]
    failure = notebook.failure(f"%run --engine xla --engine-command '{command}' @main(%x, 2.5)")
    assert "expected --engine or --engine-command, got both" in failure.message


def test_run_tells_what_the_specification_leaves_open(notebook: Notebook) -> None:
    wraps = F.replace("f32", "i8").replace("negate %a", "add %a, %a")
    notebook.cell(wraps)
    screen = notebook.cell("%run --sanitize %y = @f(100, 0)")
    assert "stablehlo.add wrapped around" in screen.text
    assert notebook.value("y") == [-56, -56]
    assert "no findings" in notebook.cell("%run --sanitize=-add @f(100, 0)").text
    assert "got 'wraped'" in notebook.failure("%run --sanitize=wraped @f(100, 0)").message


def test_tests_and_grids_tell_what_the_specification_leaves_open(notebook: Notebook) -> None:
    notebook.cell("""func.func @wraps() -> tensor<i8> {
%x = stablehlo.constant dense<100> : tensor<i8>
%y = stablehlo.add %x, %x : tensor<i8>
return %y : tensor<i8>
}""")
    assert "1 passed, 0 failed" in notebook.cell("%test --sanitize=-add").text
    assert "1 of 1 tests failed" in notebook.failure("%test --sanitize wraps").message
    screen = notebook.cell("%grid --sanitize 2x1 %y = @wraps()")
    assert "stablehlo.add wrapped around" in screen.text
    assert "  wrapped in process 0 of 2: 2 elements, in 2 executions" in screen.text
    assert notebook.value("y#1") == -56
    assert "no findings" in notebook.cell("%grid 2x1 --sanitize=-add @wraps()").text


def test_run_tells_which_operations_lose_digits(notebook: Notebook) -> None:
    notebook.cell(
        "func.func @f(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {\n"
        "%s = stablehlo.add %a, %b : tensor<f32>\n"
        "%d = stablehlo.subtract %s, %a : tensor<f32>\n"
        "return %d : tensor<f32>\n}"
    )
    screen = notebook.cell("%run --shadow f64 @f(1e7, 1.3)")
    assert "digits, catastrophic cancellation, at @f, In[1]:3:1" in screen.text
    assert "got f32" in notebook.failure("%run --shadow f32 @f(1e7, 1.3)").message
    assert "got both" in notebook.failure("%run --sanitize --shadow f64 @f(1e7, 1.3)").message


@pytest.mark.parametrize(
    "line",
    [
        "%run --max-steps 100 --shadow f64 %y = @f(random)",
        "%run --shadow f64 --max-steps=100 %y = @f(random)",
        "%run --shadow=f64 %y = @f(random) --max-steps 100",
        "%run %y = @f() --random 0 --max-steps 100 --shadow f64",
        "%run %y = @f --max-steps 100 --shadow f64 --random 0",
    ],
)
def test_options_of_a_run_are_in_any_order(notebook: Notebook, line: str) -> None:
    notebook.cell(F)
    assert "1 operation looked at, none lose digits" in notebook.cell(line).text
    assert len(notebook.value("y")) == 2
    assert "0" in notebook.failure(line.replace("100", "0")).message


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("%run --shadow @f(random)", "expected a value of --shadow, got none"),
        ("%run --shadow --sanitize @f(random)", "expected a value of --shadow, got none"),
        ("%run --engine %y = @f(random)", "expected a value of --engine, got none"),
        ("%run @f(random) --max-steps", "expected a value of --max-steps, got none"),
        ("%run --shadow f64 @f(random) --sanitize", "expected --sanitize or --shadow, got both"),
        ("%run --sanitize --engine xla @f(random)", "expected --sanitize or --engine, got both"),
        (
            "%run --engine xla --sanitize --shadow f64 @f(random)",
            "expected --sanitize, --shadow or --engine, got all of them",
        ),
        (
            "%grid --shadow f64 2x1 @f(random)",
            "expected --sanitize, --engine, --engine-command, --platform or --devices, got --shadow",
        ),
        ("%time --engine xla @f(random)", "expected --max-steps or --max-bytes, got --engine"),
        ("%step --gird 2x1 @f(random)", "expected --grid, got --gird"),
    ],
)
def test_options_that_do_not_fit_are_said(notebook: Notebook, line: str, message: str) -> None:
    notebook.cell(F)
    assert notebook.failure(line).message.partition(";")[0] == message


@pytest.mark.parametrize(
    "call",
    ["@f(random 3)", "@f() --random 3", "@f --random=3", "@f(random 3, random 3)", "@f(random 3) --random 3"],
)
def test_all_arguments_are_made_up_at_once(notebook: Notebook, call: str) -> None:
    notebook.cell(F)
    notebook.cell("%run @f(random 3, random 3)")
    expected = notebook.value("_")
    notebook.cell(f"%run {call}")
    assert notebook.value("_") == expected


def test_arguments_come_from_a_file_of_arrays_by_name(notebook: Notebook, tmp_path: Path) -> None:
    notebook.cell(F)
    path = tmp_path / "data.npz"
    np.savez(path, b=np.float32(7), a=np.array([1, 2], np.float32))
    notebook.cell(f"%run @f({path})")
    assert notebook.value("_") == [-1, -2]
    np.savez(path, a=np.array([3, 4], np.float32))
    assert "missing" in notebook.failure(f"%run @f({path})").message
    notebook.cell(f"%run @f({path}) --zeros")
    assert notebook.value("_") == [-3, -4]


def test_messages_about_many_arguments_are_short(notebook: Notebook) -> None:
    arguments = ", ".join(f"%a{number}: tensor<f32>" for number in range(1000))
    assert len(notebook.cell(f"func.func @g({arguments}) {{\n  return\n}}\n%who").text) < 1000
    found = notebook.failure("%run @g(1.0)")
    assert "takes 1,000 arguments, 1 given" in found.message
    assert "(995 more)" in found.message
    assert len(found.message) < 400


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("%y = stablehlo.ad %x, %x : tensor<2xf32>", "did you mean stablehlo.add?"),
        ("return %x : tensor<2xf32>", "'return' ends a function, and here is none"),
        ("%input", "a name and a value are missing"),
        ("%input %q = 5", "write %input %q = 5 : tensor<i32>"),
        ("%input %q = [[1.0, 2.0]]", "write %input %q = [[1.0, 2.0]] : tensor<1x2xf32>"),
    ],
)
def test_mistakes_say_what_to_write(notebook: Notebook, cell: str, message: str) -> None:
    notebook.cell(X)
    assert message in notebook.failure(cell).text


def test_several_last_lines_of_names_are_shown(notebook: Notebook) -> None:
    notebook.cell(X)
    assert notebook.cell("%y = stablehlo.negate %x : tensor<2xf32>\n%x\n%y").titles == [
        "%x : tensor<2xf32>",
        "%y : tensor<2xf32>",
    ]


def test_a_file_in_the_home_folder_is_found(
    notebook: Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    (tmp_path / "a.mlir").write_text(F)
    assert notebook.cell("%load ~/a.mlir").text.startswith("@f : ")


def test_runs_are_limited_on_request(notebook: Notebook) -> None:
    notebook.cell(f"{X}\n{F}")
    assert "budget of 1 steps" in notebook.failure("%run --max-steps 1 @f(%x, 1)").message
    assert "more than the 1 B allowed" in notebook.failure("%run --max-bytes=1 @f(%x, 1)").message
    notebook.cell("%run --max-steps 100 --max-bytes 1M @f(%x, 1)")
    assert notebook.cell("%config max_steps 1").text == "max_steps 1\n"
    notebook.failure("%run @f(%x, 1)")
    notebook.cell("%config max_steps none\n%run @f(%x, 1)")
    assert notebook.cell("%config").text == "max_steps none\nmax_bytes none\nprogress on\n"
    assert notebook.cell("%config max_bytes 2G").text == "max_bytes 2147483648\n"
    assert "expected a size or none" in notebook.failure("%config max_bytes 2X").message
    assert "expected on or off" in notebook.failure("%config progress 3").message
    assert "did you mean max_steps?" in notebook.failure("%config max_step 3").message


def test_a_profile_has_bars(notebook: Notebook) -> None:
    notebook.cell(F)
    (shown,) = notebook.cell("%profile @f(random)").shown
    assert "stablehlo.negate" in shown["text/plain"]
    assert "stablehlo.negate" in shown["text/html"]


def test_a_long_run_tells_how_far_it_is() -> None:
    shown: list[str] = []
    times = iter([0.0, 0.0, 0.5, 2.0, 2.1, 4.0])
    progress = RunProgress(shown.append, lambda: next(times))
    for done in (0, 10, 40, 42, 80):
        progress(done, 100)
    progress.close()
    assert shown == [
        "40 of 100 operations (40%), 20 a second, about 3 s left",
        "80 of 100 operations (80%), 20 a second, about 1 s left",
        "",
    ]


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
    assert message in notebook.failure(f"%run {call}").message


def test_a_function_that_fails_in_run_names_the_cell(notebook: Notebook) -> None:
    notebook.cell("func.func @f() {\n  stablehlo.custom_call @nobody() : () -> ()\n  return\n}")
    assert "(@f, In[1]:2:3)" in notebook.failure("%run @f()").message


def test_time_tells_what_the_time_went_into(notebook: Notebook) -> None:
    notebook.cell(f"{X}\n{F}")
    assert "stablehlo.negate" in notebook.cell("%time @f(%x, 1)").text
    assert re.search(r"[\d.]+ ms", notebook.cell("%%time\n%y = stablehlo.negate %x : tensor<2xf32>").text)
    assert notebook.value("y") == [-1, -2]


def test_lines_below_a_magic_have_the_numbers_of_the_cell(notebook: Notebook) -> None:
    text = re.sub("\x1b[^m]*m", "", notebook.failure("%%time\n\n%y = stablehlo.negate %x : tensor<f32>").text)
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
    assert "the type of 3 is missing" in notebook.failure("%input %q = 3").message
    assert "is no type" in notebook.failure("%input %q = 3 : tensor<2xwhat>").message


def test_magics_stand_between_operations_and_a_failing_cell_undoes_them(notebook: Notebook) -> None:
    cell = "%input %x = 2 : tensor<2xf32>\n%y = stablehlo.add %x, %x : tensor<2xf32>\n%who"
    assert "%y  tensor<2xf32>  8 B" in notebook.cell(cell).text
    notebook.cell("%reset")
    found = notebook.failure(f"{cell}\n\n%z = stablehlo.add %y, %q : tensor<2xf32>")
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
    assert f"did you mean {near}?" in notebook.failure(cell).message


def test_functions_and_values_are_saved_and_loaded(notebook: Notebook, tmp_path: Path) -> None:
    program, arrays = tmp_path / "a program.mlir", tmp_path / "values.npz"
    notebook.cell(f"{X}\n{F}")
    notebook.cell(f"%save {program}\n%save {arrays} %x")
    assert notebook.cell(f"%reset\n%load {program}\n%load {arrays}").text.startswith("@a_program.f : ")
    notebook.cell("%run @f(%x, 1)")
    assert notebook.value("_") == [-1, -2]


def test_bytecode_is_shown_saved_and_loaded(notebook: Notebook, tmp_path: Path) -> None:
    notebook.cell(F)
    shown = notebook.cell("%bytecode").text
    assert shown.startswith("MLIR bytecode, bytecode version 4")
    assert "stablehlo.negate" in shown
    assert notebook.cell("%bytecode --artifact 1.4.0 @f").text.startswith(
        "portable artifact of StableHLO 1.4.0"
    )
    file = tmp_path / "program.data"
    notebook.cell(f"%bytecode save {file}")
    assert file.read_bytes().startswith(b"ML\xefR")
    assert notebook.cell(f"%bytecode {file}").text == shown == notebook.cell(f"%bytecode show {file}").text
    notebook.cell("%reset")
    notebook.cell(f"%bytecode load {file} as g")
    assert "g.f" in notebook.session.functions
    other = tmp_path / "program.mlir"
    other.write_text("module {}")
    assert "expected a .mlirbc file" in notebook.failure(f"%bytecode save {other}").message
    assert other.read_text() == "module {}"
    file.write_bytes(file.read_bytes()[:40])
    assert "byte" in notebook.failure(f"%bytecode {file}").message
    assert "cannot read nowhere.mlirbc" in notebook.failure("%bytecode nowhere.mlirbc").message


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
    assert f"@{path.stem.replace(' ', '_')}.f : " in notebook.cell(f"%reset\n%load '{path}'\n{X}").text
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
    assert re.search(message, notebook.failure(line.format(tmp_path)).message)
    assert sorted(tmp_path.iterdir()) == before


def test_a_loaded_file_is_stablehlo_alone(notebook: Notebook, tmp_path: Path) -> None:
    hostile = tmp_path / "hostile.mlir"
    hostile.write_text(f"%%python\nopen({str(tmp_path / 'written')!r}, 'w')\n")
    assert notebook.failure(f"%load {hostile}").name == "ParseError"
    assert not (tmp_path / "written").exists()


@pytest.mark.parametrize(
    "line",
    [
        "%load nowhere.mlir",
        "%load ~/nowhere.mlir",
        "%load",
        "%load x.npy",
        "%save x.py",
        "%save x.npz %nope",
        "%save x.npz %n",
        "%ops nope",
    ],
)
def test_what_cannot_be_done_is_said_with_carets(notebook: Notebook, line: str) -> None:
    text = re.sub("\x1b[^m]*m", "", notebook.failure(f"// first\n{line}").text)
    word = line.rpartition(" ")[2]
    start = len(line) - len(word)
    assert text.startswith(f"In[1]:2:{start + 1}: error: ")
    assert text.split("\n")[-1] == " " * start + "^" + "~" * (len(word) - 1)


def test_tests_of_the_session_are_run(notebook: Notebook) -> None:
    good = "func.func @good() {\n  %0 = stablehlo.constant dense<1> : tensor<i32>\n  check.expect_eq_const %0, dense<1> : tensor<i32>\n  return\n}\n"
    assert "1 passed, 0 failed" in notebook.cell(f"{good}%test").text
    notebook.cell(good.replace("@good", "@bad").replace("%0, dense<1>", "%0, dense<2>"))
    assert "1 of 2 tests failed" in notebook.failure("%test").message
    assert "failed @bad" in notebook.seen.text
    assert "the filter ugly matches none of 2 tests" in notebook.failure("%test ugly").message


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
    found = notebook.failure("%%python\nx = x + 1\nraise ValueError('\\x1b[31m')")
    assert (found.name, found.message) == ("ValueError", "\\x1b[31m")
    assert "line 3" in found.text
    assert "raise ValueError" in found.text
    assert "\x1b" not in found.text
    assert notebook.value("x") == [1, 2]
    assert notebook.failure("%%python\nx[0] = 1").name == "ValueError"
    assert notebook.failure("%%python\n1 +").name == "SyntaxError"


def test_python_that_fails_keeps_what_it_bound_but_the_values_of_the_session(notebook: Notebook) -> None:
    notebook.cell(X)
    notebook.failure("%%python\nimport numpy as np\nz = np.ones(3, np.float32)\nx = x + 1\nnope")
    assert set(notebook.session.values) == {"x"}
    notebook.cell("%%python\ny = np.concatenate([x, z])")
    assert notebook.value("y") == [1, 2, 1, 1, 1]
    assert notebook.value("z") == [1, 1, 1]


def test_python_displays_awaits_and_clears(notebook: Notebook) -> None:
    seen = notebook.cell(
        "%%python\nimport asyncio\nfrom IPython.display import HTML, clear_output, display\n"
        "display(HTML('<i>old</i>'))\nclear_output()\ndisplay(HTML('<b>hi</b>'))\nawait asyncio.sleep(0, 'waited')"
    )
    assert [data.get("text/html") for data in seen.shown] == ["<b>hi</b>", None]
    assert seen.shown[1]["text/plain"] == "'waited'"


def test_python_plots(notebook: Notebook) -> None:
    pytest.importorskip("matplotlib")
    seen = notebook.cell("%%python\nimport matplotlib.pyplot as plt\nplt.plot([1, 2, 3])\nplt.show()")
    assert "image/png" in seen.shown[0]


def test_arrays_of_jax_are_shown_as_values(notebook: Notebook) -> None:
    seen = notebook.cell("%%python\nimport jax.numpy as jnp\njnp.ones((2, 2))")
    assert seen.titles == ["tensor<2x2xf32>"]


def test_help_lists_every_magic(notebook: Notebook) -> None:
    (shown,) = notebook.cell("%help").shown
    assert all(f"%{name}" in shown[mime] for name in MAGICS for mime in ("text/plain", "text/html"))
    assert shown["text/html"].count("<tr>") == len(MAGICS) + 1
    assert notebook.cell("%help run").text.startswith("%run ")
    (shown,) = notebook.cell("%ops").shown
    assert all("stablehlo.dot_general" in shown[mime] for mime in ("text/plain", "text/html"))
    assert "contracting" in notebook.cell("%ops dot_general").shown[0]["text/markdown"]


def test_names_are_echoed_in_the_letters_they_are_written_in(notebook: Notebook) -> None:
    cell = 'func.func @"größe"(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}'
    assert notebook.cell(cell).text == '@"größe" : (tensor<f32>) -> tensor<f32>\n'
    assert notebook.cell("%who").text.startswith('@"größe"  (tensor<f32>)')
    assert '@"größe" takes 1 argument' in str(notebook.failure("%run @größe()"))
    notebook.cell("%run %y = @größe(2.0)")
    assert notebook.value("y") == 2
    written = notebook.cell(cell.replace("größe", r"\E2\80\AEoh\22\1B")).text
    assert written.startswith(r'@"\E2\80\AEoh\22\1B"')


def test_the_cell_of_the_page_runs(notebook: Notebook) -> None:
    page = Path(__file__).parents[2].joinpath("docs", "notebooks.md").read_text("utf-8")
    notebook.cell(re.findall(r"```mlir\n(.*?)```", page, re.DOTALL)[0])
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
    assert notebook.failure("%semantics hlo").message == "expected spec or xla, got hlo"


def test_the_cost_of_a_function_is_told_without_running_it(notebook: Notebook) -> None:
    notebook.cell(
        "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %y = stablehlo.add %x, %x : tensor<4xf32>\n  return %y : tensor<4xf32>\n}"
    )
    assert notebook.cell("%cost @f").text.startswith("@f: 4 FLOP")
    assert "a function is missing; write @f" in notebook.failure("%cost").text


@pytest.mark.parametrize("cell", ["import numpy as np", "\n  1 + 1", "help"])
def test_python_in_a_cell_of_stablehlo_is_met_with_the_way_to_write_it(notebook: Notebook, cell: str) -> None:
    assert "one whose first line is %%python is Python" in notebook.failure(cell).text
    assert "%%python" not in notebook.failure("@f").text
