"""Small distributions, built and installed beside the project into a folder of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```(?:python|toml)\n# (?P<path>\S+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def documented_files() -> dict[str, str]:
    """Returns the files of the distribution that CONTRIBUTING.md shows, by path."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return {match["path"]: match["text"] for match in FENCE.finditer(text)}


def install(files: Mapping[str, str], folder: Path) -> Path:
    """Builds a wheel of a distribution's files and installs it with pip. Returns where it is installed."""
    wheel, target = _wheel(files, folder), folder / "installed"
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-index", "--upgrade"]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, "--target", target, wheel], check=True, timeout=300
    )
    return target


def run_beside(target: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs Python with an installed distribution beside the project."""
    path = os.pathsep.join((str(target), str(ROOT)))
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": path, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def _wheel(files: Mapping[str, str], folder: Path) -> Path:
    project = tomllib.loads(files["pyproject.toml"])["project"]
    stem = f"{project['name'].replace('-', '_')}-{project['version']}"
    points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in rows.items())
        for group, rows in project["entry-points"].items()
    )
    metadata = {
        "METADATA": f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "entry_points.txt": points,
        "RECORD": "",
    }
    path = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            if name.endswith(".py"):
                archive.writestr(name, text)
        for name, text in metadata.items():
            archive.writestr(f"{stem}.dist-info/{name}", text)
    return path
