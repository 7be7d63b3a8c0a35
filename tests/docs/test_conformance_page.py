"""The commands of the page on conformance about models and programs of one's own, followed in an empty folder."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import numpy as np
import pytest

from shlo.cli import main

from .replay import ROOT

PAGE = (ROOT / "docs" / "conformance.md").read_text("utf-8")
BACKEND = shlex.join([sys.executable, str(ROOT / "tests" / "engines" / "backend.py"), "right"])


def test_the_commands_of_the_section_on_models_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    section = PAGE.partition("## Models and programs of your own")[2].partition("\n## ")[0]
    Path("model.mlir").write_text((ROOT / "examples" / "variance.mlir").read_text("utf-8"))
    np.save("x.npy", np.arange(4, dtype=np.float32))
    commands = re.findall(r"^shlo (.*)$", section, re.MULTILINE)
    commands += re.findall(r"`shlo (fuzz --count \d+ --export \w+)`", section)
    assert len(commands) == 3
    for command in commands:
        assert (
            main(shlex.split(command.replace("./backend", BACKEND).replace("--count 100", "--count 3"))) == 0
        )
    assert Path("model-report/index.html").exists()
    assert Path("programs/program-0/program.mlir").exists()
