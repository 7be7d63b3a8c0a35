"""Programs of the site that a reader tries: what runs in a browser, as far as that can be seen without one."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from docs.site.try_it import ARCHIVE, write_archive

from .replay import ROOT

SCRIPTS = ROOT / "docs" / "site" / "static" / "try"
ABSENT = ("_multiprocessing", "curses", "grp", "pwd", "readline", "resource", "jax", "llvmlite")
"""What Pyodide 314.0.7 lacks; it starts no threads, either."""
PROGRAM = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.add %x, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func @one_is_one() {
  %x = stablehlo.constant dense<1.0> : tensor<f32>
  check.expect_eq_const %x, dense<1.0> : tensor<f32>
  return
}
"""
ASK = """
import json, runpy, sys, threading
from importlib.abc import MetaPathFinder

class Absent(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name in ABSENT:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

for name in ABSENT:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Absent())

def refuse(thread):
    raise RuntimeError("can't start new thread")

threading.Thread.start = refuse
answer = runpy.run_path(SCRIPT)["answer"]
assert sys.modules.get("shlo") is None
sys.path.insert(0, ARCHIVE)
print(json.dumps([answer(PROGRAM, words) for words in COMMANDS]))
"""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the folder into which Pyodide unpacks the archive."""
    folder = tmp_path_factory.mktemp("try")
    write_archive(folder)
    with ZipFile(folder / ARCHIVE) as packed:
        assert not [name for name in packed.namelist() if "__pycache__" in name]
        packed.extractall(folder / "unpacked")
    return folder / "unpacked"


@pytest.mark.slow
def test_commands_answer_from_the_archive_without_processes(archive: Path) -> None:
    commands = [
        "check program.mlir",
        "run program.mlir '[1, 2]'",
        "test program.mlir",
        "run",
        "run 'program.mlir",
        "convert program.mlir --emit bytecode -o x.mlirbc",
    ]
    named = {"ABSENT": ABSENT, "SCRIPT": str(SCRIPTS / "answer.py"), "ARCHIVE": str(archive)}
    head = "".join(f"{name} = {value!r}\n" for name, value in named.items())
    code = f"{head}PROGRAM, COMMANDS = {PROGRAM!r}, {commands!r}\n{ASK}"
    in_a_log = os.environ | {"CI": "true"}  # where progress is painted by a thread
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=archive,
        env=in_a_log,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    checked, ran, tested, usage, unended, converted = json.loads(done.stdout)
    assert (checked, converted) == ("", "")
    assert ran == "result 0: tensor<2xf32>\n[2., 4.]\n"
    assert "1 passed, 0 failed" in tested
    assert usage.endswith("(exit code 2)\n")
    assert unended == "(exit code 2: No closing quotation)\n"


def test_pyodide_is_pinned_to_a_version_and_its_script_to_a_hash() -> None:
    config = json.loads((SCRIPTS / "config.json").read_text("utf-8"))
    (version,) = set(re.findall(r"\d+\.\d+\.\d+", config["runtime"] + config["packages"]))
    assert re.fullmatch(r"https://[\w.]+/npm/pyodide@[\d.]+/", config["runtime"])
    assert config["packages"].endswith(f"/v{version}/full/")
    assert re.fullmatch(r"sha384-[A-Za-z0-9+/]{64}", config["integrity"])


@pytest.mark.parametrize("name", ["try.js", "worker.js"])
def test_a_script_is_valid(name: str) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    done = subprocess.run(
        [node, "--check", str(SCRIPTS / name)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
