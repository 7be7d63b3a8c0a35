"""jupyter-lsp finds the language server, and can start it."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from shlo_lsp.jupyter import NAME, specification

ROOT = Path(__file__).resolve().parents[2]


def test_the_entry_point_is_the_specification() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ((name, value),) = project["entry-points"]["jupyter_lsp_spec_v1"].items()
    assert EntryPoint(name, value, "jupyter_lsp_spec_v1").load() is specification


def test_jupyter_lsp_takes_the_specification() -> None:
    schema = pytest.importorskip("jupyter_lsp.schema", reason="JupyterLab is not installed")
    found = specification(None)
    assert list(schema.LANGUAGE_SERVER_SPEC_MAP.iter_errors(found)) == []
    assert "mlir" in found[NAME]["languages"]


@pytest.mark.slow
def test_what_it_names_is_the_server() -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
    body = json.dumps({**message, "params": {"capabilities": {}, "processId": None, "rootUri": None}})
    given = f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
    command = specification(None)[NAME]["argv"]
    assert command[0] == sys.executable
    done = subprocess.run(command, input=given, capture_output=True, timeout=60, check=False, cwd=ROOT)
    assert b'"capabilities"' in done.stdout
