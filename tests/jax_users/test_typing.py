"""Mistakes in calls of shlo's functions are found by pyright, as in an editor."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

FILE = Path(__file__).with_name("misuses.py")


@pytest.mark.slow
def test_an_editor_finds_each_misuse_and_nothing_else() -> None:
    pytest.importorskip("pyright")
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, str(FILE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=FILE.parents[2])
    found = {entry["range"]["start"]["line"] + 1 for entry in json.loads(done.stdout)["generalDiagnostics"]}
    lines = enumerate(FILE.read_text(encoding="utf-8").splitlines(), 1)
    assert found == {number for number, line in lines if line.endswith("  # expect")}
