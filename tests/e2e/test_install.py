"""A plain install of the built wheel in a fresh environment, with no Node to be found: all is there.

`make release-check` runs the tests of Jupyter in the environment that it made: SHLO_INSTALLED is its folder.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser

from .conftest import Witness
from .evidence import seen
from .jupyter_lab import LAB_EXTENSION, SECONDS, assert_coloured, cell_of, running_lab

ROOT = Path(__file__).resolve().parents[2]
DEPENDENCIES = Path(np.__file__).resolve().parents[1]
"""The folder of what the running Python has installed: the project itself is not in it, but linked."""

USE = """
import shlo, shlo_bytecode
module = shlo.load("program.mlir")
print(shlo.run(module, [1.0, 2.0]))
print(shlo.run(shlo_bytecode.read(shlo_bytecode.write(module)), [3.0, 4.0]))
print(shlo.__file__)
"""
PROGRAM = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.add %x, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
"""


class Installed:
    """A fresh environment with the wheel; what it depends on is that of the running Python."""

    def __init__(self, folder: Path) -> None:
        given = os.environ.get("SHLO_INSTALLED")
        prefix = Path(given) if given else folder / "env"
        self.folder, self.bin = folder / "foreign", prefix / ("Scripts" if os.name == "nt" else "bin")
        self.folder.mkdir()
        self.environment = {"PATH": str(self.bin), "HOME": str(self.folder), "NO_COLOR": "1"}
        if not given:
            self._install(folder)

    def _install(self, folder: Path) -> None:
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        self.run(*pip, "wheel", "--no-deps", "--wheel-dir", folder / "wheels", ROOT, environment=os.environ)
        (self.wheel,) = (folder / "wheels").glob("*.whl")
        venv.create(folder / "env", with_pip=False)
        site = self.run(self.bin / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))")
        Path(site.strip(), "dependencies.pth").write_text(f"{DEPENDENCIES}\n")
        into = ["--python", self.bin / "python"]
        install = ["install", "--no-deps", "--no-index", "--ignore-installed", self.wheel]
        self.run(*pip, *into, *install, environment=os.environ)

    def run(self, *command: object, environment: Mapping[str, str] | None = None) -> str:
        """Runs a command in a folder of its own, with no programs but those of the environment unless others
        are given; returns what it printed.
        """
        done = subprocess.run(
            [str(word) for word in command],
            env=self.environment if environment is None else environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=2 * SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("install"))


@pytest.mark.core
def test_the_command_and_the_library_work_from_a_foreign_folder(installed: Installed) -> None:
    (installed.folder / "program.mlir").write_text(PROGRAM)
    assert installed.run(installed.bin / "shlo", "--version").startswith("shlo ")
    assert "[2., 4.]" in installed.run(installed.bin / "shlo", "run", "program.mlir", "[1, 2]")
    *results, file = installed.run(installed.bin / "python", "-c", USE).splitlines()
    assert results == ["(array([2., 4.], dtype=float32),)", "(array([6., 8.], dtype=float32),)"]
    assert Path(file).is_relative_to(installed.bin.parent)


@pytest.mark.core
def test_jupyter_knows_the_kernel(installed: Installed) -> None:
    listed = json.loads(
        installed.run(installed.bin / "python", "-m", "jupyter_client.kernelspecapp", "list", "--json")
    )
    assert Path(listed["kernelspecs"]["stablehlo"]["resource_dir"]).is_relative_to(installed.bin.parent)


@pytest.mark.core
def test_the_wheel_holds_every_module_and_its_data(installed: Installed) -> None:
    with zipfile.ZipFile(installed.wheel) as wheel:
        names = set(wheel.namelist())
    names_of = ("shlo", "shlo_dap", "shlo_kernel", "shlo_lsp", "shlo_mcp", "shlo_tui")
    packages: dict[str, Path] = dict.fromkeys(names_of, ROOT)
    packages["shlo_bytecode"] = ROOT / "bytecode"
    for package, root in packages.items():
        tracked = installed.run("git", "-C", root, "ls-files", package, environment=os.environ).splitlines()
        own = {name for name in tracked if not name.startswith("shlo_kernel/labextension")}
        assert own - names == set()
        assert f"{package}/py.typed" in names
    views = {f"shlo/pages/assets/{each.name}" for each in (ROOT / "web" / "dist").glob("*_view.js")}
    assert views <= names


@pytest.mark.core
def test_jupyterlab_knows_the_extension(installed: Installed) -> None:
    if not LAB_EXTENSION.is_file():
        pytest.skip("the JupyterLab extension is not built (make labextension)")
    code = "from jupyterlab.labextensions import main; main()"
    said = subprocess.run(
        [str(installed.bin / "python"), "-c", code, "list"],
        env=installed.environment,
        cwd=installed.folder,
        capture_output=True,
        text=True,
        timeout=2 * SECONDS,
        check=True,
    )
    assert "shlo-jupyterlab" in said.stdout + said.stderr


@pytest.mark.seconds(240)
def test_jupyterlab_colours_a_cell(
    installed: Installed, browser: Browser, tmp_path: Path, screenshots: Path, witnesses: list[Witness]
) -> None:
    if not LAB_EXTENSION.is_file():
        pytest.skip("the JupyterLab extension is not built (make labextension)")
    assert shutil.which("node", path=installed.environment["PATH"]) is None
    files = tmp_path / "files"
    files.mkdir()
    variables = {**installed.environment, "JUPYTERLAB_SETTINGS_DIR": str(tmp_path / "settings")}
    with running_lab(tmp_path, files, variables, installed.bin / "python") as lab:
        page = browser.new_page(viewport={"width": 1200, "height": 700})
        witnesses.append(lambda picture: seen(page, picture))
        lab.write("cell", "stablehlo", ["%x = stablehlo.constant dense<3.0> : tensor<f32>\n%x"])
        lab.open(page, "cell.ipynb")
        lab.run_all(page)
        assert_coloured(cell_of(page, "stablehlo.constant"))
        page.screenshot(path=screenshots / "jupyterlab-of-the-wheel.png")
        lab.close(page)
        page.close()
