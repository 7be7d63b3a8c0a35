"""`shlo kernel`: the kernel among those that Jupyter knows."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest
from jupyter_core import paths

from shlo.cli import main
from shlo_kernel import install

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def jupyter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns a Jupyter whose folders are all empty: those of this environment and of the machine are not seen."""
    for name in ("CONFIG", "DATA", "RUNTIME"):
        monkeypatch.setenv(f"JUPYTER_{name}_DIR", str(tmp_path / name))
    monkeypatch.setattr(paths, "ENV_JUPYTER_PATH", [])
    monkeypatch.setattr(paths, "SYSTEM_JUPYTER_PATH", [])
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "prefix" / "share" / "jupyter"))
    return tmp_path


@pytest.mark.parametrize("where", ["--user", "--prefix", "an environment", "no environment"])
def test_a_kernel_is_installed_listed_and_removed(
    jupyter: Path, where: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    prefix = str(jupyter / "prefix")
    monkeypatch.setattr(sys, "base_prefix", "elsewhere" if where == "an environment" else prefix)
    monkeypatch.setattr(sys, "prefix", prefix)
    options = {"--user": ["--user"], "--prefix": ["--prefix", prefix]}.get(where, [])
    assert main(["kernel", "install", *options]) == 0
    folder = Path(capsys.readouterr().out.split(" in ")[1].strip())
    is_users = where in ("--user", "no environment")
    assert folder.is_relative_to(jupyter / "DATA" if is_users else prefix)
    specification = json.loads((folder / "kernel.json").read_text())
    assert specification["argv"] == [sys.executable, "-P", "-m", "shlo_kernel", "-f", "{connection_file}"]
    assert (specification["display_name"], specification["language"]) == ("StableHLO", "stablehlo")
    assert (folder / "logo-svg.svg").exists()
    main(["kernel", "list"])
    assert capsys.readouterr().out == f"stablehlo  {folder}\n"
    assert main(["kernel", "remove"]) == 0
    assert not folder.exists()


def test_a_kernel_that_is_not_there_cannot_be_removed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kernel", "uninstall"]) == 2
    assert "no kernel of shlo has the name stablehlo" in capsys.readouterr().err


def test_a_name_that_jupyter_refuses_is_a_message(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kernel", "install", "--user", "--name", "a b/c"]) == 2
    assert "a b/c" in capsys.readouterr().err


def test_a_place_that_cannot_be_written_to_is_a_message(
    jupyter: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (jupyter / "file").write_text("")
    assert main(["kernel", "install", "--prefix", str(jupyter / "file")]) == 2
    assert "cannot install the kernel" in capsys.readouterr().err


def test_what_the_wheel_installs_is_a_kernel_of_the_servers_python(jupyter: Path) -> None:
    from jupyter_client.manager import KernelManager

    kernels = jupyter / "prefix" / "share" / "jupyter" / "kernels"
    shutil.copytree(ROOT / "shlo_kernel" / "kernelspec", kernels / "stablehlo")
    assert install.installed() == {"stablehlo": str(kernels / "stablehlo")}
    manager = KernelManager(kernel_name="stablehlo")
    manager.connection_file = str(jupyter / "connection.json")
    expected = [sys.executable, "-P", "-m", "shlo_kernel", "-f", manager.connection_file]
    assert manager.format_kernel_cmd() == expected
