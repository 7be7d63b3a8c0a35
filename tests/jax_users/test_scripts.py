"""`shlo run train.py:loss` and the like: functions of scripts, lowered in a process of their own."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

from shlo.cli import main

pytestmark = pytest.mark.oracle

SCRIPT = """
import jax, jax.numpy as jnp, numpy as np
import helpers
print("imported")

@jax.jit
def loss(params, y):
    w = params["layers"][0]["w"]
    return jnp.mean(jnp.log(w @ y.astype(w.dtype)))  # the NaN

class Model:
    double = staticmethod(lambda x: helpers.twice(x))

def batch():
    return {"layers": [{"w": jnp.ones((2, 3))}]}, np.ones(3, np.float32)

def named():
    return {"x": np.ones(2)}

def fails(x):
    raise KeyError("mine")
"""


@pytest.fixture
def script(tmp_path: Path) -> str:
    (tmp_path / "train.py").write_text(SCRIPT)
    (tmp_path / "helpers.py").write_text("twice = lambda x: x * 2\n")
    np.savez(
        tmp_path / "batch.npz",
        **{"y": -np.ones(3, np.float32), "params['layers'][0]['w']": np.ones((2, 3), np.float32)},
    )
    return str(tmp_path / "train.py")


def test_a_function_runs_on_literals(script: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["run", f"{script}:Model.double", "[1, 2.5]"]) == 0
    shown = capfd.readouterr()
    assert shown.out == "result 0: tensor<2xf32>\n[2., 5.]\n"
    assert shown.err == "imported\n"


def test_arguments_are_what_another_function_returns(script: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["run", f"{script}:loss", "--args", f"{script}:batch"]) == 0
    assert "1.0986123" in capfd.readouterr().out


def test_diff_of_two_functions_calls_both_with_the_arguments(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "pair.py"
    script.write_text(
        "import jax.numpy as jnp, numpy as np\n"
        "def f(x, unused, w): return jnp.tanh(x) @ w\n"
        "def g(x, unused, w): return (jnp.tanh(x) @ w) * 1.0001\n"
        "def make(): return np.ones(3, np.float32), np.int32(1), np.ones((3, 2), np.float32)\n"
    )
    assert main(["diff", f"{script}:f", f"{script}:g", "--args", f"{script}:make"]) == 1
    assert "2 of 2 elements differ" in capfd.readouterr().out


def test_places_are_lines_of_the_script_alone(script: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Constants have the place of a call's outermost frame: it is none of Python's own modules."""
    assert main(["convert", f"{script}:loss", "--args", f"{script}:batch", "--debug-info"]) == 0
    places = re.findall(r'loc\("([^"]+)":\d', capfd.readouterr().out)
    assert set(places) == {script}


def test_arrays_are_named_by_path(script: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    commands = tmp_path / "commands.txt"
    commands.write_text("nonfinite nan\n")
    assert (
        main(["debug", f"{script}:loss", "--args", str(tmp_path / "batch.npz"), "--script", str(commands)])
        == 0
    )
    assert "= [nan, nan]" in capfd.readouterr().out


def test_bfloat16_arguments_arrive(script: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "more.py").write_text(
        "import jax.numpy as jnp\ndef x():\n    return (jnp.ones(2, jnp.bfloat16),)\n"
    )
    assert main(["run", f"{script}:Model.double", "--args", str(tmp_path / "more.py") + ":x"]) == 0
    assert "tensor<2xbf16>\n[2, 2]" in capfd.readouterr().out


LOWERED = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.log %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
"""


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("check FUNCTION FUNCTION", ""),
        ("convert FUNCTION", "stablehlo.log"),
        ("cost FUNCTION", "log"),
        ("diff --text FUNCTION OTHER", "no differences"),
        ("fmt FUNCTION", "stablehlo.log"),
        ("fold FUNCTION", "stablehlo.log"),
        ("graph FUNCTION", "1 log"),
        ("graph --run FUNCTION", "1 log"),
        ("inspect --shardings FUNCTION", "no value has a sharding"),
        ("opt --pass stablehlo-aggressive-folder FUNCTION", "stablehlo.log"),
        ("refine FUNCTION _", "stablehlo.log"),
        ("run FUNCTION", "[0., 0.]"),
    ],
)
def test_every_command_takes_functions_of_scripts(
    command: str,
    shown: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """What lowers a function is replaced here: it takes seconds, and the other tests have it."""
    np.save(tmp_path / "ones.npy", np.ones(2, np.float32))
    given = list[tuple[str, ...]]()

    def lower_script(script: str, name: str, arguments: list[str], *_: object) -> tuple[bytes, list[str]]:
        given.append((script, name, *arguments))
        return LOWERED.encode(), arguments

    monkeypatch.setattr("shlo.jax_programs.scripts.lower_script", lower_script)
    names = {"FUNCTION": "train.py:loss", "OTHER": "train.py:other"}
    arguments = ["--args", str(tmp_path / "ones.npy")]
    assert main([names.get(word, word) for word in command.split()] + arguments) == 0
    assert shown in capfd.readouterr().out
    functions = ["loss", "other"] if "OTHER" in command else ["loss"]
    assert given == [("train.py", name, str(tmp_path / "ones.npy")) for name in functions]


def test_a_function_is_no_file_to_replace(script: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["fmt", "--generic", "-i", f"{script}:Model.double", "--args", "1"]) == 2
    assert "whose program is in no file" in capfd.readouterr().err
    assert not Path(f"{script}:Model.double").exists()


def test_arguments_need_a_function(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["fmt", "model.mlir", "--args", "1"]) == 2
    assert "FILE.py:FUNCTION names one" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "messages"),
    [
        (["missing.py:f"], ["error: cannot read missing.py: No such file or directory"]),
        (["{}:nothing"], ["has no nothing"]),
        (
            ["{}:Model.double", "one"],
            ["expected a .npy or .npz file, a number or a list of numbers, got one"],
        ),
        (["{}"], ["hint: {}:NAME is its function NAME"]),
        (["{}:Model.dubble", "1"], ["did you mean double?"]),
        (["{}:Model.double", "--args", "{}:named"], ["train.py:named, got an object of type dict"]),
        (
            ["{}:fails", "[nan, Inf]"],
            ["error: {}:fails could not be lowered: KeyError: 'mine'", "in fails\n    raise KeyError"],
        ),
    ],
)
def test_what_goes_wrong_is_told(
    arguments: list[str], messages: list[str], script: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", *(each.format(script) for each in arguments)]) == 2
    said = capfd.readouterr().err
    assert all(message.format(script) in said for message in messages)
    assert "shlo/jax_programs" not in said


def test_a_module_that_a_script_lacks_is_named_with_the_python_to_install_it_in(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    lacking = tmp_path / "lacking.py"
    lacking.write_text("import no_such_module\n", "utf-8")
    assert main(["run", f"{lacking}:f"]) == 2
    said = capfd.readouterr().err
    assert said.startswith(f"error: {lacking}: No module named 'no_such_module'\nhint: ")
    assert f"{sys.executable} -m pip install" in said
    assert "Traceback" not in said
