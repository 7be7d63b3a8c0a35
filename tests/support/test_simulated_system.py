"""The core on a system that lacks what Windows lacks: simulated in an environment of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
LACKING = Path(__file__).with_name("lacking.py")
SECONDS = 240
PROGRAM = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.add %x, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
"""
TEST = """func.func @doubles() {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %two = stablehlo.add %one, %one : tensor<f32>
  check.expect_eq_const %two, dense<2.0> : tensor<f32>
  return
}
"""
ENDLESS = """func.func @main() -> tensor<i32> {
  %x = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.while(%a = %x) : tensor<i32>
  cond { %t = stablehlo.constant dense<true> : tensor<i1> stablehlo.return %t : tensor<i1> }
  do { stablehlo.return %a : tensor<i32> }
  return %r : tensor<i32>
}
"""
IN_A_CHILD = f"""
from shlo.runner.child.launch import Child, Inputs, ChildLimits

def main():
    done = Child({PROGRAM!r}, "main", inputs=Inputs(arguments=("[1, 2]",))).outcome()
    assert done.status == "done", done
    endless = Child({ENDLESS!r}, "main", ChildLimits(seconds=2)).outcome()
    assert endless.status == "time limit", endless
    print("both ended")

if __name__ == "__main__":
    main()
"""
MEMORY = """
from shlo.support.memory import limit_memory, machine_memory
print(limit_memory(1 << 30), machine_memory())
"""


class System:
    """A Python that lacks what Windows lacks, whose output has the code page of Western Europe."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "work"
        self.folder.mkdir()
        venv.create(folder / "env", with_pip=False, symlinks=True)
        self.python = folder / "env" / "bin" / "python"
        (site,) = (folder / "env" / "lib").glob("python3*/site-packages")
        packages = Path(np.__file__).resolve().parents[1]
        (site / "tree.pth").write_text(f"{ROOT}\n{ROOT / 'bytecode'}\n{packages}\nimport {LACKING.stem}\n")
        (site / LACKING.name).write_bytes(LACKING.read_bytes())

    def run(self, *words: str, code: int = 0, stdin: bytes = b"") -> str:
        """Returns what a command prints, decoded as it was encoded."""
        variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        done = subprocess.run(
            [str(self.python), *words],
            cwd=self.folder,
            env={**variables, "PYTHONIOENCODING": "cp1252", "PYTHONWARNDEFAULTENCODING": "1"},
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=SECONDS,
            check=False,
        )
        printed = done.stdout.decode("cp1252")
        assert done.returncode == code, printed
        assert "Traceback" not in printed
        return printed.replace("\r\n", "\n")

    def write(self, name: str, text: str) -> str:
        """Writes a file with the line ends of Windows."""
        (self.folder / name).write_bytes(text.replace("\n", "\r\n").encode())
        return name


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> System:
    if sys.platform == "win32":
        pytest.skip("this system lacks all of it")
    return System(tmp_path_factory.mktemp("system"))


def test_what_is_simulated_is_lacking(system: System) -> None:
    code = (
        "import os, signal; print(hasattr(os, 'fork'), hasattr(signal, 'SIGKILL')); open('/proc/self/stat')"
    )
    assert system.run("-c", f"try:\n  {code}\nexcept FileNotFoundError: print('no /proc')") == (
        "False False\nno /proc\n"
    )


def test_commands_read_and_write_programs(system: System) -> None:
    program = system.write("Program ü.mlir", PROGRAM)
    assert system.run("-m", "shlo", "check", program) == ""
    assert "[2., 4.]" in system.run("-m", "shlo", "run", program, "[1, 2]")
    system.run("-m", "shlo", "convert", program, "-o", "program.mlirbc")
    assert "[2., 4.]" in system.run("-m", "shlo", "run", "program.mlirbc", "[1, 2]")
    script = b"next\r\nprint %y\r\nquit\r\n"
    shown = system.run("-m", "shlo", "debug", program, "[1, 2]", "--script", "-", stdin=script)
    assert "%y = [2., 4.]" in shown


def test_characters_that_the_output_lacks_are_escaped(system: System) -> None:
    said = system.run("-m", "shlo", "check", "ü→.mlir", code=2)
    assert said == "error: cannot read ü\\u2192.mlir: No such file or directory\n"


def test_tests_run_in_several_processes(system: System) -> None:
    for number in range(2):
        system.write(f"test{number}.mlir", TEST)
    assert "2 passed" in system.run("-m", "shlo", "test", "-j", "2", "test0.mlir", "test1.mlir")


def test_programs_in_processes_of_their_own_end_in_time(system: System) -> None:
    system.write("child.py", IN_A_CHILD)
    assert system.run("child.py") == "both ended\n"
    system.write("memory.py", MEMORY)
    assert system.run("memory.py") == "False None\n"


def test_a_command_checks_what_is_reduced(system: System) -> None:
    program = system.write("model.mlir", PROGRAM)
    system.write(
        "shows.py", "import sys\nsys.exit('stablehlo.add' not in open(sys.argv[1], 'rb').read().decode())\n"
    )
    check = f"'{system.python}' shows.py"
    reduced = system.run(
        "-m", "shlo", "reduce", program, "--check", check, "-o", "small.mlir", "--seconds", "30"
    )
    assert "Traceback" not in reduced
    assert "stablehlo.add" in (system.folder / "small.mlir").read_text("utf-8")


def test_findings_have_the_same_places_with_any_line_ends(system: System) -> None:
    wrong = PROGRAM.replace("%x, %x", "%x, %nope")
    places: list[object] = []
    for name, text in (("crlf.mlir", wrong.replace("\n", "\r\n")), ("lf.mlir", wrong)):
        (system.folder / name).write_bytes(text.encode())
        said = system.run("-m", "shlo", "check", "--format", "json", name, code=1)
        places.append(json.loads(said.replace(name, "FILE")))
    assert places[0] == places[1]
