"""The back ends in `examples/backends` are honest: what they do not refuse is right."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from shlo.cli import main

BACKENDS = Path(__file__).parents[2] / "examples" / "backends"


def cases_on(command: str, report: Path, *words: str) -> list[dict[str, Any]]:
    """Returns the cases of a run that ends without a wrong one."""
    assert main(["conform", "--engine-command", command, "-o", str(report), "-j", "1", *words]) in (0, 2)
    return json.loads((report / "report.json").read_text())["cases"]


def test_the_back_end_in_cpp_runs_some_operations_and_refuses_others(tmp_path: Path) -> None:
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    words = [compiler, "-std=c++17", "-O1", "-ffp-contract=off", "-Wall", "-Werror"]
    program = tmp_path / "elementwise"
    subprocess.run([*words, "-o", str(program), str(BACKENDS / "elementwise.cpp")], check=True)
    command = f"{shlex.quote(str(program))} {{program}} {{arguments:raw}} {{results:raw}}"
    ops = ("maximum", "minimum", "divide", "ceil", "add", "tanh")
    chosen = [word for name in ops for word in ("--ops", name)]
    cases = cases_on(command, tmp_path / "report", *chosen, "--types", "f32,i8")
    verdicts = {(case["op"].partition(".")[2], case["type"]): case["verdict"] for case in cases}
    assert set(verdicts.values()) == {"pass", "refused"}
    assert {name for (name, type_), verdict in verdicts.items() if type_ == "f32" and verdict == "pass"} == {
        *ops[:-1]
    }


@pytest.mark.oracle
def test_a_pjrt_plugin_runs_as_a_command(tmp_path: Path) -> None:
    command = shlex.join([sys.executable, str(BACKENDS / "run_pjrt.py"), "cpu"])
    cases = cases_on(command, tmp_path / "report", "--ops", "add", "--types", "i32")
    assert {case["verdict"] for case in cases} == {"pass"}
