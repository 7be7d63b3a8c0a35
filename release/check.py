"""Builds sdist, wheel and the extension for VS Code into `dist`, and tries each in a fresh environment.

    python -m release.check    # `make release-check` builds before what wants Node

What the environments need is downloaded once, into a folder that later checks use again; they are installed
from there without a network. They have nothing of the Python that runs this, and no Node on their path. Every
step has a time limit and says how long it took; the first one that fails ends the check with its output.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import venv
import zipfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from release.version import ROOT, current, differing
from shlo.cli.installation.doctor.checks import COMPLETIONS, MAN_PAGE
from shlo.support.processes import end_group, start_group

DIST: Final = ROOT / "dist"
DOWNLOADS: Final = ROOT / "build" / "release" / "downloads"
"""Wheels of what the environments need; what is there already is not downloaded again."""
VSIX: Final = ROOT / "vscode-extension" / "build" / "shlo.vsix"
LAB_EXTENSION: Final = "share/jupyter/labextensions/shlo-jupyterlab/package.json"
EXTRAS: Final = ("lsp", "tui", "kernel", "mcp")
"""What the environment of the wheel gets beside shlo: all but JAX and LLVM, which are large."""
LAB: Final = "jupyterlab>=4.4"
DOWNLOADING_S: Final = 900
"""The longest that the downloads may take, in seconds."""
INSTALLING_S: Final = 900
"""The longest that a build or an installation may take, in seconds."""
TRYING_S: Final = 240
"""The longest that a command of an environment may take, in seconds."""
PYTHON: Final = "python"
_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")
"""What JupyterLab prints in spite of NO_COLOR."""
PROGRAM: Final = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.add %x, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
"""
LIBRARY: Final = "import shlo; print(shlo.run(shlo.load('program.mlir'), [1.0, 2.0])[0].tolist())"
CELL: Final = """
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel(kernel_name='stablehlo')
reply = client.execute_interactive('%x = stablehlo.constant dense<3.0> : tensor<f32>', timeout=60)
client.stop_channels(); manager.shutdown_kernel(now=True)
print('the cell is', reply['content']['status'])
"""
Smoke = tuple[tuple[str, ...], str]
"""A command, and what its output must hold."""
CORE: Final[tuple[Smoke, ...]] = (
    (("shlo", "--version"), f"shlo {current()} "),
    (("shlo", "doctor"), "a program runs"),
    (("shlo", "check", "program.mlir"), ""),
    (("shlo", "run", "program.mlir", "[1, 2]"), "[2., 4.]"),
    (("shlo", "convert", "program.mlir", "-o", "program.mlirbc"), ""),
    (("shlo", "run", "program.mlirbc", "[1, 2]"), "[2., 4.]"),
    (("shlo", "completion", "bash"), "complete -o default -F _shlo shlo"),
    ((PYTHON, "-c", LIBRARY), "[2.0, 4.0]"),
)
FRONT_ENDS: Final[tuple[Smoke, ...]] = (
    (("shlo", "debug", "program.mlir", "[1, 2]", "--script", "commands.txt"), "%y = [2., 4.]"),
    (("jupyter", "kernelspec", "list"), "stablehlo"),
    (("jupyter", "labextension", "list"), f"shlo-jupyterlab v{current()} enabled OK"),
    ((PYTHON, "-c", CELL), "the cell is ok"),
)


class CheckError(Exception):
    """A step that failed, with what it printed."""


class Environment:
    """A fresh environment in a folder, with an artifact installed and a folder to work in."""

    def __init__(self, folder: Path, artifact: Path, extras: Sequence[str] = (), *others: str) -> None:
        self.bin = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
        self.prefix, self.work = folder / "env", folder / "work"
        self.work.mkdir(parents=True)
        venv.create(self.prefix, with_pip=False)
        requirement = f"{artifact}[{','.join(extras)}]" if extras else str(artifact)
        words = ("install", "--no-compile", *_from_downloads(), requirement, *others)
        with step(f"install {artifact.name} in a fresh environment"):
            run([*_pip("--python", str(self.bin / PYTHON)), *words], self.work, INSTALLING_S)
        (self.work / "program.mlir").write_text(PROGRAM, "utf-8", newline="\n")
        (self.work / "commands.txt").write_text("next\nprint %y\n", "utf-8", newline="\n")

    def run(self, *command: str) -> str:
        """Returns what a command prints that sees no programs but the environment's."""
        variables = {"PATH": str(self.bin), "HOME": str(self.work), "NO_COLOR": "1", "PYTHONUTF8": "1"}
        program = shutil.which(command[0], path=str(self.bin))
        if program is None:
            raise CheckError(f"{command[0]} is not installed")
        return run([program, *command[1:]], self.work, TRYING_S, variables)

    def try_all(self, commands: Sequence[Smoke]) -> None:
        """Runs commands. Raises CheckError where one fails, or does not print what it must."""
        for command, expected in commands:
            with step(" ".join(" ".join(command).split())[:60]):
                printed = _COLOUR.sub("", self.run(*command))
            if expected not in printed:
                raise CheckError(f"{' '.join(command)}: expected {expected!r} in\n{printed}")


@contextmanager
def step(title: str) -> Generator[None]:
    """Says what is begun, and how long it took."""
    print(f"    {title} ...", end=" ", flush=True)
    started = time.perf_counter()
    try:
        yield
    except BaseException:
        print("failed", flush=True)
        raise
    print(f"{time.perf_counter() - started:.1f} s", flush=True)


def run(
    command: Sequence[str], folder: Path, seconds: float, environment: Mapping[str, str] | None = None
) -> str:
    """Returns what a command prints. Raises CheckError where it fails, or takes too long: it is ended then,
    with all that it has started.
    """
    with tempfile.TemporaryFile() as printed:
        process = start_group(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.STDOUT,
        )
        try:
            code: int | None = process.wait(seconds)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            end_group(process)
            process.wait()
        printed.seek(0)
        text = printed.read().decode("utf-8", "replace")
    if code == 0:
        return text
    how = f"not done after {seconds:g} s" if code is None else f"exit code {code}"
    raise CheckError(f"{how}: {' '.join(command)}\n{text}")


def download() -> None:
    """Downloads what the environments need, and what builds shlo. Raises CheckError."""
    data = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    project, extras = data["project"], data["project"]["optional-dependencies"]
    needed = [*project["dependencies"], *(package for name in EXTRAS for package in extras[name]), LAB]
    DOWNLOADS.mkdir(parents=True, exist_ok=True)
    words = ("download", "--only-binary=:all:", "--dest", str(DOWNLOADS))
    with step("download what the environments need"):
        run([*_pip(), *words, *needed, *data["build-system"]["requires"]], ROOT, DOWNLOADING_S)


def build() -> dict[str, Path]:
    """Builds all artifacts into `dist`, and what they depend on as a list; returns their paths by kind.

    Raises CheckError, also where a second build gives other bytes.
    """
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    packages = _build_packages(DIST)
    with tempfile.TemporaryDirectory() as folder:
        for kind, again in _build_packages(Path(folder)).items():
            if again.read_bytes() != packages[kind].read_bytes():
                raise CheckError(f"{packages[kind].name}: a second build has other bytes")
    with step("list what they depend on"):
        run([sys.executable, "-m", "release.sbom", str(DIST / f"shlo-{current()}.cdx.json")], ROOT, TRYING_S)
    vsix = DIST / f"shlo-{current()}.vsix"
    shutil.copyfile(VSIX, vsix)
    return {**packages, "vsix": vsix}


def _build_packages(folder: Path) -> dict[str, Path]:
    """Builds sdist and wheel into a folder. The wheel is built from the sdist: what the sdist lacks, the
    wheel lacks, too.
    """
    requires = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    environment = {**os.environ, "SHLO_RELEASE": "1"}
    with tempfile.TemporaryDirectory() as prefix:
        python = Path(prefix, "Scripts" if os.name == "nt" else "bin", PYTHON)
        venv.create(prefix, with_pip=False)
        with step("build the sdist"):
            run(
                [*_pip("--python", str(python)), "install", *_from_downloads(), *requires], ROOT, INSTALLING_S
            )
            words = ("-m", "hatchling", "build", "--target", "sdist", "--directory", str(folder))
            run([str(python), *words], ROOT, INSTALLING_S, environment)
    (sdist,) = folder.glob("*.tar.gz")
    with step("build the wheel from the sdist"):
        words = ("wheel", "--no-deps", "--wheel-dir", str(folder), *_from_downloads(), str(sdist))
        run([*_pip(), *words], ROOT, INSTALLING_S, environment)
    (wheel,) = folder.glob("*.whl")
    return {"wheel": wheel, "sdist": sdist}


def _pip(*options: str) -> list[str]:
    return [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *options]


def _from_downloads() -> tuple[str, ...]:
    return ("--no-index", "--find-links", str(DOWNLOADS))


def try_wheel(path: Path) -> None:
    """Installs the wheel with its front ends and JupyterLab, and tries all. Raises CheckError."""
    with tempfile.TemporaryDirectory() as folder:
        environment = Environment(Path(folder), path, EXTRAS, LAB)
        environment.try_all((*CORE, *FRONT_ENDS))
        for name in (LAB_EXTENSION, *(f"share/{shared}" for shared in (*COMPLETIONS.values(), MAN_PAGE))):
            if not (environment.prefix / name).is_file():
                raise CheckError(f"{path.name}: expected {name} in the environment")
        with step("JupyterLab of the environment, in a browser"):
            tests = ("-m", "pytest", "-rs", "-k", "jupyter", str(ROOT / "tests" / "e2e" / "test_install.py"))
            variables = {**os.environ, "SHLO_INSTALLED": str(environment.prefix)}
            printed = run([sys.executable, *tests], ROOT, INSTALLING_S, variables)
        if "SKIPPED" in printed:
            print(f"    left out: {printed[printed.index('SKIPPED') :].splitlines()[0]}")


def try_sdist(path: Path) -> None:
    """Installs the sdist alone, and tries what needs no front end. Raises CheckError."""
    with tempfile.TemporaryDirectory() as folder:
        Environment(Path(folder), path).try_all(CORE)


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
        wheel = Path(archive.extract(wheels[0], folder))
        Environment(Path(folder), wheel, ("lsp",)).try_all((*CORE[:4], (("shlo", "lsp", "--help"), "usage")))


TRIES: Final = {"wheel": try_wheel, "sdist": try_sdist, "vsix": try_vsix}


def main() -> int:
    """Builds and tries all artifacts; returns an exit code."""
    try:
        if wrong := differing():
            raise CheckError("\n".join(["files differ in the version", *wrong]))
        download()
        artifacts = build()
        for kind, path in artifacts.items():
            TRIES[kind](path)
            print(f"ok  {kind:6}  {path.relative_to(ROOT)}  {path.stat().st_size:,} bytes", flush=True)
    except CheckError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
