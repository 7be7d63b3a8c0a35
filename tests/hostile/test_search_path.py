"""Nothing is imported from the folder that shlo is started in, however it is started."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from shlo_kernel.install import specification as kernel_specification
from shlo_lsp.jupyter import NAME
from shlo_lsp.jupyter import specification as server_specification

ROOT = Path(__file__).resolve().parents[2]

SHADOWED = (
    *("numpy", "scipy", "ml_dtypes", "msgspec", "jax", "jaxlib", "llvmlite"),
    *("shlo", "shlo_bytecode", "shlo_kernel", "shlo_lsp", "shlo_dap", "shlo_mcp", "shlo_tui"),
    *("ipykernel", "IPython", "traitlets", "zmq", "tornado", "pygls", "lsprotocol", "mcp", "textual"),
    *("json", "re", "typing", "enum", "argparse", "threading", "pathlib", "contextlib", "dataclasses"),
    *("pickle", "struct", "selectors", "socket", "multiprocessing", "concurrent", "tempfile", "random"),
    *("sitecustomize", "usercustomize"),
)
"""What shlo, or something that it loads, imports."""

PROGRAM = """func.func @main() -> tensor<f32> {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  func.return %0 : tensor<f32>
}
"""
SHLO = (str(Path(sys.executable).with_name("shlo")),)
SAFE_PYTHON = (sys.executable, "-P", "-m", "shlo")
WAYS = {
    "console script": ((*SHLO, "run", "program.mlir"), b"1."),
    "module": ((*SAFE_PYTHON, "run", "program.mlir"), b"1."),
    "processes of tests": ((*SHLO, "test", "-j", "2", "test0.mlir", "test1.mlir"), b"2 passed"),
    "function of a script": ((*SHLO, "run", "scripts/model.py:PROGRAM"), b"1."),
    "language server of jupyter-lsp": (server_specification(None)[NAME]["argv"], b""),
    "language server": ((*SHLO, "lsp"), b""),
    "debug adapter": ((*SHLO, "dap"), b""),
    "server for agents": ((*SHLO, "mcp"), b""),
}
"""How shlo is started, and what it then prints."""

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Returns a folder of programs beside modules that leave a mark when they are imported."""
    mark = f"open({str(tmp_path / 'imported')!r}, 'a').write(__name__ + ' ')\n"
    for name in SHADOWED:
        (tmp_path / f"{name}.py").write_text(mark)
    (tmp_path / "shlo").mkdir()
    (tmp_path / "shlo" / "__init__.py").write_text(mark)
    for name in ("program.mlir", "test0.mlir", "test1.mlir"):
        (tmp_path / name).write_text(PROGRAM)
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "model.py").write_text(f"import beside\nPROGRAM = {PROGRAM!r}\n")
    (tmp_path / "scripts" / "beside.py").write_text("")
    return tmp_path


def imported(folder: Path) -> str:
    mark = folder / "imported"
    return mark.read_text() if mark.exists() else ""


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_imported_from_the_folder_that_a_command_is_started_in(folder: Path, way: str) -> None:
    command, expected = WAYS[way]
    if not os.path.exists(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run(command, cwd=folder, input=b"", capture_output=True, timeout=60, check=False)
    assert (imported(folder), b"Traceback" in done.stderr) == ("", False)
    assert expected in done.stdout, done.stderr


def test_the_folder_of_the_modules_would_be_imported_from(folder: Path) -> None:
    subprocess.run([sys.executable, "-m", "shlo"], cwd=folder, capture_output=True, timeout=60, check=False)
    assert imported(folder)


def test_nothing_is_imported_from_the_folder_of_a_notebook(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import KernelManager

    monkeypatch.setenv("IPYTHONDIR", str(folder / "ipython"))
    manager = KernelManager()
    manager._kernel_spec = KernelSpec(**kernel_specification())  # pyright: ignore[reportPrivateUsage]
    manager.start_kernel(cwd=str(folder))
    client = manager.blocking_client()
    try:
        client.start_channels()
        client.wait_for_ready(timeout=60)
        reply = client.execute_interactive(PROGRAM, timeout=60, output_hook=lambda _: None)
        assert reply["content"]["status"] == "ok"
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    assert imported(folder) == ""


def test_the_kernel_of_the_wheel_is_started_as_the_installed_one() -> None:
    packaged = json.loads((ROOT / "shlo_kernel" / "kernelspec" / "kernel.json").read_text("utf-8"))
    assert packaged["argv"][1:] == kernel_specification()["argv"][1:]
    assert packaged["argv"][1] == "-P"
