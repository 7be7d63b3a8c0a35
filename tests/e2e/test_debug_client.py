"""The debug adapter, driven by the client that VS Code's own adapters are tested with."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.dap.programs import MATRIX, SQUARES, line_of

from .conftest import ROOT, find_tool, missing
from .editors import SHLO

pytestmark = pytest.mark.timeout(240)
PACKAGES = ROOT / ".e2e" / "debug-client" / "node_modules"
SCRIPT = Path(__file__).with_name("debug_client.cjs")


def test_the_client_of_vscode_finds_nothing_wrong(tmp_path: Path) -> None:
    if not PACKAGES.exists():
        missing("the client of debug adapters is not installed: tests/e2e/install-tools.sh")
    matrix = tmp_path / "matrix.mlir"
    matrix.write_text(MATRIX)
    arguments = [SHLO, SQUARES, str(line_of(SQUARES, "%square =")), matrix]
    done = subprocess.run(
        [find_tool("node"), SCRIPT, *arguments],
        env={**os.environ, "NODE_PATH": str(PACKAGES)},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert (done.stdout.split(), done.returncode) == (["walks", "pages", "refuses"], 0), done.stderr
