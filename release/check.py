"""Builds sdist, wheel and the extension for VS Code into `dist`, and tries each in a fresh environment.

    python -m release.check    # `make release-check` builds before what wants Node

The environments have nothing of the Python that runs this, and no Node on their path. What each must do is in
`SMOKE` and `_try_notebook`; the first thing that fails ends the check with its output.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from release.version import ROOT, current, differing
from shlo.cli.doctor.checks import COMPLETIONS, MAN_PAGE

DIST: Final = ROOT / "dist"
VSIX: Final = ROOT / "vscode-extension" / "build" / "shlo.vsix"
LAB_EXTENSION: Final = "share/jupyter/labextensions/shlo-jupyterlab/package.json"
EXTRAS: Final = "lsp,tui,kernel,mcp"
"""What the fresh environments get beside shlo: all but JAX and JupyterLab, which are large."""
SECONDS: Final = 900
"""How long a step may take."""
PROGRAM: Final = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.add %x, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
"""
LIBRARY: Final = "import shlo; print(shlo.run(shlo.load('program.mlir'), [1.0, 2.0])[0].tolist())"
SMOKE: Final = (
    (("shlo", "--version"), f"shlo {current()} "),
    (("shlo", "doctor"), "a program runs"),
    (("shlo", "check", "program.mlir"), ""),
    (("shlo", "run", "program.mlir", "[1, 2]"), "[2., 4.]"),
    (("shlo", "convert", "program.mlir", "-o", "program.mlirbc"), ""),
    (("shlo", "run", "program.mlirbc", "[1, 2]"), "[2., 4.]"),
    (("shlo", "debug", "program.mlir", "[1, 2]", "--script", "commands.txt"), "%y = [2., 4.]"),
    (("shlo", "completion", "bash"), "complete -o default -F _shlo shlo"),
    (("python", "-c", LIBRARY), "[2.0, 4.0]"),
    (("jupyter", "kernelspec", "list"), "stablehlo"),
)
"""Commands, and what their output must hold."""


class CheckError(Exception):
    """A step that failed, with what it printed."""


class Environment:
    """A fresh environment in a folder, with an artifact installed and a folder to work in."""

    def __init__(self, folder: Path, artifact: Path) -> None:
        self.bin = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
        self.prefix, self.work = folder / "env", folder / "work"
        self.work.mkdir(parents=True)
        venv.create(self.prefix, with_pip=True)
        run([str(self.bin / "python"), "-m", "pip", "install", "--quiet", f"{artifact}[{EXTRAS}]"], self.work)
        (self.work / "program.mlir").write_text(PROGRAM)
        (self.work / "commands.txt").write_text("next\nprint %y\n")

    def run(self, *command: str) -> str:
        """Returns what a command prints that sees no programs but the environment's."""
        variables = {"PATH": str(self.bin), "HOME": str(self.work), "NO_COLOR": "1", "PYTHONUTF8": "1"}
        program = shutil.which(command[0], path=str(self.bin))
        if program is None:
            raise CheckError(f"{command[0]} is not installed")
        return run([program, *command[1:]], self.work, variables)


def run(command: Sequence[str], folder: Path, environment: dict[str, str] | None = None) -> str:
    """Returns what a command prints. Raises CheckError where it fails."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        timeout=SECONDS,
        check=False,
    )
    if done.returncode:
        raise CheckError(f"exit code {done.returncode}: {' '.join(command)}\n{done.stdout}")
    return done.stdout


def build() -> dict[str, Path]:
    """Builds all artifacts into `dist`; returns their paths by kind. Raises CheckError."""
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    with tempfile.TemporaryDirectory() as folder:
        venv.create(Path(folder, "env"), with_pip=True)
        python = Path(folder, "env", "Scripts" if os.name == "nt" else "bin", "python")
        run([str(python), "-m", "pip", "install", "--quiet", "build"], ROOT)
        run([str(python), "-m", "build", "--outdir", str(DIST)], ROOT, {**os.environ, "SHLO_RELEASE": "1"})
    shutil.copyfile(VSIX, DIST / f"shlo-{current()}.vsix")
    (wheel,), (sdist,) = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    return {"wheel": wheel, "sdist": sdist, "vsix": DIST / f"shlo-{current()}.vsix"}


def try_environment(artifact: Path) -> None:
    """Installs a wheel or sdist in a fresh environment and tries it. Raises CheckError."""
    with tempfile.TemporaryDirectory() as folder:
        environment = Environment(Path(folder), artifact)
        for command, expected in SMOKE:
            printed = environment.run(*command)
            if expected not in printed:
                raise CheckError(f"{' '.join(command)}: expected {expected!r} in\n{printed}")
        for path in (LAB_EXTENSION, *(f"share/{each}" for each in (*COMPLETIONS.values(), MAN_PAGE))):
            if not (environment.prefix / path).is_file():
                raise CheckError(f"{artifact.name}: expected {path} in the environment")
        _try_notebook(environment)


def _try_notebook(environment: Environment) -> None:
    """Runs a cell in the kernel that Jupyter finds. Raises CheckError."""
    code = (
        "from jupyter_client.manager import start_new_kernel\n"
        "manager, client = start_new_kernel(kernel_name='stablehlo')\n"
        "reply = client.execute_interactive('%x = stablehlo.constant dense<3.0> : tensor<f32>', timeout=60)\n"
        "print(reply['content']['status'])\n"
        "client.stop_channels(); manager.shutdown_kernel(now=True)\n"
    )
    printed = environment.run("python", "-c", code)
    if not printed.strip().endswith("ok"):
        raise CheckError(f"the kernel: expected ok, got\n{printed}")


def try_vsix(path: Path) -> None:
    """Looks into the extension, and tries the wheel that it carries. Raises CheckError."""
    with zipfile.ZipFile(path) as archive, tempfile.TemporaryDirectory() as folder:
        manifest: dict[str, Any] = json.loads(archive.read("extension/package.json"))
        names = set(archive.namelist())
        wheels = [name for name in names if name.endswith(".whl")]
        if manifest["version"].partition("-")[0] != current().partition("-")[0] or len(wheels) != 1:
            raise CheckError(f"{path.name}: expected version {current()} and one wheel, got {wheels}")
        for key in ("main", "browser", "icon"):
            if f"extension/{manifest[key].removeprefix('./')}" not in names:
                raise CheckError(f"{path.name}: {key} names {manifest[key]}, which is not in it")
        environment = Environment(Path(folder), Path(archive.extract(wheels[0], folder)))
        for command, expected in SMOKE[:4]:
            if expected not in environment.run(*command):
                raise CheckError(f"the wheel of {path.name}: {' '.join(command)}")


def main() -> int:
    """Builds and tries all artifacts; returns an exit code."""
    try:
        if wrong := differing():
            raise CheckError("\n".join(["files differ in the version", *wrong]))
        artifacts = build()
        for kind, path in artifacts.items():
            (try_vsix if kind == "vsix" else try_environment)(path)
            print(f"ok  {kind:6}  {path.relative_to(ROOT)}  {path.stat().st_size:,} bytes", flush=True)
    except (CheckError, subprocess.TimeoutExpired) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
